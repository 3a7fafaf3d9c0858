// Each view, menu and dialog, in both looks, widths and languages: axe-core finds nothing, and
// nothing is wider than the window. SHOTS= writes pictures there.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ask, axeOn, base, check, open, samples, shots, test, view } from "./kit.mjs";

// A library to look at: the documents that the readers are tested with.
const library = process.env.LIBRARY ?? samples; // a folder of documents
for (const name of readdirSync(library).filter((f) => library !== samples || f.startsWith("lamps."))) {
  const body = {
    collection: "library",
    artifact: name,
    metadata: { file_name: name },
    input: { type: "file", value: readFileSync(join(library, name)).toString("base64") },
  };
  await fetch(`${base}/v1/artifacts/ingest`, { method: "POST", body: JSON.stringify(body) });
}

const choose = (p, k, value) => p.selectOption(`.options select >> nth=${k}`, value);

// Views by name. What they wait for reads the same in both languages.
const views = {
  first: async (p) => {
    await p.route("**/v1/collections", (r) => r.fulfill({ json: { object: "list", data: [], has_more: false } }));
    await p.reload();
    await p.waitForSelector(".sample-card");
  },
  start: async (p) => {
    await view(p, "ask");
    await scope(p, "sample");
    await p.waitForSelector(".suggestions button");
  },
  ask: async (p) => {
    await scope(p, "papers");
    await ask(p, process.env.PDF_QUESTION ?? "What are the kinds of lamps?");
    await p.waitForSelector(".meta .good");
  },
  source: async (p) => {
    await p.click(".turn[data-last] .cite");
    await p.waitForSelector(".pdf-mark");
    await p.waitForTimeout(900);
  },
  nothing: async (p) => {
    await p.keyboard.press("Escape");
    await ask(p, "What is the melting point of tungsten?");
    await p.waitForSelector(".nearest .passage");
  },
  library: async (p) => {
    await view(p, "library/library");
    await p.waitForSelector(".row .doc");
  },
  progress: async (p) => {
    await view(p, "library/broken");
    await p.setInputFiles(".files", [
      { name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4 not really") },
      { name: "film.mp4", mimeType: "video/mp4", buffer: Buffer.from("x") },
      { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Notes\n\nAll is well.\n") },
    ]);
    await p.waitForSelector(".failures .job >> nth=1");
    await p.waitForFunction(() => !document.querySelector(".progress progress"));
    await p.click(".log summary");
  },
  search: async (p) => {
    await view(p, "search");
    await p.waitForSelector("#search");
    await choose(p, 0, "sample");
    await p.fill("#search", "paid days of leave");
    await p.keyboard.press("Enter");
    await p.waitForSelector(".result");
    await p.click(".result summary");
  },
  tables: async (p) => {
    await view(p, "tables");
    await p.waitForSelector(".options select >> nth=1"); // of the collections that have sheets, and of their sheets
    await choose(p, 0, "sheets");
    await p.fill("#question", "What is the total amount per region?");
    await p.keyboard.press("Enter");
    await p.waitForSelector(".chart");
  },
  review: async (p) => {
    await view(p, "review");
    await p.waitForSelector("#question");
    await choose(p, 0, "agreements");
    await p.fill("#question", "What is the notice period?");
    await p.keyboard.press("Enter");
    await p.waitForSelector(".sheet-bar .quiet", { timeout: 30000 });
  },
  reviews: async (p) => {
    await view(p, "review");
    await p.waitForSelector(".past li");
  },
  inside: async (p) => {
    await view(p, "inside");
    await p.waitForSelector(".checks li");
    await p.waitForSelector("td:has-text('messages')");
  },
  requests: async (p) => {
    await view(p, "inside/requests");
    await p.waitForSelector("td.path");
  },
  work: async (p) => {
    await view(p, "inside/work");
    await p.waitForSelector("section h2 >> nth=1");
    await p.waitForTimeout(200);
  },
  files: async (p) => {
    await view(p, "inside/files");
    await p.setInputFiles(".session-files", [
      { name: "report.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") },
      { name: "picture of the harbour.png", mimeType: "image/png", buffer: Buffer.alloc(48000) },
    ]);
    await p.waitForSelector("tr:has-text('harbour')");
  },
  skills: async (p) => {
    await view(p, "inside/skills");
    await p.waitForSelector("label input");
    await p.waitForTimeout(500);
    if (!(await p.locator("tr:has-text('make-tea')").count())) {
      await p.setInputFiles(".skill-files", [
        {
          name: "SKILL.md",
          mimeType: "text/markdown",
          buffer: Buffer.from("---\nname: make-tea\ndescription: How to make tea.\n---\n\nBoil water.\n"),
        },
      ]);
    }
    await p.click("tr:has-text('make-tea') button[aria-expanded]");
    await p.waitForSelector(".versions li");
  },
  keys: async (p) => {
    await view(p, "inside/keys");
    await p.waitForSelector(".section-line .button");
  },
  settings: async (p) => {
    await view(p, "inside/settings");
    await p.waitForSelector("td.path");
  },
  guide: async (p) => {
    await p.goto(`${base}/docs`);
    await p.waitForSelector(".block >> nth=5", { state: "attached" });
    await p.evaluate(() => scrollTo(0, 0));
  },
};

/** Menus and dialogs, each open when it is looked at. */
const dialogs = {
  scope: async (p) => {
    await view(p, "ask");
    await p.click(".scope");
    await p.waitForSelector(".menu-panel");
  },
  model: async (p) => {
    await p.click(".ask > .bar .menu:last-child > button");
    await p.waitForSelector(".menu-panel");
  },
  look: async (p) => {
    await side(p);
    await p.click(".side-foot .menu > button");
    await p.waitForSelector(".menu-panel");
  },
  shortcuts: async (p) => {
    await p.click(".menu-panel button >> nth=0");
    await p.waitForSelector("dialog[open] .shortcuts");
  },
  conversations: async (p) => {
    await side(p);
    await p.click(".history-head .menu > button");
    await p.waitForSelector(".menu-panel");
  },
  paste: async (p) => {
    await view(p, "library/sample");
    await p.click(".chooser button >> nth=2");
    await p.waitForSelector("dialog[open] textarea");
  },
  chosen: async (p) => {
    await p.waitForSelector(".row .doc");
    await p.check(".rows .row:not(.head) input >> nth=0");
    await p.waitForTimeout(100);
  },
  key: async (p) => {
    await view(p, "inside/keys");
    await p.click(".section-line .button");
    await p.waitForSelector("dialog[open] input");
  },
};

/** side opens what holds the views where the window is narrow. */
async function side(p) {
  const menu = p.locator(".phone-bar button").first();
  if ((await menu.isVisible()) && (await menu.getAttribute("aria-expanded")) === "false") {
    await menu.click();
    await p.waitForTimeout(250);
  }
}

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

async function look(p, name, size, within) {
  await p.waitForTimeout(250);
  await axeOn(p, name, within);
  const [over, share] = await p.evaluate(() => [
    document.documentElement.scrollWidth - innerWidth,
    document.querySelector("main").getBoundingClientRect().width / innerWidth,
  ]);
  check(
    over <= 0 && share > (size === "phone" ? 0.99 : 0.35),
    `${name}: ${over} pixels too wide, the view takes ${share.toFixed(2)} of the width`,
  );
  // Tables may scroll sideways in their boxes, views may not.
  const sideways = await p.evaluate(() =>
    [...document.querySelectorAll(".turns, .data-view, .documents, .welcome, .pane, .docs-text, .side, dialog")]
      .filter((e) => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
      .map((e) => `${e.className} by ${e.scrollWidth - e.clientWidth}`),
  );
  check(!sideways.length, `${name} scrolls sideways: ${sideways}`);
}

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } };
// Pictures are taken of all views in English, and of some in German.
const pictured = new Set(["first", "source", "library", "review", "guide"]);

