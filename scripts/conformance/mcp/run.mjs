// Runs the official MCP client against /mcp of the service at BASE_URL, and
// lets chats of the service use the reference server at EVERYTHING (streamable
// HTTP) and EVERYTHING_SSE.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const base = process.env.BASE_URL;
const post = async (path, body) => {
  const r = await fetch(base + path, { method: "POST", body: JSON.stringify(body) });
  return { status: r.status, body: await r.json() };
};
const chat = (server, tool, text, more = {}) => post("/v1/messages", {
  model: "default", max_tokens: 300, tool_choice: { type: "tool", name: tool }, messages: [{ role: "user", content: text }],
  mcp_servers: [{ type: "url", name: "everything", url: server, ...more }],
});

const client = new Client({ name: "conformance", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(base + "/mcp")));

const checks = {
  async "client: list tools"() {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((t) => t.name).sort(), ["list_artifacts", "list_collections", "read_artifact", "semantic_search"]);
  },
  async "client: search, list and read"() {
    const r = await post("/v1/artifacts/ingest", { artifact: "birds", input: { type: "text", value: "The robin sings at dawn." } });
    assert.equal(r.status, 200);
    const found = await client.callTool({ name: "semantic_search", arguments: { query: "When does the robin sing?" } });
    assert.match(found.content[0].text, /at dawn/);
    assert.equal(found.structuredContent.results[0].artifact, "birds");
    assert.match((await client.callTool({ name: "list_artifacts", arguments: {} })).content[0].text, /birds/);
    assert.match((await client.callTool({ name: "read_artifact", arguments: { artifact: "birds" } })).content[0].text, /robin/);
  },
  async "client: a tool that fails is a result"() {
    assert.equal((await client.callTool({ name: "read_artifact", arguments: { artifact: "none" } })).isError, true);
  },
  async "client: resources"() {
    const { resources } = await client.listResources();
    assert.equal(resources.length, 1);
    const { contents } = await client.readResource({ uri: resources[0].uri });
    assert.match(contents[0].text, /robin/);
    await assert.rejects(client.readResource({ uri: "lectern://artifacts/none/none" }));
  },
};
for (const [name, url] of Object.entries({ "streamable HTTP": process.env.EVERYTHING, SSE: process.env.EVERYTHING_SSE })) {
  checks[`server, ${name}: a tool is called and its result shown`] = async () => {
    const { status, body } = await chat(url, "echo", "Echo this message");
    assert.equal(status, 200, JSON.stringify(body));
    const [use, result] = body.content;
    assert.equal(use.type, "mcp_tool_use");
    assert.equal(use.server_name, "everything");
    assert.equal(result.type, "mcp_tool_result");
    assert.equal(result.tool_use_id, use.id);
    assert.match(result.content[0].text, /^Echo/);
  };
  checks[`server, ${name}: an image comes as a block`] = async () => {
    const { status, body } = await chat(url, "get-tiny-image", "Show the image");
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(body.content[1].content.some((b) => b.type === "image" && b.source.media_type === "image/png"), JSON.stringify(body.content[1]).slice(0, 500));
  };
  checks[`server, ${name}: a tool that is not allowed is none`] = async () => {
    assert.equal((await chat(url, "echo", "x", { tool_configuration: { allowed_tools: ["get-sum"] } })).status, 422);
  };
}
let failed = 0;
for (const [name, run] of Object.entries(checks)) {
  try {
    await run();
    console.log("ok   " + name);
  } catch (e) {
    failed++;
    console.log("FAIL " + name + "\n" + e.stack);
  }
}
await client.close();
process.exit(failed ? 1 : 0);
