// Long lists, languages, the keyboard alone, and the guide.
import { execFileSync } from "node:child_process";
import { page } from "./journeys.mjs";
import { axeOn, base, check, open, test, view } from "./kit.mjs";

await test("1,000 documents are listed by a hundred rows: what is drawn does not grow with them", async () => {
  for (let i = 0; i < 1000; i += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, k) =>
        fetch(`${base}/v1/artifacts/ingest`, {
          method: "POST",
          body: JSON.stringify({
            collection: "thousand",
            artifact: `d${i + k}`,
            input: { type: "text", value: `Document ${i + k} has its own words.` },
          }),
        }),
      ),
    );
  }
  await page.reload();
  let lists = 0;
  page.on("request", (r) => {
    if (/artifacts\/list.*thousand/.test(r.url())) lists++;
  });
  await view(page, "library/thousand");
  await page.waitForFunction(() => document.querySelector(".documents .bar")?.textContent.includes("1,000 documents"));
  await page.waitForSelector(".row .doc");
  // Work is counted, not timed: other work on the machine takes time too.
  const work = await page.evaluate(async () => {
    const box = document.querySelector(".rows"),
      seen = new Set();
    let made = 0,
      most = 0,
      steps = 0,
      blank = 0;
    new MutationObserver((all) => {
      for (const m of all) made += m.addedNodes.length;
    }).observe(box, { childList: true, subtree: true });
    const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    for (let y = 0; y < box.scrollHeight; y += 400, steps++) {
      box.scrollTop = y;
      await frame();
      await frame();
      const rows = [...box.querySelectorAll(".row:not(.head)")],
        view = box.getBoundingClientRect();
      for (const r of rows) seen.add(r.getAttribute("aria-rowindex"));
      most = Math.max(most, document.querySelectorAll("*").length);
      const shown = rows.filter((r) => {
        const at = r.getBoundingClientRect();
        return at.bottom > view.top + 40 && at.top < view.bottom;
      });
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

await test("German, and the look", async () => {
  const p = await open(base, { locale: "de-DE" });
  await p.waitForSelector("nav >> text=Bibliothek");
  await p.click("[title='Aussehen und Sprache']");
  await p.click("text=Dunkel");
  check(
    await p.evaluate(() => document.documentElement.dataset.theme === "dark" && document.documentElement.lang === "de"),
    "not dark or not German",
  );
  // A newcomer who reads German: the sample, its questions, the answer and what is said of it.
  await p.route("**/v1/collections", (r) => r.fulfill({ json: { object: "list", data: [], has_more: false } }));
  await p.reload();
  await p.waitForSelector(".sample-card");
  await p.unroute("**/v1/collections");
  await p.click(".sample-card");
  await p.click(".suggestions button:has-text('Urlaub')");
  await p.waitForSelector(".cite");
  check((await p.textContent(".answer")).includes("28 Tage bezahlten Urlaub"), await p.textContent(".answer"));
  await p.waitForSelector('.meta .good:has-text("geprüft")');
  await p.context().close();
  await fetch(`${base}/v1/artifacts/delete`, { method: "POST", body: JSON.stringify({ collection: "sample", artifact: "handbuch.md" }) });
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
    check(said.startsWith("200") || (title === "A request with two problems" && said.startsWith("422")), `${title}: ${said}`);
  }
  // The first question as curl, by the shell.
  const curl = await calls[1].locator("pre[data-dialect=curl]").textContent();
  const answer = JSON.parse(execFileSync("bash", ["-c", curl]));
  check(
    answer.content.some((b) => b.citations?.some((c) => c.cited_text.includes("28 days"))),
    "curl has no cited answer",
  );
  check((await p.locator(".block").count()) > 20, "the content blocks are not listed");
  await p.evaluate(() => scrollTo(0, 0));
  await axeOn(p, "guide");
  await p.click("nav >> text=Reference");
  await p.waitForSelector(".redoc-wrap h1", { timeout: 20000 });
  check((await p.textContent(".redoc-wrap")).includes("/v1/messages"), "the reference is empty");
  // Each operation has an example in each language.
  const samples = await p.locator('.redoc-wrap [role=tab]:text-is("TypeScript")').count();
  const { paths } = await (await fetch(`${base}/openapi.json`)).json();
  check(samples === Object.values(paths).reduce((sum, one) => sum + Object.keys(one).length, 0), `${samples} operations have examples`);
  await p.context().close();
  return `${calls.length} calls`;
});

await test("by the keyboard alone: a document, a question, its citation, and back", async () => {
  const p = await open(`${base}/#/library/keyboard`);
  await p.waitForSelector("h1:has-text('keyboard')");
  const on = () =>
    p.evaluate(() => {
      const at = document.activeElement;
      return `${at.tagName} ${at.getAttribute("aria-label") ?? at.textContent.trim()}`.slice(0, 60);
    });
  /** to presses a key until what has the focus is named so. */
  const to = async (name, key = "Tab") => {
    for (let i = 0; i < 80; i++) {
      if ((await on()).includes(name)) return;
      await p.keyboard.press(key);
      const ring = await p.evaluate(() => {
        const at = document.activeElement;
        return (
          at === document.body ||
          !at.matches(":focus-visible") ||
          getComputedStyle(at).outlineStyle !== "none" ||
          getComputedStyle(at.closest(".composer-box, .search-line") ?? at).boxShadow !== "none" ||
          getComputedStyle(at).borderColor !== ""
        );
      });
      check(ring, `${await on()} does not show that it has the focus`);
    }
    throw new Error(`${name} is not reached, the focus is on ${await on()}`);
  };
  await to("To the content");
  await p.keyboard.press("Enter");
  await to("Text or address");
  await p.keyboard.press("Enter");
  await p.keyboard.type("# Herons\n\nHerons stand still in shallow water.");
  await to("Add");
  await p.keyboard.press("Enter");
  await p.waitForSelector(".row .doc:has-text('Herons')");
  await to("Ask this collection");
  await p.keyboard.press("Enter");
  await p.waitForSelector("#question:focus");
  await p.keyboard.type("Where do herons stand?");
  await p.keyboard.press("Enter");
  await p.waitForSelector(".turn .cite");
  await p.waitForSelector(".turn footer");
  await to("Citation 1", "Shift+Tab");
  check(await p.isVisible(".quote-card"), "the focus shows no quotation");
  await p.keyboard.press("Enter");
  await p.waitForSelector(".pane mark");
  await to("Text of the document");
  await p.keyboard.press("Escape");
  await p.waitForSelector(".pane", { state: "detached" });
  check((await on()).includes("Citation 1"), `the focus is on ${await on()}`);
  await p.keyboard.press("?");
  await p.waitForSelector("dialog .shortcuts");
  await p.keyboard.press("Escape");
  await p.waitForSelector("dialog", { state: "detached" });
  await p.keyboard.press("/");
  await p.waitForSelector("#question:focus");
  await p.context().close();
});
