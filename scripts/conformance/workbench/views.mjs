// Whether each view can be used by everybody, in both looks, widths and languages. SHOTS=
// writes screenshots there as well.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { page } from "./journeys.mjs";
import { ask, axeOn, base, check, open, samples, shots, test, view } from "./kit.mjs";

await test("1,000 documents are listed by a hundred rows: what is drawn does not grow with them", async () => {
  for (let i = 0; i < 1000; i += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, k) => fetch(`${base}/v1/artifacts/ingest`, { method: "POST", body: JSON.stringify({
      collection: "thousand", artifact: `d${i + k}`, input: { type: "text", value: `Document ${i + k} has its own words.` } }) })));
  }
  await page.reload();
  let lists = 0;
  page.on("request", (r) => { if (/artifacts\/list.*thousand/.test(r.url())) lists++; });
  await view(page, "library/thousand");
  await page.waitForFunction(() => document.querySelector(".documents .bar")?.textContent.includes("1,000 documents"));
  await page.waitForSelector(".row .doc");
  // Work is counted, not timed: other work on the machine takes time too.
  const work = await page.evaluate(async () => {
    const box = document.querySelector(".rows"), seen = new Set();
    let made = 0, most = 0, steps = 0, blank = 0;
    new MutationObserver((all) => { for (const m of all) made += m.addedNodes.length; }).observe(box, { childList: true, subtree: true });
    const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    for (let y = 0; y < box.scrollHeight; y += 400, steps++) {
      box.scrollTop = y;
      await frame();
      await frame();
      const rows = [...box.querySelectorAll(".row:not(.head)")], view = box.getBoundingClientRect();
      for (const r of rows) seen.add(r.getAttribute("aria-rowindex"));
      most = Math.max(most, document.querySelectorAll("*").length);
      const shown = rows.filter((r) => { const at = r.getBoundingClientRect(); return at.bottom > view.top + 40 && at.top < view.bottom; });
      if (shown.length * 40 < Math.min(view.height, box.scrollHeight - y) - 120) blank++;
    }
    return { made, most, steps, blank, seen: seen.size };
  });
  check(work.seen === 1000, `${work.seen} of 1,000 rows were drawn on the way`);
  check(work.most < 2000, `${work.most} elements at once`);
  check(work.made / work.steps < 30, `${work.made} nodes made in ${work.steps} steps`); // ten rows come into view with each
  check(work.blank === 0, `rows were missing in ${work.blank} of ${work.steps} steps`);
  check(lists === 1, `the list was asked for ${lists} times`);
  return `at most ${work.most} elements, ${(work.made / work.steps).toFixed(1)} nodes made for 10 rows scrolled`;
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
  review: async (p) => { await view(p, "review"); await p.waitForSelector("#question"); await p.selectOption("[aria-label='Collection']", "agreements"); await p.fill("#question", "What is the notice period?"); await p.keyboard.press("Enter"); await p.waitForSelector(".sheet-bar:has-text('answered')", { timeout: 30000 }); },
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
