// Trouble: connections that break, a service that is restarted, documents that go away,
// keys and limits that run out, and two tabs.
import { spawn } from "node:child_process";
import { createServer as createBucket } from "node:http";
import { createServer } from "node:net";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ask, check, key, keyed, open, samples, test, upload, upstream, view, work } from "./kit.mjs";

const free = () =>
  new Promise((done) => {
    const s = createServer().listen(0, "127.0.0.1", () => {
      const { port } = s.address();
      s.close(() => done(port));
    });
  });

/** service is one that can be killed and started again on the same data, with a slow model. */
async function service(settings = {}) {
  const port = await free(),
    url = `http://127.0.0.1:${port}`;
  let child;
  const start = async () => {
    child = spawn(join(work, "lectern"), {
      stdio: "ignore",
      env: {
        ...process.env,
        LECTERN_ADDR: `127.0.0.1:${port}`,
        LECTERN_DATA: join(work, `trouble-${port}`),
        LECTERN_ALLOW_HOSTS: "127.0.0.1",
        ...settings,
      },
    });
    for (let i = 0; i < 200; i++) {
      if (
        await fetch(`${url}/health`).then(
          (r) => r.ok,
          () => false,
        )
      )
        return;
      await new Promise((go) => setTimeout(go, 50));
    }
    throw new Error("the service does not start");
  };
  const kill = () =>
    new Promise((done) => {
      child.once("exit", done);
      child.kill("SIGKILL");
    });
  await start();
  return { url, start, kill };
}

const broken = /ERR_(CONNECTION|INCOMPLETE|SOCKET|EMPTY)|status of (40[134]|413|422|429)/;
const text = (name, body) => ({ name, mimeType: "text/markdown", buffer: Buffer.from(body) });

await test("the service dies in the middle of an answer: it is kept as far as it came, and asked again", async () => {
  const s = await service({ LECTERN_CHAT: `openai+http://127.0.0.1:${upstream}/v1?model=slow` });
  const p = await open(s.url, { known: broken });
  await p.click(".sample-card");
  await p.waitForSelector("#question");
  await p.fill("#question", "Tell me everything.");
  await p.keyboard.press("Enter");
  await p.waitForFunction(() => document.querySelector(".answer")?.textContent.includes("word 3"));
  await s.kill();
  await p.waitForSelector(".failed-line [role=alert]");
  const said = await p.textContent(".failed-line [role=alert]");
  check(/does not answer|connection was lost/.test(said) && said.includes("not complete"), said);
  check((await p.textContent(".answer")).includes("word 3"), "what had come is gone");
  await p.click(".failed-line button");
  await p.waitForFunction(() => /does not answer/.test(document.querySelector(".failed-line [role=alert]")?.textContent ?? ""));
  await s.start();
  await p.reload();
  await p.waitForSelector(".failed-line button");
  await p.click(".failed-line button");
  await p.waitForFunction(() => document.querySelector(".answer")?.textContent.includes("word 3"));
  await p.click("[aria-label='Stop']");
  await p.waitForSelector("text=Stopped.");
  check((await p.locator(".turn").count()) === 1, "the question is there twice");
  await p.context().close();
  await s.kill();
});

await test("the service is restarted while documents come in: all are read", async () => {
  const s = await service();
  const p = await open(`${s.url}/#/library`, { known: broken });
  await p.waitForSelector(".files", { state: "attached" });
  await p.setInputFiles(
    ".files",
    Array.from({ length: 40 }, (_, i) => text(`note-${i}.md`, `# Note ${i}\n\nThe number of this note is ${i}.\n`)),
  );
  await p.waitForFunction(() => /Reading ([3-9]|\d\d) of 40/.test(document.querySelector(".progress-head")?.textContent ?? ""));
  await s.kill();
  await p.waitForTimeout(300);
  await s.start();
  await p.waitForFunction(() => document.querySelector(".progress-head")?.textContent.includes("40 documents read"), null, {
    timeout: 60000,
  });
  await p.waitForFunction(() => document.querySelector(".documents .bar").textContent.includes("40 documents"));
  await p.context().close();
  await s.kill();
});

await test("a document that is larger than the service takes says so, and goes through when it is smaller", async () => {
  const s = await service({ LECTERN_BODY_LIMIT: "100000" });
  const p = await open(`${s.url}/#/library`, { known: broken });
  await p.waitForSelector(".files", { state: "attached" });
  await upload(p, [text("large.md", "many words ".repeat(20000)), text("small.md", "few words")]);
  check(/larger|large/.test(await p.textContent(".failures .job .bad")), await p.textContent(".failures .job .bad"));
  check((await p.textContent(".progress-head")).includes("1 document read"), "the small one was not read");
  await p.context().close();
  await s.kill();
});

