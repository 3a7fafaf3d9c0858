// Runs the official TypeScript SDK, both generations, unchanged against the
// service at BASE_URL and prints one line per check. Exit 1 when one fails.
import assert from "node:assert/strict";

const baseURL = process.env.BASE_URL ?? "http://127.0.0.1:8080";
const generations = [["1.11.0", await import("sdk-current")], ["0.95.2", await import("sdk-previous")]];

const text = "Cats sleep fourteen hours a day. They were first tamed in the Near East around 7500 BC. A group of cats is called a clowder.";
const cats = { type: "document", title: "Cats", source: { type: "text", media_type: "text/plain", data: text }, citations: { enabled: true } };
const weather = { name: "get_weather", description: "Weather of a place", input_schema: { type: "object", properties: { location: { type: "string" } }, required: ["location"] } };
const model = "default";
const ask = (content, more = {}) => ({ model, max_tokens: 400, messages: [{ role: "user", content }], ...more });

// The checks: name -> async (client, sdk).
const checks = {
  async create(client) {
    const m = await client.messages.create(ask("Hello"));
    assert.equal(m.type, "message");
    assert.equal(m.stop_reason, "end_turn");
    assert.ok(m.content[0].text.length > 0 && m.usage.input_tokens > 0 && m.usage.output_tokens > 0);
    assert.ok(m._request_id?.startsWith("req_"));
  },
  async "stream, iterated"(client) {
    let out = "";
    const kinds = [];
    for await (const e of await client.messages.create(ask("Hello", { stream: true }))) {
      kinds.push(e.type);
      if (e.type === "content_block_delta") out += e.delta.text;
    }
    assert.equal(kinds[0], "message_start");
    assert.equal(kinds.at(-1), "message_stop");
    assert.equal(out, (await client.messages.create(ask("Hello"))).content[0].text);
  },
  async "async message"(client, sdk) {
    const { message_id: id, status } = await client.post("/v1/messages/async", { body: ask("Hello") });
    assert.ok(id.length > 0 && status === "pending");
    const read = async (headers) => {
      const events = [];
      for await (const e of await client.get(`/v1/messages/async/${id}/stream`, { stream: true, headers })) events.push(e);
      return events.filter((e) => e.type !== "ping");
    };
    const all = await read({});
    assert.equal(all[0].type, "message_start");
    assert.equal(all.at(-1).type, "message_stop");
    const said = all.filter((e) => e.type === "content_block_delta").map((e) => e.delta.text).join("");
    assert.equal(said, (await client.messages.create(ask("Hello"))).content[0].text);
    assert.deepEqual(await read({ "Last-Event-ID": "2" }), all.slice(2));
    assert.equal((await client.get(`/v1/messages/async/${id}/status`)).status, "completed");
    assert.equal((await client.post(`/v1/messages/async/${id}/cancel`, { body: {} })).message_id, id);
    await client.delete(`/v1/messages/async/${id}/delete`);
    await assert.rejects(client.get(`/v1/messages/async/${id}/status`), sdk.NotFoundError);
  },
  async "stream, helper"(client) {
    const stream = client.messages.stream(ask([cats, { type: "text", text: "What is a group of cats called?" }]));
    const words = [];
    stream.on("text", (t) => words.push(t));
    const m = await stream.finalMessage();
    assert.equal(m.content.map((b) => b.text).join(""), words.join(""));
    assert.ok(words.length > 5);
    assert.ok(m.content.some((b) => b.citations?.length));
  },
  async "documents with citations"(client) {
    const m = await client.messages.create(ask([cats, { type: "text", text: "When were cats first tamed?" }]));
    const cited = m.content.flatMap((b) => b.citations ?? []);
    assert.ok(cited.length > 0);
    for (const c of cited) {
      assert.equal(c.type, "char_location");
      assert.equal(text.slice(c.start_char_index, c.end_char_index), c.cited_text);
    }
  },
  async "search_result blocks"(client) {
    const m = await client.messages.create(ask([
      { type: "search_result", source: "https://example.org", title: "Cats", content: [{ type: "text", text }], citations: { enabled: true } },
      { type: "text", text: "How long do cats sleep?" }]));
    const c = m.content.flatMap((b) => b.citations ?? [])[0];
    assert.equal(c.type, "search_result_location");
    assert.equal(c.search_result_index, 0);
    assert.equal(c.cited_text, text);
  },
  async "forced tool"(client) {
    const m = await client.messages.create(ask("What is the weather in Paris?", { tools: [weather], tool_choice: { type: "tool", name: "get_weather" } }));
    assert.equal(m.stop_reason, "tool_use");
    assert.deepEqual(m.content[0].input, { location: "Paris" });
    assert.ok(m.content[0].id.startsWith("toolu_"));
  },
  async "forced tool, streamed"(client) {
    const m = await client.messages.stream(ask("What is the weather in Paris?", { tools: [weather], tool_choice: { type: "any" } })).finalMessage();
    assert.deepEqual(m.content.find((b) => b.type === "tool_use").input, { location: "Paris" });
  },
  async "tool round trip"(client) {
    const first = await client.messages.create(ask("What is the weather in Paris?", { tools: [weather], tool_choice: { type: "any" } }));
    const use = first.content.find((b) => b.type === "tool_use");
    const second = await client.messages.create({
      model, max_tokens: 400, tools: [weather], messages: [{ role: "user", content: "What is the weather in Paris?" }, { role: "assistant", content: first.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: use.id, content: "The weather in Paris is sunny." }] }] });
    assert.match(second.content[0].text, /sunny/);
    assert.equal(second.stop_reason, "end_turn");
  },
  async "two tool results"(client) {
    const call = (id, location) => ({ type: "tool_use", id, name: "get_weather", input: { location } });
    const result = (id, content) => ({ type: "tool_result", tool_use_id: id, content: [{ type: "text", text: content }] });
    const m = await client.messages.create({
      model, max_tokens: 400, tools: [weather], messages: [{ role: "user", content: "What is the weather in Rome?" },
        { role: "assistant", content: [call("toolu_1", "Paris"), call("toolu_2", "Rome")] },
        { role: "user", content: [result("toolu_1", "Paris is sunny."), result("toolu_2", "Rome has rain.")] }] });
    assert.match(m.content[0].text, /rain/);
  },
  async "tool runner"(client) {
    let called = 0;
    const runner = client.beta.messages.toolRunner(ask("What is the weather in Paris?", {
      tools: [{ ...weather, run: async () => (called++, "sunny") }], max_iterations: 2 }));
    const m = await runner;
    assert.ok(m.content.length > 0);
  },
  async "beta messages"(client) {
    const m = await client.beta.messages.create(ask("Hello", { betas: ["interleaved-thinking-2025-05-14"] }));
    assert.equal(m.type, "message");
  },
  async thinking(client) {
    const m = await client.messages.create(ask("Hello", { max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 1024 } }));
    assert.equal(m.content[0].type, "thinking");
    assert.ok(m.content[0].thinking.length > 0 && m.content[0].signature.length > 0);
    assert.equal(m.content[1].type, "text");
    const again = await client.messages.create({ model, max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 1024 },
      messages: [{ role: "user", content: "Hello" }, { role: "assistant", content: m.content }, { role: "user", content: "And?" }] });
    assert.equal(again.type, "message");
  },
  async "thinking, streamed"(client) {
    const m = await client.messages.stream(ask("Hello", { max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 1024 } })).finalMessage();
    assert.equal(m.content[0].type, "thinking");
    assert.ok(m.content[0].signature.length > 0);
  },
  async "json_schema, parsed"(client) {
    const schema = { type: "object", properties: { answer: { type: "string" }, hours: { type: "integer" } }, required: ["answer", "hours"], additionalProperties: false };
    const m = await client.messages.create(ask([cats, { type: "text", text: "How long do cats sleep?" }].map((b) => (b === cats ? { ...cats, citations: undefined } : b)),
      { output_config: { format: { type: "json_schema", schema } } }));
    assert.equal(m.content.length, 1);
    const v = JSON.parse(m.content[0].text);
    assert.equal(typeof v.answer, "string");
    assert.ok(Number.isInteger(v.hours));
    if (client.messages.parse) {
      const parsed = await client.messages.parse(ask("How long?", { output_config: { format: { type: "json_schema", schema, parse: (s) => JSON.parse(s) } } }));
      assert.equal(typeof parsed.parsed_output.answer, "string");
    }
  },
  async "stop sequences and max_tokens"(client) {
    const full = (await client.messages.create(ask("Hello"))).content[0].text;
    const word = full.split(" ")[3];
    const m = await client.messages.create(ask("Hello", { stop_sequences: [word] }));
    assert.equal(m.stop_reason, "stop_sequence");
    assert.equal(m.stop_sequence, word);
    assert.ok(!m.content[0].text.includes(word));
    assert.equal((await client.messages.create(ask("Hello", { max_tokens: 3 }))).stop_reason, "max_tokens");
  },
  async "count tokens"(client) {
    const n = await client.messages.countTokens({ model, messages: [{ role: "user", content: "Hello" }] });
    assert.ok(n.input_tokens > 0);
  },
  async "models, paged both ways"(client) {
    const all = [];
    for await (const m of client.models.list({ limit: 1 })) all.push(m.id);
    assert.ok(all.length >= 2);
    const before = await client.models.list({ limit: 1, before_id: all.at(-1) });
    assert.equal(before.data[0].id, all.at(-2));
    assert.equal((await client.models.retrieve(all[0])).id, all[0]);
  },
  async "abort in mid stream"(client) {
    const stream = await client.messages.create(ask("Hello", { stream: true }));
    let seen = 0;
    for await (const _ of stream) if (++seen === 3) stream.controller.abort();
    assert.ok(seen >= 3);
  },
  async "images refused with a clear error"(client, sdk) {
    await assert.rejects(client.messages.create(ask([{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }])),
      (e) => e instanceof sdk.UnprocessableEntityError && /image/.test(e.message));
  },
  async "error classes"(client, sdk) {
    await assert.rejects(client.messages.create(ask("x", { model: "gpt-none" })), sdk.NotFoundError);
    await assert.rejects(client.messages.create(ask("x", { temperature: 3 })), sdk.UnprocessableEntityError);
    await assert.rejects(client.models.list({ after_id: "a", before_id: "b" }), sdk.BadRequestError);
    await assert.rejects(client.messages.create({ model, max_tokens: 1, messages: [] }), (e) => e.status === 422 && e.requestID?.startsWith("req_") && e.error.error.type === "invalid_request_error");
  },
  async "semantic search over an ingested document"(client) {
    await client.post("/v1/artifacts/ingest", { body: { artifact: "cats", collection: "conformance", input: { type: "text", value: text } } });
    const m = await client.messages.create(ask("What is a group of cats called?", {
      system: [{ type: "text", text: "Be brief.", citations: { enabled: true } }],
      tools: [{ name: "search", type: "semantic_search_v1", context: [{ type: "ingested_artifact", context_filter: { collection: "conformance" } }] }] }));
    const c = m.content.flatMap((b) => b.citations ?? []);
    assert.ok(c.some((x) => x.cited_text.includes("clowder") && x.artifact_id === "cats"));
    const stream = await client.messages.stream(ask("What is a group of cats called?", {
      tools: [{ name: "search", type: "semantic_search_v1", context: [{ type: "ingested_artifact", context_filter: { collection: "conformance" } }] }] })).finalMessage();
    assert.deepEqual(stream.content.map((b) => b.type), ["server_tool_use", "tool_result", "text"]);
  },
};

