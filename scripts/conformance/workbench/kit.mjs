// What the checks of the page share: the browser, the service's addresses, and steps that
// many of them take.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const {
  BASE_URL: base,
  KEYED_URL: keyed,
  SIGNED_URL: signed,
  SLOW_URL: slow,
  UPSTREAM: upstream,
  KEY: key,
  WORK: work,
  CHROMIUM = "/usr/bin/chromium",
  SHOTS: shots,
} = process.env;
export const samples = join(import.meta.dirname, "../../../shared/knowledge/reader/formats/testdata");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-features=LocalNetworkAccessChecks"] });
const problems = [];
let failures = 0;

/** open opens a page of its own browser profile, or of another page's, and notes what goes wrong in it. The page where
 * people sign in elsewhere may be left, and what that other page does is its own affair. known are errors that belong to the check,
 * store is an origin where files may be. */
export async function open(url, { beside, store, known = /status of 40[14]|status of 422/, ...options } = {}) {
  const context =
    beside?.context() ??
    (await browser.newContext({
      viewport: { width: 1360, height: 850 },
      locale: "en-GB",
      permissions: ["clipboard-read", "clipboard-write"],
      ...options,
    }));
  const page = await context.newPage();
  const origin = new URL(url).origin;
  const own = () => url !== signed || page.url() === "about:blank" || page.url().startsWith(origin);
  const outside = (r) =>
    own() &&
    !(store && r.url().startsWith(store)) &&
    !(url === signed && r.isNavigationRequest()) &&
    !r.url().startsWith(origin) &&
    !/^(data|blob):/.test(r.url());
  page.on("pageerror", (e) => problems.push(`error in the page: ${e.message}`));
  page.on("console", (m) => m.type() === "error" && own() && !known.test(m.text()) && problems.push(`console: ${m.text()}`));
  page.on("request", (r) => outside(r) && problems.push(`a request to ${r.url()}`));
  page.on("dialog", (d) => {
    problems.push(`a dialog: ${d.message()}`);
    void d.dismiss();
  });
  if (!options.later) await page.goto(url);
  return page;
}

/** close ends the browser and returns the status of the whole. */
export async function close() {
  await browser.close();
  if (failures) console.log(`${failures} failed`);
  return failures ? 1 : 0;
}

export async function test(name, run) {
  const before = problems.length;
  try {
    const note = await run();
    const fresh = problems.slice(before);
    if (fresh.length) throw new Error(fresh.join("; "));
    console.log(`ok   ${name}${note ? `: ${note}` : ""}`);
  } catch (e) {
    failures++;
    console.log(`FAIL ${name}: ${e.message.split("\n").slice(0, 6).join(" ")}`);
  }
}

export function check(ok, what) {
  if (!ok) throw new Error(what);
}

export const view = (page, path) =>
  page.evaluate((p) => {
    location.hash = `#/${p}`;
  }, path);

export async function ask(page, question) {
  await page.fill("#question", question);
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (q) => [...document.querySelectorAll(".turn")].some((one) => one.querySelector("h2").textContent === q && one.querySelector("footer")),
    question,
    { timeout: 20000 },
  );
}

export async function upload(page, files, selector = ".files") {
  await page.waitForSelector(selector, { state: "attached" });
  await page.setInputFiles(selector, files);
  await page.waitForSelector(".progress");
  await page.waitForFunction(() => document.querySelector(".progress") && !document.querySelector(".progress progress"), null, {
    timeout: 60000,
  });
}

/** axeOn lets axe-core look at a page, or at a part of it. */
export async function axeOn(page, name, within = "html") {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (within) => axe.run(document.querySelector(within), { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
    within,
  );
  const bad = violations.map(
    (v) => `${v.impact} ${v.id} (${v.nodes.length}): ${v.nodes[0].html.slice(0, 120)} ${v.nodes[0].failureSummary?.split("\n")[1] ?? ""}`,
  );
  check(!bad.length, `${name}: ${bad.join(" | ")}`);
}