await test("a file of 5 MB goes by a signed URL, and no copy stays behind", async () => {
  const s = await service();
  const p = await open(`${s.url}/#/library`, { known: broken });
  let signed = "";
  p.on("request", (r) => {
    if (r.method() === "PUT") signed = r.url();
  });
  let scope = "";
  p.on("response", async (r) => {
    if (/files\/uploads$/.test(r.url())) scope = (await r.json()).scope_id;
  });
  await upload(p, [
    text("long.txt", Array.from({ length: 100000 }, (_, i) => `Line ${i} of a long protocol, which nobody reads.`).join("\n")),
  ]);
  check((await p.textContent(".progress-head")).includes("1 document read"), await p.textContent(".progress"));
  check(signed.startsWith(`${s.url}/v1/blobs/`), `sent to ${signed}`);
  for (let i = 0; ; i++) {
    const { data } = await (await fetch(`${s.url}/v1/files?scope_id=${scope}`)).json();
    if (!data.length) break;
    check(i < 50, `${data.length} files stay in ${scope}`);
    await p.waitForTimeout(100);
  }
  await p.click(".row .doc");
  await p.waitForSelector(".pane .stored");
  await p.context().close();
  await s.kill();
});

const bearer = (value) => ({ Authorization: `Basic ${Buffer.from(value).toString("base64")}` });
const makeKey = async (body) =>
  await (await fetch(`${keyed}/v1/admin/keys`, { method: "POST", headers: bearer(key), body: JSON.stringify(body) })).json();
const enter = async (p, value) => {
  await p.waitForSelector("dialog input");
  await p.fill("dialog input", value);
  await p.click("dialog button.primary");
  await p.waitForSelector("dialog", { state: "detached" });
};