// Checks of what a client meets behind a model provider, which upstream.mjs
// plays; only with UPSTREAM set.
const scripted = (content, more = {}) => ({ ...ask(content, more), model: "scripted" });
const providerChecks = {
  async "provider: text and usage"(client) {
    const m = await client.messages.create(scripted("Hi"));
    assert.equal(m.content[0].text, "Hello from the scripted model.");
    assert.deepEqual([m.usage.input_tokens, m.usage.output_tokens, m.model], [11, 7, "scripted"]);
    assert.equal((await client.messages.stream(scripted("Hi")).finalMessage()).content[0].text, m.content[0].text);
  },
  async "provider: parallel tools, round trip"(client) {
    const m = await client.messages.stream(scripted("use two tools", { tools: [weather] })).finalMessage();
    const uses = m.content.filter((b) => b.type === "tool_use");
    assert.deepEqual(uses.map((u) => u.input.location), ["Paris", "Rome"]);
    const done = await client.messages.create({ ...scripted("use two tools", { tools: [weather] }), messages: [{ role: "user", content: "use two tools" }, { role: "assistant", content: m.content },
      { role: "user", content: uses.map((u) => ({ type: "tool_result", tool_use_id: u.id, content: u.input.location + " is fine" })) }] });
    assert.equal(done.content[0].text, "The tools say: Paris is fine and Rome is fine");
  },
  async "provider: tool runner"(client) {
    const cities = [];
    const m = await client.beta.messages.toolRunner(scripted("use two tools", { tools: [{ ...weather, run: async ({ location }) => (cities.push(location), location + " ok") }] }));
    assert.deepEqual(cities.sort(), ["Paris", "Rome"]);
    assert.equal(m.content[0].text, "The tools say: Paris ok and Rome ok");
  },
  async "provider: images taken"(client) {
    const m = await client.messages.create(scripted([{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }, { type: "text", text: "What is in the picture?" }]));
    assert.equal(m.content[0].text, "I see it.");
  },
  async "provider: thinking"(client) {
    const m = await client.messages.stream(scripted("think", { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 4000 })).finalMessage();
    assert.deepEqual(m.content.map((b) => b.type), ["thinking", "text"]);
    assert.equal(m.content[0].thinking, "I wonder");
  },
  async "provider: json_schema"(client) {
    const m = await client.messages.create(scripted("json", { output_config: { format: { type: "json_schema", schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } } } }));
    assert.deepEqual(JSON.parse(m.content[0].text), { n: 7 });
  },
  async "provider: error classes, without its text"(client, sdk) {
    const expect = async (status, kind, ours) => assert.rejects(client.messages.create(scripted("status " + status)), (e) => {
      assert.ok(e instanceof kind, `${status} gives ${e.constructor.name}`);
      assert.equal(e.status, ours);
      assert.ok(!e.message.includes("secret-key-text"));
      return true;
    });
    await expect(429, sdk.RateLimitError, 429);
    await expect(529, sdk.InternalServerError, 529);
    await expect(401, sdk.InternalServerError, 502);
    await expect(400, sdk.InternalServerError, 502);
    await expect(413, sdk.APIError, 413);
  },
  async "provider: the SDK's own retries"(client, sdk) {
    const patient = new sdk.default({ baseURL, apiKey: "none", maxRetries: 3 });
    const m = await patient.messages.create(scripted("once 529 " + Math.random()));
    assert.equal(m.type, "message");
    let calls = 0;
    const counting = new sdk.default({ baseURL, apiKey: "none", maxRetries: 3, fetch: (...a) => (calls++, fetch(...a)) });
    await assert.rejects(counting.messages.create(scripted("status 401")));
    assert.equal(calls, 1); // x-should-retry: false
  },
  async "provider: abort in mid stream frees it"(client) {
    const stream = await client.messages.create(scripted("forever", { stream: true }));
    let seen = 0;
    let at = 0;
    for await (const _ of stream) if (++seen === 8) { at = Date.now(); stream.controller.abort(); }
    let freed = -1;
    while (freed < 0 && Date.now() - at < 2000) {
      freed = Number(await (await fetch(process.env.UPSTREAM + "/freed")).text());
      if (freed < 0) await new Promise((r) => setTimeout(r, 5));
    }
    assert.ok(freed >= 0 && Date.now() - at < 1000, "the provider's call went on");
  },
};
if (process.env.UPSTREAM) Object.assign(checks, providerChecks);

