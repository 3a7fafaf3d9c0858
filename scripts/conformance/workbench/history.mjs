// Conversations that leave the browser and come back: their sources open the same places.
import { readFileSync } from "node:fs";
import { ask, base, check, open, test, view } from "./kit.mjs";

const ingest = (text) =>
  fetch(`${base}/v1/artifacts/ingest`, {
    method: "POST",
    body: JSON.stringify({
      collection: "history",
      artifact: "ferry (draft) [2].md",
      input: { type: "text", value: text },
      metadata: { file_name: "ferry.md" },
    }),
  });
const timetable =
  "# Ferry\n\nThe ferry to the island leaves at nine in the morning.\n\n# Fares\n\nA ticket to the island costs twelve crowns.\n";

const exported = async (p, kind) => {
  await p.click("[aria-label='Export the conversation']");
  const [file] = await Promise.all([p.waitForEvent("download"), p.click(`.menu-panel button:has-text('${kind}')`)]);
  return readFileSync(await file.path(), "utf8");
};

let markdown = "",
  json = "";

await test("an exported conversation: its sources open the place, in Markdown and in JSON", async () => {
  await ingest(timetable);
  const p = await open(`${base}/#/library/history`);
  await p.click("button:has-text('Ask this collection')");
  await p.waitForSelector("#question");
  await ask(p, "When does the ferry leave?");
  await ask(p, "What does a ticket cost?");
  await p.waitForSelector(".turn[data-last] .meta .good");
  markdown = await exported(p, "Markdown");
  json = await exported(p, "JSON");
  const { turns } = JSON.parse(json);
  check(turns.length === 2 && turns[1].answer.includes("twelve crowns") && turns[1].sources[0].content_hash, "the JSON");
  const links = [...markdown.matchAll(/\]\((http[^)]+)\)/g)].map((m) => m[1]);
  check(links.length >= 2 && links.includes(turns[1].sources[0].url), `links: ${links}`);
  const other = await open(turns[1].sources[0].url);
  await other.waitForSelector(".pane mark");
  check((await other.textContent(".pane mark")) === turns[1].sources[0].quote, `marked is ${await other.textContent(".pane mark")}`);
  check((await other.locator(".pane .warn-line").count()) === 0, "it is said to have changed");
  await other.context().close();
  await p.context().close();
});

await test("an imported conversation: the same citations, a follow-up, and a document that has changed since", async () => {
  const p = await open(`${base}/#/ask`);
  await p.waitForSelector(".history-head");
  await p.setInputFiles(".conversation-file", { name: "ferry.json", mimeType: "application/json", buffer: Buffer.from(json) });
  await p.waitForSelector(".turn .cite");
  await p.waitForSelector(".turn[data-last] .meta .good");
  check((await p.locator(".turn").count()) === 2, "not two turns");
  await p.click(".turn[data-last] .cite");
  await p.waitForSelector(".pane mark:has-text('twelve crowns')");
  await ask(p, "When does the ferry leave?");
  check((await p.locator(".turn").count()) === 3, "no follow-up");
  await ingest(timetable.replace("twelve", "fifteen"));
  await p.reload();
  await p.waitForSelector(".turn .meta .warned");
  await p.click(".turn >> nth=1 >> .cite");
  await p.waitForSelector(".pane .warn-line:has-text('has changed')");
  await p.waitForSelector(".pane .warn-line:has-text('nothing is marked')");
  check((await p.locator(".pane mark").count()) === 0, "something is marked");
  const old = await open(JSON.parse(json).turns[1].sources[0].url);
  await old.waitForSelector(".pane .warn-line:has-text('has changed')");
  check((await old.locator(".pane mark").count()) === 0, "the link marks something");
  await old.context().close();
  await p.click("[aria-label='Import and export']");
  const [all] = await Promise.all([p.waitForEvent("download"), p.click("button:has-text('Export all')")]);
  check(JSON.parse(readFileSync(await all.path(), "utf8")).length === 1, "not all are exported");
  await p.context().close();
});

await test("a file that is no conversation, and one that somebody has prepared", async () => {
  const p = await open(`${base}/#/ask`);
  const bring = (body) =>
    p.setInputFiles(".conversation-file", { name: "x.json", mimeType: "application/json", buffer: Buffer.from(body) });
  await p.waitForSelector(".history-head");
  await bring("{");
  await p.waitForSelector(".notice.bad:has-text('no exported conversation')");
  const hostile = "<img src=x onerror=window.ran=1><script>window.ran=2</script>";
  const citation = {
    type: "char_location",
    cited_text: hostile,
    artifact_id: { toString: 1 },
    document_title: hostile,
    start_char_index: "0",
    end_char_index: -5,
  };
  const blocks = [
    { type: "text", text: { evil: 1 } },
    null,
    7,
    { type: ["text"] },
    {
      type: "text",
      text: `Said ${hostile} [x](javascript:window.ran=3)`,
      citations: [citation, null, { ...citation, artifact_id: hostile, start_char_index: 0, end_char_index: 9 }],
    },
    {
      type: "mcp_tool_result",
      content: [{ type: "text", sources: [{ id: hostile, document: null }, 1], content: [{ content: [{ content: [{ content: [] }] }] }] }],
    },
    { type: "server_tool_use", name: hostile, input: { toString: null } },
    { type: "thinking", thinking: 5 },
  ];
  await bring(
    JSON.stringify({
      format: "lectern-conversation-1",
      title: hostile,
      created: "never",
      scope: { collections: [[], "sample"], artifacts: "x" },
      turns: [{ question: hostile, blocks, scope: 5, usage: "many", asked: {}, state: "streaming", __proto__: { x: 1 } }, 5],
    }),
  );
  await p.waitForSelector(".turn .answer:has-text('Said')");
  for (const c of await p.locator(".cite").all()) {
    await c.hover();
    await c.click();
  }
  await p.reload();
  await p.waitForSelector(".turn .answer:has-text('Said')");
  check(await p.evaluate(() => window.ran === undefined), "something ran");
  check((await p.locator("main img, .side img, .pane img").count()) === 0, "foreign elements");
  await p.context().close();
});

await test("a link to one answer leads to it, among others and in another browser", async () => {
  const p = await open(`${base}/#/library/sample`);
  await p.click("button:has-text('Ask this collection')");
  await p.waitForSelector("#question");
  for (const q of [
    "How many days of paid leave do I have?",
    "What do I do when I fall ill?",
    "How much is paid for a hotel in Oslo?",
    "Who is told of a lost laptop?",
    "Are trains preferred to flights?",
    "How long is the notice period?",
  ])
    await ask(p, q);
  await p.hover(".turn >> nth=0");
  await p.click(".turn >> nth=0 >> [aria-label='Copy a link to this answer']");
  const link = await p.evaluate(() => navigator.clipboard.readText());
  const same = await open(link, { beside: p });
  await same.waitForSelector(".turn >> nth=5");
  await same.waitForFunction(() => {
    const at = document.querySelector(".turn").getBoundingClientRect();
    return at.top > -20 && at.top < innerHeight / 2;
  });
  await view(p, "ask");
  const other = await open(link);
  await other.waitForFunction(() => document.querySelector("#question")?.value.includes("paid leave"));
  check((await other.textContent(".scope")).includes("sample"), "another collection is asked");
  await other.context().close();
  await p.context().close();
});