/** bucket is a store of another origin, as a deployment has: it takes what is signed, from the page that it knows. */
async function bucket(from) {
  const seen = [];
  const server = createBucket(async (req, res) => {
    seen.push(`${req.method}${req.headers.authorization ? " with a key" : ""}`);
    res.setHeader("Access-Control-Allow-Origin", from);
    res.setHeader("Access-Control-Allow-Methods", "GET, PUT");
    res.setHeader("Access-Control-Allow-Headers", "content-type");
    if (req.method === "OPTIONS") return res.end();
    const parts = [];
    for await (const part of req) parts.push(part);
    const kept = await fetch(from + req.url.replace("%62", "b"), {
      method: req.method,
      ...(req.method === "PUT" ? { body: Buffer.concat(parts) } : {}),
    });
    res.setHeader("Content-Type", kept.headers.get("Content-Type"));
    res.end(Buffer.from(await kept.arrayBuffer()));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, seen, close: () => server.close() };
}

await test("as in a deployment, large files and originals are at another origin: no key goes there", async () => {
  const s = await service({ SERVER_AUTH_ENABLED: "true", SERVER_AUTH_SECRET: `Basic ${Buffer.from(key).toString("base64")}` });
  const b = await bucket(s.url);
  const p = await open(s.url, { later: true, store: b.url, known: broken });
  const elsewhere = async (route) => {
    const res = await route.fetch();
    if (!res.ok()) return route.fulfill({ response: res });
    const body = await res.json();
    // The bucket's host takes the place of the service's; %62 keeps the page from knowing the path as its own.
    await route.fulfill({ response: res, json: { ...body, url: body.url.replace(`${s.url}/v1/blobs/`, `${b.url}v1/%62lobs/`) } });
  };
  await p.route(`${s.url}/`, async (route) => {
    const res = await route.fetch(),
      headers = res.headers();
    headers["content-security-policy"] = headers["content-security-policy"].replace(
      "connect-src 'self'",
      `connect-src 'self' ${new URL(b.url).origin}`,
    );
    await route.fulfill({ response: res, headers });
  });
  await p.route("**/v1/files/uploads", elsewhere);
  await p.route("**/v1/artifacts/original?*", elsewhere);
  await p.goto(`${s.url}/#/library`);
  await enter(p, key);
  // Comments after the end make the PDF large.
  const pdf = Buffer.concat([readFileSync(join(samples, "lamps.pdf")), Buffer.from(`\n%${"-".repeat(78)}`.repeat(50000))]);
  await upload(p, [{ name: "lamps.pdf", mimeType: "application/pdf", buffer: pdf }]);
  check((await p.textContent(".progress-head")).includes("1 document read"), await p.textContent(".progress"));
  check(b.seen.includes("PUT"), `the store saw ${b.seen}`);
  await p.click(".row .doc");
  await p.waitForSelector(".pdf-page canvas");
  check(b.seen.includes("GET"), `the store saw ${b.seen}`);
  check(!b.seen.some((one) => one.includes("key")), `the store saw ${b.seen}`);
  await p.context().close();
  await s.kill();
  b.close();
});

await test("a key is revoked while its owner works: what was asked is answered with the next key", async () => {
  const made = await makeKey({ name: "leaves", collections: ["*"] });
  const p = await open(`${keyed}/#/library`, { known: broken });
  await enter(p, made.key);
  await upload(p, [text("bats.md", "# Bats\n\nBats sleep upside down.\n")]);
  await view(p, "ask");
  await p.waitForSelector("#question");
  await fetch(`${keyed}/v1/admin/keys/${made.id}`, { method: "DELETE", headers: bearer(key) });
  await p.fill("#question", "How do bats sleep?");
  await p.keyboard.press("Enter");
  await enter(p, key);
  await p.waitForSelector(".turn[data-last] .cite");
  check((await p.textContent(".answer")).includes("upside down"), await p.textContent(".answer"));
  await p.context().close();
});

await test("a key that has asked too much is told how long to wait, and may ask then", async () => {
  const made = await makeKey({ name: "hasty", collections: ["*"], requests_per_minute: 40 });
  const p = await open(`${keyed}/#/ask`, { known: broken });
  await enter(p, made.key);
  await p.waitForSelector("#question");
  for (let i = 0; i < 60; i++) if ((await fetch(`${keyed}/v1/models`, { headers: { "x-api-key": made.key } })).status === 429) break;
  await p.fill("#question", "How do bats sleep?");
  await p.keyboard.press("Enter");
  await p.waitForSelector(".failed-line");
  const said = await p.textContent(".failed-line");
  check(said.includes("Too much was asked at once.") && /asked again in \d+ s/.test(said), said);
  check(await p.isDisabled(".failed-line button"), "it can be asked at once");
  await p.waitForSelector(".failed-line button:enabled", { timeout: 70000 });
  await p.context().close();
});

await test("a document is deleted elsewhere while it is open", async () => {
  const s = await service();
  const p = await open(`${s.url}/#/library`, { known: broken });
  await upload(p, [text("owls.md", "# Owls\n\nOwls hunt at night.\n"), text("bats.md", "# Bats\n\nBats sleep upside down.\n")]);
  await p.waitForSelector(".row .doc:has-text('Owls')");
  await view(p, "ask");
  await p.waitForSelector("#question");
  await ask(p, "When do owls hunt?");
  await p.click(".cite");
  await p.waitForSelector(".pane mark");
  await fetch(`${s.url}/v1/artifacts/delete`, {
    method: "POST",
    body: JSON.stringify({ collection: "vendor_collection", artifact: "owls.md" }),
  });
  await p.evaluate(() => dispatchEvent(new Event("focus")));
  await p.waitForSelector(".pane .warn-line:has-text('no longer there')");
  check(await p.isVisible(".pane mark"), "what was open is gone");
  await p.reload();
  await p.click(".cite");
  await p.waitForSelector(".pane :text('no longer there')");
  await p.waitForSelector(".meta .warned");
  await p.context().close();
  await s.kill();
});

await test("two tabs go on with one conversation, and lose no turn", async () => {
  const s = await service();
  const a = await open(s.url, { known: broken });
  await a.click(".sample-card");
  await a.waitForSelector("#question");
  await ask(a, "How many days of paid leave do I have?");
  const b = await open(a.url(), { beside: a, known: broken });
  await b.waitForSelector(".turn .cite");
  await ask(b, "And what do I do when I fall ill?");
  await a.waitForFunction(() => document.querySelectorAll(".turn").length === 2);
  // Both at once: each keeps what the other has added.
  await Promise.all([ask(a, "How much is paid for a hotel in Oslo?"), ask(b, "Who is told of a lost laptop?")]);
  for (const p of [a, b]) await p.waitForFunction(() => document.querySelectorAll(".turn footer").length === 4);
  for (const p of [a, b]) {
    await p.reload();
    await p.waitForFunction(() => document.querySelectorAll(".turn").length === 4);
  }
  await b.click(".history-row .icon-button");
  await a.waitForFunction(() => !document.querySelector(".history-row"));
  await a.context().close();
  await s.kill();
});
