// The guide: tasks in the order in which people meet them, each with calls that can be
// run from the page. Every call is also shown as curl, Python and TypeScript.
export interface Call { title: string; method: "GET" | "POST" | "DELETE"; path: string; body?: Record<string, unknown>; stream?: boolean }
export interface Section { id: string; title: string; text: string; calls?: readonly Call[]; after?: string }
export interface Group { title: string; sections: readonly Section[] }

const handbook = "# Leave\n\nEvery employee has 28 days of paid leave a year. Unused days expire in March.\n\n# Travel\n\nTrains come before flights where the journey takes less than five hours.";
const collection = "guide";
const context = [{ type: "ingested_artifact", context_filter: { collection } }];
const cited = [{ text: "Answer from the handbook.", citations: { enabled: true } }];
const search = [{ name: "search", type: "semantic_search_v1", context }];
const question = [{ role: "user", content: "How many days of paid leave are there?" }];
const base = { model: "default", max_tokens: 300, system: cited, tools: search };

export const guide = [
  {
    title: "Start",
    sections: [
      {
        id: "start", title: "A cited answer in two calls",
        text: "Give the service a document, then ask. The answer is a message in the shape of Anthropic's Messages API: a list of content blocks. Each cited sentence is a `text` block of its own whose `citations` quote the document exactly, with offsets into its stored text. The blocks before it show the search. No key, no model and no download are needed: the built-in model quotes.",
        calls: [
          { title: "Ingest a document", method: "POST", path: "v1/artifacts/ingest", body: { collection, artifact: "handbook", input: { type: "text", value: handbook }, metadata: { file_name: "handbook.md" } } },
          { title: "Ask it", method: "POST", path: "v1/messages", body: { ...base, messages: question } },
        ],
        after: "The official Anthropic SDKs work unchanged with this address as their base URL. Tools of the type `semantic_search_v1` run inside the service; tools without a type are yours, and come back as `tool_use` blocks.",
      },
      {
        id: "auth", title: "Authentication",
        text: "By default the service answers this machine alone and asks for no key. With `SERVER_AUTH_ENABLED=true` every request carries one, as any of\n\n| Header | Value |\n|---|---|\n| `Authorization` | `Bearer <base64 of user:password>`, or a token of your identity provider |\n| `Authorization` | `Basic <base64 of user:password>` |\n| `x-api-key` | `<base64 of user:password>`, as Anthropic's SDKs send it |\n\nA key can be limited to some collections (`LECTERN_KEYS`); others are then 403. `GET /health`, the page at `/` and this guide need none. Without a key the answer is 401, a wrong one is answered after a quarter of a second.",
        calls: [{ title: "See whether your key is accepted", method: "GET", path: "v1/models" }],
      },
      {
        id: "errors", title: "Errors",
        text: "Every status from 400 on has one body. `detail` is a sentence, or for 422 the list of every problem found, each with its place.\n\n| Status | `error.type` | When |\n|---|---|---|\n| 400 | `invalid_request_error` | JSON that cannot be parsed, an unknown cursor |\n| 401 | `authentication_error` | no key, or a wrong one |\n| 403 | `permission_error` | a collection that the key may not reach, a blocked address |\n| 404 | `not_found_error` | an unknown model, document, task, file, skill or path |\n| 409 | `conflict_error` | an `Idempotency-Key` whose first request still runs |\n| 413 | `request_too_large` | a body over the limit |\n| 422 | `invalid_request_error` | fields and rules that are violated; files that cannot be read |\n| 429 | `rate_limit_error` | too much at once; wait for `retry-after` |\n| 500, 503 | `api_error`, `overloaded_error` | ours; `x-should-retry` says whether to try again |\n\nA tool that fails while it runs is no error: the answer is 200 and its result has `is_error`. Every answer carries a `request-id`.",
        calls: [{ title: "A request with two problems", method: "POST", path: "v1/messages", body: { model: "default", max_tokens: 0, messages: [] } }],
      },
    ],
  },
  {
    title: "Documents",
    sections: [
      {
        id: "ingest", title: "Bring documents in",
        text: "A document has a name in a collection: `artifact` and `collection` (`vendor_collection` when left out). `input` is `text`, a `file` as base64, or a `uri`. `metadata.file_name` decides which reader takes it; further fields of `metadata` are kept and can be filtered on. The same content again is answered without work; new content replaces the old at once. Files of a form go too: `curl -F collection=guide -F file=@handbook.pdf …/v1/artifacts/ingest`.",
        calls: [
          { title: "With metadata to filter on", method: "POST", path: "v1/artifacts/ingest", body: { collection, artifact: "travel", input: { type: "text", value: "Hotels in Oslo are paid up to 190 euros a night." }, metadata: { file_name: "travel.md", department: "finance", year: 2026 } } },
          { title: "Which kinds of files can be read", method: "GET", path: "v1/artifacts/readers" },
        ],
        after: "A file that cannot be read is 422 with `detail[0].type` one of `encrypted_file`, `malformed_file`, `mismatched_mime_type`, `unsupported_extension`, `empty_document`, `too_large`, `too_many_pages`; nothing is stored then.",
      },
      {
        id: "tasks", title: "Large documents as tasks",
        text: "`POST /v1/artifacts/ingest/async` answers at once with a `task_id`. Ask for its state: `PENDING`, `STARTED` (with `progress`: percentage, step, pages, chunks, seconds left), `RETRY`, `SUCCESS`, `FAILURE`, `REVOKED`. A `callback` with a `url` is posted when it ends, signed as Standard Webhooks do.",
        calls: [{ title: "Start a task", method: "POST", path: "v1/artifacts/ingest/async", body: { ingest_body: { collection, artifact: "security", input: { type: "text", value: "A lost laptop is reported within one hour." } } } }],
      },
      {
        id: "manage", title: "List, read and delete",
        text: "The stored text of a document is what citations count in: `start_char_index` and `end_char_index` are UTF-16 offsets into it. As `object` it is a tree of sections, paragraphs, lists and tables, and can be filtered by node. The file that a document was made of comes back from `GET /v1/artifacts/original`.",
        calls: [
          { title: "List the documents of a collection", method: "GET", path: `v1/artifacts/list?collection=${collection}` },
          { title: "Read the stored text", method: "POST", path: "v1/artifacts/content", body: { context_filter: { collection, artifacts: ["handbook"] }, format: "markdown" } },
          { title: "Delete a document", method: "POST", path: "v1/artifacts/delete", body: { collection, artifact: "security" } },
          { title: "Collections and their sizes", method: "GET", path: "v1/collections" },
        ],
      },
    ],
  },
  {
    title: "Ask",
    sections: [
      {
        id: "ask", title: "Ask chosen documents",
        text: "The `context` of a search tool says what may be read: a collection, some `artifacts` of it, or what a `metadata_filter` leaves over. Several items may name several collections. A follow-up sends the turns before it.",
        calls: [
          { title: "Only what finance wrote since 2026", method: "POST", path: "v1/messages", body: { ...base, tools: [{ name: "search", type: "semantic_search_v1", context: [{ type: "ingested_artifact", context_filter: { collection, metadata_filter: [{ key: "department", value: "finance", operator: "==" }, { key: "year", value: 2026, operator: ">=" }] } }] }], messages: [{ role: "user", content: "What is paid for a hotel in Oslo?" }] } },
          { title: "A follow-up", method: "POST", path: "v1/messages", body: { ...base, messages: [...question, { role: "assistant", content: "Every employee has 28 days of paid leave a year." }, { role: "user", content: "And when do unused days expire?" }] } },
        ],
        after: "Where nothing fits, the text block carries `_meta: {\"nothing_relevant\": true}` and no citations.",
      },
      {
        id: "stream", title: "Stream an answer",
        text: "With `stream: true` the answer comes as server-sent events, in this order; `content_block_…` repeats for each block.\n\n| Event | Carries |\n|---|---|\n| `message_start` | the message without content, `usage.input_tokens` |\n| `content_block_start` | `index` and the empty block; the result of a tool comes whole |\n| `content_block_delta` | `text_delta`, `thinking_delta`, `signature_delta`, `input_json_delta`, or `citations_delta` right after the sentence that it supports |\n| `content_block_stop` | `index` |\n| `message_delta` | `stop_reason` and the final `usage` |\n| `message_stop` | the end |\n| `ping` | nothing; keeps the connection open |\n| `error` | an error after the first byte |\n\nClose the connection to stop. `POST /v1/messages/async` starts an answer that goes on without you: follow it by `GET /v1/messages/async/{id}/stream`, from any number of readers, from the start each time.",
        calls: [{ title: "The events of a cited answer", method: "POST", path: "v1/messages", stream: true, body: { ...base, stream: true, messages: question } }],
      },
      {
        id: "shape", title: "Answers as JSON",
        text: "`output_config.format` asks for one JSON document that is valid against your schema. It does not go together with citations.",
        calls: [{ title: "Fill a schema", method: "POST", path: "v1/messages", body: { model: "default", max_tokens: 300, tools: search, output_config: { format: { type: "json_schema", schema: { type: "object", properties: { days: { type: "integer" } }, required: ["days"], additionalProperties: false } } }, messages: question } }],
      },
      {
        id: "check", title: "Check and count before asking",
        text: "`validate` applies the same rules as the call itself and spends no tokens; `count_tokens` counts what the payload would take.",
        calls: [
          { title: "Validate", method: "POST", path: "v1/messages/validate", body: { ...base, messages: question } },
          { title: "Count tokens", method: "POST", path: "v1/messages/count_tokens", body: { model: "default", messages: question } },
        ],
      },
    ],
  },
  {
    title: "Search and tables",
    sections: [
      {
        id: "search", title: "Search passages",
        text: "`hybrid_search` looks by words and meaning, `keywords_search` by words alone. Scores are 0 to 1. `explain` adds the parts of each score and the words that match; `expand` the texts before and after.",
        calls: [{ title: "Search with reasons", method: "POST", path: "v1/primitives/search", body: { type: "hybrid_search", text: "paid leave", context_filter: { collection }, limit: 3, explain: true } }],
      },
      {
        id: "tables", title: "Ask sheets and databases",
        text: "Sheets and CSV files of a collection are asked with SQL that the model writes; the answer holds the statement, the rows as text and as CSV. `POST /v1/tools/database-query` does the same for PostgreSQL, MySQL, SQL Server and SQLite files. In a chat the tools are `tabular_analysis_v1` and `database_query_v1`.",
        calls: [
          { title: "Ingest a sheet", method: "POST", path: "v1/artifacts/ingest", body: { collection, artifact: "sales", input: { type: "text", value: "Region,Amount\nNorth,1200\nSouth,300\nNorth,99\n" }, metadata: { file_name: "sales.csv" } } },
          { title: "Ask the sheet", method: "POST", path: "v1/tools/tabular-data-analysis", body: { query: "What is the total amount per region?", context_filter: { collection, artifacts: ["sales"] } } },
        ],
      },
      {
        id: "embeddings", title: "Embeddings",
        text: "Vectors of the embedder that the index uses, in OpenAI's shape.",
        calls: [{ title: "Embed two strings", method: "POST", path: "v1/embeddings", body: { model: "default", input: ["paid leave", "holidays"], encoding_format: "base64" } }],
      },
    ],
  },
  {
    title: "More",
    sections: [
      {
        id: "files", title: "Files and skills",
        text: "Files belong to a session: `scope_id`, the name that a chat gives as `container`. Skills are bundles with a `SKILL.md`; a chat whose `skills_v1` tool names their collection sees what they are for and loads them when needed. Both take forms, in the shapes of Anthropic's SDKs.",
        calls: [
          { title: "The files of a session", method: "GET", path: "v1/files?scope_id=guide" },
          { title: "The skills of a collection", method: "GET", path: "v1/skills?collection=default" },
        ],
      },
      {
        id: "clients", title: "Other clients",
        text: "`/mcp` is the service as an MCP server (streamable HTTP), with its search as tools. Chats can use MCP servers of yours: `mcp_servers: [{name, url}]`. `Idempotency-Key` makes a creating POST safe to repeat for 24 hours.",
        calls: [{ title: "Ready, by part", method: "GET", path: "ready" }],
      },
      { id: "blocks", title: "Content blocks", text: "What the `content` of a message can hold, and the fields of each. Times and `_meta` are common to all." },
    ],
  },
] as const satisfies readonly Group[];

type AnyGroup = (typeof guide)[number];
type AnySection = AnyGroup["sections"][number];
export type GroupTitle = AnyGroup["title"];
export type SectionID = AnySection["id"];
export type CallTitle = Extract<AnySection, { calls: unknown }>["calls"][number]["title"];
