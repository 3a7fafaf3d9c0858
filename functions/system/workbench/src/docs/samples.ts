// An example of each operation, as curl, Python and TypeScript: the guide's where it has one,
// else made of what the description says is needed.
import { dialects, json, write } from "./code";
import { guide, type Call, type Group } from "./guide";
import type { Schema } from "./reference";

export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  schema?: Schema;
}
export interface Operation {
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  "x-codeSamples"?: Sample[];
}
interface Sample {
  lang: string;
  label: string;
  source: string;
}
type Schemas = Record<string, Schema>;

// Values that say more than their type.
const values: Record<string, unknown> = {
  collection: "guide",
  artifact: "handbook",
  artifact_id: "handbook",
  model: "default",
  max_tokens: 300,
  query: "How many days of paid leave are there?",
  text: "paid leave",
  type: "hybrid_search",
  cited_text: "28 days of paid leave",
  name: "shop",
  collections: ["guide"],
  url: "https://example.com/",
  file_name: "handbook.pdf",
  size_bytes: 120000,
  prompt: "\n\nHuman: How many days of paid leave are there?\n\nAssistant:",
  input: "How many days of paid leave are there?",
  messages: [{ role: "user", content: "How many days of paid leave are there?" }],
  context_filter: { collection: "guide" },
  artifacts: ["handbook"],
  code_verifier: "a-random-text-of-43-to-128-characters-kept-by-the-page",
  code: "CODE",
  redirect_uri: "https://lectern.example.com/",
  scope_id: "trip",
  custom_id: "first",
  max_tokens_to_sample: 300,
  start: 0,
  end: 40,
};

// Bodies whose parts depend on each other.
const bodies: Record<string, unknown> = {
  "/mcp": { jsonrpc: "2.0", id: 1, method: "tools/list" },
  "/v1/artifacts/convert": {
    input: { type: "text", value: "# Leave\n\nEvery employee has 28 days." },
    metadata: { file_name: "handbook.md" },
  },
  "/v1/artifacts/delete/async": { delete_body: { collection: "guide", artifact: "security" } },
  "/v1/messages/batches": {
    requests: [
      {
        custom_id: "first",
        params: { model: "default", max_tokens: 300, messages: [{ role: "user", content: "How many days of paid leave are there?" }] },
      },
    ],
  },
  "/v1/tools/database-query": {
    query: "How many orders are there per month?",
    artifacts: [{ type: "sql_database", connection_string: "postgresql://reader:secret@db.example.com/shop" }],
  },
  "/v1/chat/completions": { model: "default", messages: [{ role: "user", content: "How many days of paid leave are there?" }] },
  "/v1/embeddings": { model: "default", input: ["paid leave"] },
};

function example(schema: Schema | undefined, all: Schemas, name = "", depth = 0): unknown {
  if (name in values) return values[name];
  if (!schema || depth > 5) return null;
  if (schema.$ref) return example(all[schema.$ref.split("/").at(-1)!], all, name, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.length) return schema.enum[0];
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  const one = (schema.anyOf ?? schema.oneOf)?.find((s) => s.type !== "null");
  if (one) return example(one, all, name, depth + 1);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return Object.fromEntries((schema.required ?? []).map((k) => [k, example(schema.properties?.[k], all, k, depth + 1)]));
    case "array":
      return [example(schema.items, all, "", depth + 1)];
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return false;
    default:
      return "…";
  }
}

const guided = new Map(
  (guide as readonly Group[])
    .flatMap((g) => g.sections)
    .flatMap((s) => s.calls ?? [])
    .reverse()
    .map((c) => [`${c.method} /${c.path.split("?")[0]}`, c]),
);

/** call is an example of an operation with a JSON body or none. */
export function call(method: string, path: string, op: Operation, all: Schemas): Call {
  const known = guided.get(`${method} ${path}`);
  if (known && !known.stream) return known;
  const query = (op.parameters ?? [])
    .filter((p) => p.in === "query" && p.required && p.name)
    .map((p) => `${p.name}=${encodeURIComponent(String(example(p.schema, all, p.name)))}`);
  const at =
    path.slice(1).replace(/\{(\w+)(\.{3})?\}/g, (_, name: string) => String(values[name] ?? name.toUpperCase())) +
    (query.length ? `?${query.join("&")}` : "");
  const schema = op.requestBody?.content["application/json"]?.schema;
  const body = schema ? (bodies[path] ?? example(schema, all)) : undefined;
  return {
    title: "",
    method: method as Call["method"],
    path: at,
    ...(body !== undefined ? { body: body as Record<string, unknown> } : {}),
  };
}

/** form is an example of an operation that takes a form alone. */
function form(method: string, path: string, op: Operation, all: Schemas, root: string): Sample[] {
  const fields = Object.entries(example(op.requestBody!.content["multipart/form-data"].schema, all) as Record<string, unknown>).filter(
    ([k]) => !/^files?$/.test(k),
  );
  const part = "files" in (resolved(op, all).properties ?? {}) ? "files" : "file",
    name = part === "files" ? "SKILL.md" : "handbook.pdf";
  if (!fields.some(([k]) => k === "scope_id") && path === "/v1/files") fields.push(["scope_id", "trip"]);
  const url = `${root}${path.replace(/\{(\w+)\}/g, (_, k: string) => k.toUpperCase())}`;
  const lines = {
    curl: [`curl -s '${url}'${fields.map(([k, v]) => ` -F '${k}=${v}'`).join("")} -F '${part}=@${name}'`],
    Python: [
      "import httpx",
      "",
      `form = ${json(Object.fromEntries(fields))}`,
      `answer = httpx.${method.toLowerCase()}("${url}", data=form, files={"${part}": open("${name}", "rb")})`,
      "print(answer.raise_for_status().json())",
    ],
    TypeScript: [
      `import { openAsBlob } from "node:fs";`,
      "",
      "const form = new FormData();",
      ...fields.map(([k, v]) => `form.set(${JSON.stringify(k)}, ${JSON.stringify(v)});`),
      `form.set("${part}", await openAsBlob("${name}"), "${name}");`,
      `const answer = await fetch("${url}", { method: "${method}", body: form });`,
      "console.log(await answer.json());",
    ],
  };
  return Object.entries(lines).map(([label, code]) => ({ lang: label === "curl" ? "Shell" : label, label, source: code.join("\n") }));
}

function resolved(op: Operation, all: Schemas): Schema {
  const schema = op.requestBody?.content["multipart/form-data"]?.schema ?? {};
  return schema.$ref ? (all[schema.$ref.split("/").at(-1)!] ?? {}) : schema;
}

/** samples are the examples of an operation in each language. */
export function samples(method: string, path: string, op: Operation, all: Schemas, root: string, signedIn: boolean): Sample[] {
  const kinds = Object.keys(op.requestBody?.content ?? {});
  if (kinds.length && !kinds.includes("application/json")) return form(method, path, op, all, root.replace(/\/$/, ""));
  const c = call(method, path, op, all);
  return dialects.map(([dialect, label]) => ({
    lang: dialect === "curl" ? "Shell" : label,
    label,
    source: write(c, dialect, root, signedIn),
  }));
}