for (const [size, theme, locale] of [
  ["desktop", "light", "en"],
  ["desktop", "dark", "en"],
  ["phone", "light", "en"],
  ["phone", "dark", "en"],
  ["desktop", "light", "de"],
  ["phone", "dark", "de"],
]) {
  await test(`axe-core finds nothing: ${size}, ${theme}, ${locale}`, async () => {
    const p = await open(base, {
      viewport: sizes[size],
      colorScheme: theme,
      locale: locale === "en" ? "en-GB" : "de-DE",
      reducedMotion: "reduce",
      hasTouch: size === "phone",
    });
    for (const [name, show] of Object.entries(views)) {
      await show(p);
      await p.evaluate(() => document.activeElement?.blur());
      await p.mouse.move(0, 0);
      await look(p, name, size);
      check((await p.evaluate(() => document.documentElement.lang)) === locale, `${name} is not in ${locale}`);
      if (shots && (locale === "en" || pictured.has(name)))
        await p.screenshot({ path: join(shots, `${name}-${size}-${theme}${locale === "en" ? "" : "-de"}.png`) });
      if (name === "first") {
        await p.unroute("**/v1/collections");
        await p.reload();
      }
    }
    await p.goto(base);
    await p.waitForSelector("#question");
    for (const [name, show] of Object.entries(dialogs)) {
      await show(p);
      // What lies under an open menu cannot be used until it is closed.
      await look(p, `the dialog ${name}`, size, (await p.locator(".menu-panel").count()) ? ".menu-panel" : undefined);
      if (name === "look") continue; // the list of shortcuts opens from it
      await p.keyboard.press("Escape");
    }
    await p.context().close();
    return `${Object.keys(views).length} views, ${Object.keys(dialogs).length} menus and dialogs`;
  });
}
