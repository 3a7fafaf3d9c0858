// Runs clients of OpenAI's wires, and the batches of Anthropic's SDK, unchanged
// against the service at BASE_URL. Exit 1 when a check fails.
import assert from "node:assert/strict";
import { createOpenAI } from "@ai-sdk/openai";
import { APICallError, generateObject, generateText, stepCountIs, streamText, tool } from "ai";
import { ChatOpenAI } from "@langchain/openai";
import { HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import OpenAI from "openai";
import { z } from "zod";

const baseURL = process.env.BASE_URL ?? "http://127.0.0.1:8080";
const collection = "openai-" + Math.random().toString(36).slice(2);
const over = "default@" + collection;
const fact = "Every employee has 28 days of paid leave a year.";
const question = "How many days of paid leave are there?";
const png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const location = z.object({ location: z.string() });
const parameters = { type: "object", properties: { location: { type: "string" } }, required: ["location"], additionalProperties: false };
const schema = { type: "object", properties: { days: { type: "string" } }, required: ["days"], additionalProperties: false };
const sunny = (args) => `${args.location} is sunny.`;

const client = new OpenAI({ baseURL: baseURL + "/v1", apiKey: "none", maxRetries: 0 });
const provider = createOpenAI({ baseURL: baseURL + "/v1", apiKey: "none" });

// freed waits until the scripted provider, which talks on until its client leaves, is
// left alone.
async function freed() {
  if (!process.env.UPSTREAM) return;
  for (let i = 0; i < 100; i++) {
    if (Number(await (await fetch(process.env.UPSTREAM + "/freed")).text()) >= 0) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail("the service goes on with an answer that nobody reads");
}

const sdk = {
  async models() {
    const listed = [];
    for await (const m of client.models.list({ query: { collections: true } })) listed.push(m.id);
    assert.ok(listed.includes("extractive") && listed.includes(over));
    assert.equal((await client.models.retrieve(over)).object, "model");
  },
  async "chat, cited"() {
    const r = await client.chat.completions.create({ model: over, messages: [{ role: "user", content: question }] });
    const { message, finish_reason } = r.choices[0];
    const note = message.annotations[0].url_citation;
    assert.equal(finish_reason, "stop");
    assert.equal(message.content.slice(note.start_index, note.end_index), fact);
    assert.match(await (await fetch(note.url)).text(), /28 days/);
    assert.ok(r.usage.prompt_tokens > 0 && r.usage.total_tokens === r.usage.prompt_tokens + r.usage.completion_tokens);
  },
  async "chat, streamed"() {
    const stream = client.chat.completions.stream({ model: over, messages: [{ role: "user", content: question }], stream_options: { include_usage: true } });
    let text = "";
    stream.on("content", (delta) => (text += delta));
    const r = await stream.finalChatCompletion();
    assert.match(text, /28 days/);
    assert.equal(r.choices[0].message.content, text);
    assert.ok(r.usage.completion_tokens > 0);
  },
  async "chat, tools"() {
    const called = [];
    const runner = client.chat.completions.runTools({
      model: "scripted",
      messages: [{ role: "user", content: "two tools" }],
      tools: [{ type: "function", function: { name: "get_weather", description: "Weather of a place", parameters, parse: JSON.parse, function: (a) => (called.push(a.location), sunny(a)) } }],
    });
    assert.equal(await runner.finalContent(), "The tools say: Paris is sunny. and Rome is sunny.");
    assert.deepEqual(called, ["Paris", "Rome"]);
    const streamed = client.chat.completions.runTools({
      model: "scripted", stream: true,
      messages: [{ role: "user", content: "two tools" }],
      tools: [{ type: "function", function: { name: "get_weather", description: "Weather of a place", parameters, parse: JSON.parse, function: sunny } }],
    });
    assert.equal(await streamed.finalContent(), "The tools say: Paris is sunny. and Rome is sunny.");
  },
  async "chat, schema"() {
    const r = await client.chat.completions.parse({ model: "default", messages: [{ role: "user", content: fact }], response_format: { type: "json_schema", json_schema: { name: "leave", strict: true, schema } } });
    assert.equal(typeof r.choices[0].message.parsed.days, "string");
  },
  async "chat, image"() {
    const ask = (model) => client.chat.completions.create({ model, messages: [{ role: "user", content: [{ type: "text", text: "What is in the picture?" }, { type: "image_url", image_url: { url: png, detail: "low" } }] }] });
    assert.equal((await ask("scripted")).choices[0].message.content, "I see it.");
    await assert.rejects(ask("default"), OpenAI.BadRequestError);
  },
  async responses() {
    const r = await client.responses.create({ model: over, instructions: "Be brief.", input: question });
    const [part] = r.output.find((o) => o.type === "message").content;
    assert.equal(r.output_text, part.text);
    assert.equal(part.text.slice(part.annotations[0].start_index, part.annotations[0].end_index), fact);
    assert.ok(r.status === "completed" && r.usage.output_tokens > 0);
  },
  async "responses, streamed"() {
    const stream = client.responses.stream({ model: over, input: question });
    const kinds = new Set();
    let text = "";
    for await (const e of stream) {
      kinds.add(e.type);
      if (e.type === "response.output_text.delta") text += e.delta;
    }
    assert.equal((await stream.finalResponse()).output_text, text);
    for (const kind of ["response.created", "response.output_item.added", "response.output_text.annotation.added", "response.output_item.done", "response.completed"]) assert.ok(kinds.has(kind), kind);
  },
  async "responses, tools"() {
    const tools = [{ type: "function", name: "get_weather", description: "Weather of a place", parameters, strict: true }];
    const input = [{ role: "user", content: "two tools" }];
    const first = await client.responses.create({ model: "scripted", input, tools });
    const calls = first.output.filter((o) => o.type === "function_call");
    assert.deepEqual(calls.map((c) => JSON.parse(c.arguments).location), ["Paris", "Rome"]);
    const results = calls.map((c) => ({ type: "function_call_output", call_id: c.call_id, output: sunny(JSON.parse(c.arguments)) }));
    const second = await client.responses.create({ model: "scripted", input: [...input, ...first.output, ...results], tools });
    assert.equal(second.output_text, "The tools say: Paris is sunny. and Rome is sunny.");
  },
  async "responses, schema and image"() {
    const r = await client.responses.parse({ model: "default", input: fact, text: { format: { type: "json_schema", name: "leave", strict: true, schema } } });
    assert.equal(typeof r.output_parsed.days, "string");
    const seen = await client.responses.create({ model: "scripted", input: [{ role: "user", content: [{ type: "input_text", text: "What is in the picture?" }, { type: "input_image", image_url: png, detail: "auto" }] }] });
    assert.equal(seen.output_text, "I see it.");
  },
  async errors() {
    const ask = (more, by = client) => by.chat.completions.create({ model: "default", messages: [{ role: "user", content: "Hello" }], ...more });
    await assert.rejects(ask({ model: "gpt-absent" }), OpenAI.NotFoundError);
    await assert.rejects(ask({ model: "default@absent-" + collection }), OpenAI.NotFoundError);
    await assert.rejects(ask({ n: 2 }), (e) => e instanceof OpenAI.BadRequestError && e.param === "n" && e.type === "invalid_request_error");
    await assert.rejects(client.responses.create({ model: "default", input: "x", previous_response_id: "resp_1" }), (e) => e instanceof OpenAI.BadRequestError && e.param === "previous_response_id");
    const said = (status) => ask({ model: "scripted", messages: [{ role: "user", content: "status " + status }] });
    await assert.rejects(said(429), OpenAI.RateLimitError);
    await assert.rejects(said(500), (e) => e instanceof OpenAI.InternalServerError && !e.message.includes("secret-key-text"));
    if (process.env.SECURED) {
      const stranger = new OpenAI({ baseURL: process.env.SECURED + "/v1", apiKey: "wrong", maxRetries: 0 });
      await assert.rejects(ask({}, stranger), OpenAI.AuthenticationError);
    }
  },
  async "responses, kept"() {
    const tools = [{ type: "function", name: "get_weather", parameters, strict: true }];
    const first = await client.responses.create({ model: "scripted", input: "two tools", tools });
    const calls = first.output.filter((o) => o.type === "function_call");
    const second = await client.responses.create({ model: "scripted", tools, previous_response_id: first.id,
      input: calls.map((c) => ({ type: "function_call_output", call_id: c.call_id, output: sunny(JSON.parse(c.arguments)) })) });
    assert.match(second.output_text, /Paris is sunny. and Rome is sunny./);
    assert.equal((await client.responses.retrieve(second.id)).output_text, second.output_text);
    await client.responses.delete(second.id);
    await assert.rejects(client.responses.retrieve(second.id), OpenAI.NotFoundError);
  },
  async abort() {
    const stream = await client.chat.completions.create({ model: "scripted", messages: [{ role: "user", content: "forever" }], stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    stream.controller.abort();
    await freed();
    const second = await client.responses.create({ model: "scripted", input: "forever", stream: true });
    for await (const e of second) if (e.type === "response.output_text.delta") break;
    second.controller.abort();
    await freed();
  },
};

// aisdk is the checks of a model of the AI SDK, of either wire. On that of responses the
// SDK names the items of kept ones, where tools are called.
const aisdk = (model) => ({
  async "text, cited"() {
    const r = await generateText({ model: model(over), prompt: question, maxRetries: 0 });
    assert.match(r.text, /28 days/);
    assert.equal(r.finishReason, "stop");
    assert.ok(r.usage.inputTokens > 0 && r.usage.outputTokens > 0);
    assert.match(r.sources[0].url, /artifacts\/original/);
  },
  async stream() {
    const r = streamText({ model: model(over), prompt: question, maxRetries: 0 });
    let text = "";
    for await (const part of r.textStream) text += part;
    assert.match(text, /28 days/);
    assert.equal(await r.finishReason, "stop");
    assert.ok((await r.usage).outputTokens > 0 && (await r.sources).length > 0);
  },
  async "tools, in steps"() {
    const tools = { get_weather: tool({ description: "Weather of a place", inputSchema: location, execute: async (a) => sunny(a) }) };
    const r = await generateText({ model: model("scripted"), prompt: "two tools", tools, stopWhen: stepCountIs(3), maxRetries: 0 });
    assert.equal(r.text, "The tools say: Paris is sunny. and Rome is sunny.");
    const s = streamText({ model: model("scripted"), prompt: "two tools", tools, stopWhen: stepCountIs(3), maxRetries: 0 });
    await s.consumeStream();
    assert.equal((await s.steps).length, 2);
    assert.equal(await s.text, "The tools say: Paris is sunny. and Rome is sunny.");
  },
  async object() {
    const r = await generateObject({ model: model("default"), prompt: "How long do cats sleep? Cats sleep 14 hours.", schema: z.object({ hours: z.number(), answer: z.string() }), maxRetries: 0 });
    assert.equal(typeof r.object.answer, "string");
  },
  async image() {
    const r = await generateText({ model: model("scripted"), maxRetries: 0, messages: [{ role: "user", content: [{ type: "text", text: "What is in the picture?" }, { type: "image", image: png }] }] });
    assert.equal(r.text, "I see it.");
  },
  async errors() {
    const ask = (name, prompt = "Hello") => generateText({ model: model(name), prompt, maxRetries: 0 });
    await assert.rejects(ask("gpt-absent"), (e) => APICallError.isInstance(e) && e.statusCode === 404 && !e.isRetryable);
    await assert.rejects(ask("scripted", "status 429"), (e) => APICallError.isInstance(e) && e.statusCode === 429 && e.isRetryable);
  },
  async abort() {
    const stop = new AbortController();
    const r = streamText({ model: model("scripted"), prompt: "forever", maxRetries: 0, abortSignal: stop.signal, onError() {} });
    for await (const part of r.fullStream) if (part.type === "text-delta") stop.abort();
    await freed();
  },
});

const langchain = (more) => {
  const chat = (model, extra = {}) => new ChatOpenAI({ model, apiKey: "none", maxRetries: 0, configuration: { baseURL: baseURL + "/v1" }, ...more, ...extra });
  const weather = langchainTool(async (a) => sunny(a), { name: "get_weather", description: "Weather of a place", schema: location });
  return {
    async "invoke, cited"() {
      const m = await chat(over).invoke([new SystemMessage("Be brief."), new HumanMessage(question)]);
      assert.match(m.text, /28 days/);
      assert.ok(m.usage_metadata.input_tokens > 0);
    },
    async stream() {
      let text = "";
      for await (const part of await chat(over).stream(question)) text += part.text;
      assert.match(text, /28 days/);
    },
    async "tool round trip"() {
      const model = chat("scripted").bindTools([weather]);
      const first = await model.invoke("two tools");
      const results = await Promise.all(first.tool_calls.map(async (c) => new ToolMessage({ tool_call_id: c.id, content: await weather.invoke(c.args) })));
      assert.equal((await model.invoke([new HumanMessage("two tools"), first, ...results])).text, "The tools say: Paris is sunny. and Rome is sunny.");
    },
    async "structured output"() {
      const r = await chat("default").withStructuredOutput(z.object({ city: z.string() })).invoke("Tell me about Paris, please.");
      assert.equal(typeof r.city, "string");
    },
    async image() {
      const m = await chat("scripted").invoke([new HumanMessage({ content: [{ type: "text", text: "What is in the picture?" }, { type: "image_url", image_url: { url: png } }] })]);
      assert.equal(m.text, "I see it.");
    },
    async errors() {
      await assert.rejects(chat("gpt-absent").invoke("Hello"), (e) => e.status === 404);
      await assert.rejects(chat("scripted").invoke("status 429"), (e) => e.status === 429);
    },
    async abort() {
      const stop = new AbortController();
      await assert.rejects(async () => {
        for await (const part of await chat("scripted").stream("forever", { signal: stop.signal })) if (part.text) stop.abort();
      });
      await freed();
    },
  };
};

// batches is the checks of a generation of Anthropic's SDK.
const batches = (sdk) => {
  const claude = new sdk.default({ baseURL, apiKey: "none", maxRetries: 0 });
  const params = { model: "default", max_tokens: 50, messages: [{ role: "user", content: "Hello" }] };
  const ended = async (id) => {
    for (let i = 0; i < 600; i++) {
      const b = await claude.messages.batches.retrieve(id);
      if (b.processing_status === "ended") return b;
      await new Promise((done) => setTimeout(done, 50));
    }
    assert.fail("the batch does not end");
  };
  return {
    async "create, retrieve, results, list, delete"() {
      const made = await claude.messages.batches.create({ requests: [{ custom_id: "good", params }, { custom_id: "bad", params: { ...params, model: "gpt-absent" } }] });
      assert.equal(made.type, "message_batch");
      const done = await ended(made.id);
      assert.deepEqual({ ...done.request_counts }, { processing: 0, succeeded: 1, errored: 1, canceled: 0, expired: 0 });
      const results = {};
      for await (const r of await claude.messages.batches.results(made.id)) results[r.custom_id] = r.result;
      assert.ok(results.good.message.content[0].text.length > 0);
      assert.equal(results.bad.error.error.type, "not_found_error");
      const listed = [];
      for await (const b of claude.messages.batches.list({ limit: 1 })) if (listed.push(b.id) === 3) break;
      assert.ok(listed.includes(made.id));
      assert.equal((await claude.messages.batches.delete(made.id)).type, "message_batch_deleted");
      await assert.rejects(claude.messages.batches.retrieve(made.id), sdk.NotFoundError);
    },
    async cancel() {
      const forever = { ...params, model: "scripted", max_tokens: 4000, messages: [{ role: "user", content: "forever" }] };
      const made = await claude.messages.batches.create({ requests: Array.from({ length: 20 }, (_, i) => ({ custom_id: "r" + i, params: forever })) });
      await assert.rejects(claude.messages.batches.delete(made.id), sdk.APIError);
      const canceled = await claude.messages.batches.cancel(made.id);
      assert.ok(["canceling", "ended"].includes(canceled.processing_status));
      const done = await ended(made.id);
      assert.equal(done.request_counts.canceled, 20);
      const kinds = new Set();
      for await (const r of await claude.messages.batches.results(made.id)) kinds.add(r.result.type);
      assert.deepEqual([...kinds], ["canceled"]);
      await claude.messages.batches.delete(made.id);
    },
    async errors() {
      await assert.rejects(claude.messages.batches.create({ requests: [] }), sdk.UnprocessableEntityError);
      await assert.rejects(claude.messages.batches.create({ requests: [{ custom_id: "a", params }, { custom_id: "a", params }] }), sdk.UnprocessableEntityError);
      await assert.rejects(claude.messages.batches.retrieve("msgbatch_absent"), sdk.NotFoundError);
    },
  };
};

const groups = {
  "openai 7.55.0": sdk,
  "@ai-sdk/openai 2.0.131, chat": aisdk((name) => provider.chat(name)),
  "@ai-sdk/openai 2.0.131, responses": aisdk((name) => provider.responses(name)),
  "@langchain/openai 1.6.0": langchain({}),
  "@langchain/openai 1.6.0, responses": langchain({ useResponsesApi: true }),
  "@anthropic-ai/sdk 1.11.0, batches": batches(await import("sdk-current")),
  "@anthropic-ai/sdk 0.95.2, batches": batches(await import("sdk-previous")),
};

const ingested = await fetch(baseURL + "/v1/artifacts/ingest", { method: "POST", body: JSON.stringify({ artifact: "leave", collection, input: { type: "text", value: "# Leave\n\n" + fact } }) });
assert.equal(ingested.status, 200);
let failed = 0;
for (const [name, checks] of Object.entries(groups)) {
  const passed = [];
  for (const [check, run] of Object.entries(checks)) {
    try {
      if (process.env.TRACE) console.log("...", name, check);
      await run();
      passed.push(check);
    } catch (e) {
      failed++;
      console.log(`FAIL ${name}: ${check}: ${e.stack?.split("\n").slice(0, 8).join("\n     ")} ${e.responseBody ?? ""}`);
    }
  }
  console.log(`ok   ${name}: ${passed.join("; ")}`);
}
process.exit(failed ? 1 : 0);