// Files and skills. The session and the collection are the client's default
// query, since the SDK's own parameters name neither.
const session = (sdk) => new sdk.default({ baseURL, apiKey: process.env.API_KEY ?? "none", maxRetries: 0,
  defaultQuery: { scope_id: "sdk-" + Math.random(), collection: "sdk-" + Math.random() } });
const collect = async (pages) => { const all = []; for await (const one of pages) all.push(one); return all; };
const head = (description) => `---\nname: make-tea\ndescription: ${description}\n---\nBoil water.\n`;

Object.assign(checks, {
  async "files: upload, list, describe, download, delete"(_, sdk) {
    const { beta } = session(sdk);
    const sent = [];
    for (const name of ["a.csv", "b c.csv", "Über.csv"]) sent.push(await beta.files.upload({ file: await sdk.toFile(Buffer.from("x,y\n1,2\n"), name) }));
    assert.deepEqual(sent.map((f) => [f.type, f.filename, f.size_bytes, f.mime_type, f.downloadable]), ["a.csv", "b c.csv", "Über.csv"].map((n) => ["file", n, 8, "text/csv", false]));
    assert.ok(Date.parse(sent[0].created_at) > 0);
    assert.deepEqual((await collect(beta.files.list({ limit: 2 }))).map((f) => f.id), sent.map((f) => f.id));
    for (const f of sent) {
      assert.equal((await beta.files.retrieveMetadata(f.id)).id, f.id);
      assert.equal(await (await beta.files.download(f.id)).text(), "x,y\n1,2\n");
      assert.deepEqual(await beta.files.delete(f.id), { id: f.id, type: "file_deleted" });
      await assert.rejects(beta.files.retrieveMetadata(f.id), sdk.NotFoundError);
    }
    assert.deepEqual(await collect(beta.files.list()), []);
    const brief = await beta.files.upload({ file: await sdk.toFile(Buffer.from("x"), "brief.txt"), expires_in_seconds: 3600 });
    assert.equal(Math.round((Date.parse(brief.expires_at) - Date.parse(brief.created_at)) / 60000), 60);
    const own = new sdk.default({ baseURL, apiKey: "none" }).beta.files; // without a scope, the key's own
    const kept = await own.upload({ file: await sdk.toFile(Buffer.from("y"), `own-${Date.now()}.txt`) });
    assert.ok((await collect(own.list())).some((f) => f.id === kept.id));
    await own.delete(kept.id);
  },
  async "skills: create, list, versions, delete"(_, sdk) {
    const { beta } = session(sdk);
    const current = sdk === generations[0][1];
    const file = (description, path) => sdk.toFile(Buffer.from(head(description)), path);
    const extra = await sdk.toFile(Buffer.from("green"), "tea/data/kinds.txt");
    const made = await beta.skills.create({ [current ? "display_name" : "display_title"]: "Tea", files: [await file("One.", "tea/SKILL.md"), extra] });
    assert.equal(made.type, "skill");
    assert.equal(current ? made.display_name : made.display_title, "Tea");
    assert.deepEqual(made.source, current ? { type: "custom" } : "custom");
    const second = await beta.skills.versions.create(made.id, { files: [await file("Two.", "tea/SKILL.md")] });
    assert.deepEqual([second.type, second.name, second.description, second.skill_id], ["skill_version", "make-tea", "Two.", made.id]);
    const address = current ? second.id : second.version;
    const now = await beta.skills.retrieve(made.id);
    assert.equal(current ? now.latest_version_id : now.latest_version, address);
    await beta.skills.create({ files: [await file("Other.", "SKILL.md")] });
    assert.equal((await collect(beta.skills.list({ limit: 1 }))).length, 2);
    assert.deepEqual((await collect(beta.skills.versions.list(made.id, { limit: 1 }))).map((v) => v.description), ["Two.", "One."]);
    assert.equal((await beta.skills.versions.retrieve(address, { skill_id: made.id })).description, "Two.");
    if (beta.skills.versions.download) {
      const zip = Buffer.from(await (await beta.skills.versions.download(address, { skill_id: made.id })).arrayBuffer());
      assert.equal(zip.subarray(0, 2).toString(), "PK");
      const again = await beta.skills.versions.create(made.id, { files: [await sdk.toFile(zip, "tea.zip")] });
      assert.equal(again.description, "Two.");
      await beta.skills.versions.delete(again.id, { skill_id: made.id });
    }
    assert.deepEqual(await beta.skills.versions.delete(address, { skill_id: made.id }), { id: address, type: "skill_version_deleted" });
    await assert.rejects(beta.skills.create({ files: [await sdk.toFile(Buffer.from("# Tea"), "SKILL.md")] }), (e) => e instanceof sdk.UnprocessableEntityError && e.error.detail[0].type === "MISSING_FRONTMATTER");
    assert.deepEqual(await beta.skills.delete(made.id), { id: made.id, type: "skill_deleted" });
    await assert.rejects(beta.skills.retrieve(made.id), sdk.NotFoundError);
  },
});

let failed = 0;
let passed = 0;
for (const [version, sdk] of generations) {
  const client = new sdk.default({ baseURL, apiKey: process.env.API_KEY ?? "none", maxRetries: 0 });
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(client, sdk);
      passed++;
      console.log(`ok   @anthropic-ai/sdk ${version}: ${name}`);
    } catch (e) {
      failed++;
      console.log(`FAIL @anthropic-ai/sdk ${version}: ${name}: ${e.stack?.split("\n").slice(0, 6).join("\n     ")}`);
    }
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
