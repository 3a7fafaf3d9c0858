// Runs clients that are built on the Messages API, and OpenAI's embeddings,
// unchanged against the service at BASE_URL.
import assert from "node:assert/strict";
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateObject, generateText, stepCountIs, streamText, tool } from "ai";
import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import OpenAI from "openai";
import { z } from "zod";

const baseURL = process.env.BASE_URL ?? "http://127.0.0.1:8080";
const text = "Cats sleep fourteen hours a day. A group of cats is called a clowder.";
const model = createAnthropic({ baseURL: baseURL + "/v1", apiKey: "none" })("claude-sonnet-4-5");
const chat = (more = {}) => new ChatAnthropic({ model: "claude-sonnet-4-5", apiKey: "none", anthropicApiUrl: baseURL, maxRetries: 0, maxTokens: 400, ...more });

const groups = {
  "ai 5.0.277 with @ai-sdk/anthropic 2.0.112": {
    async "generate text"() {
      const r = await generateText({ model, prompt: "Hello", maxRetries: 0 });
      assert.ok(r.text.length > 0 && r.usage.inputTokens > 0);
      assert.equal(r.finishReason, "stop");
    },
    async "stream text"() {
      const r = streamText({ model, prompt: "Hello", maxRetries: 0 });
      let out = "";
      for await (const part of r.textStream) out += part;
      assert.ok(out.length > 0);
      assert.equal(await r.finishReason, "stop");
    },
    async "tools, in steps"() {
      let called = 0;
      const weather = tool({ description: "Weather of a place", inputSchema: z.object({ location: z.string() }), execute: async ({ location }) => (called++, `The weather in ${location} is sunny.`) });
      const r = await generateText({ model, prompt: "What is the weather in Paris?", tools: { weather }, toolChoice: "required", stopWhen: stepCountIs(1), maxRetries: 0 });
      assert.equal(called, 1);
      assert.deepEqual(r.toolCalls[0].input, { location: "Paris" });
      const s = streamText({ model, prompt: "What is the weather in Paris?", tools: { weather }, toolChoice: { type: "tool", toolName: "weather" }, stopWhen: stepCountIs(1), maxRetries: 0 });
      assert.equal((await s.toolCalls)[0].toolName, "weather");
    },
    async "objects"() {
      const r = await generateObject({ model, prompt: "How long do cats sleep? Cats sleep 14 hours.", schema: z.object({ hours: z.number(), answer: z.string() }), maxRetries: 0 });
      assert.equal(typeof r.object.answer, "string");
    },
    async "documents"() {
      const r = await generateText({ model, maxRetries: 0, messages: [{ role: "user", content: [
        { type: "file", mediaType: "text/plain", data: Buffer.from(text), filename: "cats.txt", providerOptions: { anthropic: { citations: { enabled: true } } } },
        { type: "text", text: "What is a group of cats called?" }] }] });
      assert.match(r.text, /clowder/);
    },
    async "thinking"() {
      const r = await generateText({ model, prompt: "Hello", maxRetries: 0, providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } } });
      assert.ok(r.reasoningText?.length > 0);
    },
  },
  "@langchain/anthropic 1.5.11": {
    async invoke() {
      const m = await chat().invoke([new SystemMessage("Be brief."), new HumanMessage("Hello")]);
      assert.ok(m.text.length > 0 && m.usage_metadata.input_tokens > 0);
    },
    async stream() {
      let out = "";
      for await (const part of await chat().stream("Hello")) out += part.text;
      assert.ok(out.length > 0);
    },
    async "tool round trip"() {
      const weather = langchainTool(async ({ location }) => location, { name: "weather", description: "Weather of a place", schema: z.object({ location: z.string() }) });
      const bound = chat().bindTools([weather], { tool_choice: "weather" });
      const first = await bound.invoke("What is the weather in Paris?");
      assert.deepEqual(first.tool_calls[0].args, { location: "Paris" });
      const second = await chat().bindTools([weather]).invoke([new HumanMessage("What is the weather in Paris?"), first, new ToolMessage({ tool_call_id: first.tool_calls[0].id, content: "The weather in Paris is sunny." })]);
      assert.match(second.text, /sunny/);
      assert.ok(second instanceof AIMessage || second.getType() === "ai");
    },
    async "structured output"() {
      const r = await chat().withStructuredOutput(z.object({ city: z.string() })).invoke("Tell me about Paris, please.");
      assert.equal(typeof r.city, "string");
    },
  },
  "openai 7.55.0": {
    async embeddings() {
      const client = new OpenAI({ baseURL: baseURL + "/v1", apiKey: "none", maxRetries: 0 });
      const r = await client.embeddings.create({ model: "text-embedding-3-small", input: ["cat", "dog"] });
      assert.equal(r.data.length, 2);
      assert.equal(r.data[1].index, 1);
      const length = Math.hypot(...r.data[0].embedding);
      assert.ok(Math.abs(length - 1) < 1e-3);
    },
  },
};

let failed = 0;
let passed = 0;
for (const [client, checks] of Object.entries(groups)) {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      passed++;
      console.log(`ok   ${client}: ${name}`);
    } catch (e) {
      failed++;
      console.log(`FAIL ${client}: ${name}: ${e.stack?.split("\n").slice(0, 6).join("\n     ")} ${e.responseBody ?? ""}`);
    }
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
