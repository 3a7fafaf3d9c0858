// Compresses what Vite wrote into built/, which the Go program embeds and git keeps.
// With --check nothing is written: it fails where built/ is not what the sources build.
// Contents are compared, not compressed bytes, which depend on the version of zlib.
import { gunzipSync, gzipSync } from "node:zlib";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const from = "node_modules/.built", to = "built";
const files = (dir) => !existsSync(dir) ? [] : readdirSync(dir, { recursive: true }).filter((f) => statSync(join(dir, f)).isFile());
const check = process.argv.includes("--check");
const wanted = new Map(files(from).map((f) => [f + ".gz", readFileSync(join(from, f))]));
const have = new Map(files(to).map((f) => [f, f.endsWith(".gz") ? gunzipSync(readFileSync(join(to, f))) : null]));
const stale = [...have.keys()].filter((f) => !wanted.has(f));
const changed = [...wanted].filter(([f, body]) => !have.get(f)?.equals(body));
if (check) {
  for (const f of stale) console.log(`built/${f} is not built by the sources`);
  for (const [f] of changed) console.log(`built/${f} is not what the sources build`);
  if (stale.length + changed.length) {
    console.log("run `npm run build` in functions/system/workbench and commit built/");
    process.exit(1);
  }
  console.log(`ok   ${wanted.size} built files are what the sources build`);
} else {
  for (const f of stale) rmSync(join(to, f));
  for (const [f, body] of changed) {
    mkdirSync(dirname(join(to, f)), { recursive: true });
    writeFileSync(join(to, f), gzipSync(body, { level: 9 }));
  }
}
if (process.argv.includes("--sizes") || !check) {
  for (const f of [...wanted.keys()].sort()) {
    const n = statSync(join(to, f)).size;
    if (n > 2000) console.log(String((n / 1024).toFixed(1)).padStart(8), "KiB", f);
  }
}
