// A call written as curl, Python and TypeScript.
import type { Call } from "./guide";

export type Dialect = "curl" | "python" | "typescript";
export const dialects: [Dialect, string][] = [["curl", "curl"], ["python", "Python"], ["typescript", "TypeScript"]];

/** json writes short lists and objects on one line, as people do. */
export function json(v: unknown, indent = "", width = 92): string {
  const flat = one(v);
  if (flat.length + indent.length <= width || typeof v !== "object" || v === null) return flat;
  const inner = indent + "  ";
  if (Array.isArray(v)) return `[\n${v.map((x) => inner + json(x, inner, width)).join(",\n")}\n${indent}]`;
  return `{\n${Object.entries(v).map(([k, x]) => `${inner}${JSON.stringify(k)}: ${json(x, inner, width)}`).join(",\n")}\n${indent}}`;
}

function one(v: unknown): string {
  if (Array.isArray(v)) return `[${v.map(one).join(", ")}]`;
  if (typeof v === "object" && v !== null) return `{${Object.entries(v).map(([k, x]) => `${JSON.stringify(k)}: ${one(x)}`).join(", ")}}`;
  return JSON.stringify(v);
}

const python = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"|\b(true|false|null)\b/g, (all, word) => ({ true: "True", false: "False", null: "None" })[word as string] ?? all);
const bare = (text: string) => text.replace(/^(\s*|.*[{,] ?)"(\w+)": /gm, "$1$2: ").replace(/([{,] )"(\w+)": /g, "$1$2: ");

export function write(c: Call, dialect: Dialect, address: string, signedIn: boolean): string {
  const root = address.replace(/\/$/, "");
  const body = c.body && json(c.body);
  const sdk = c.path === "v1/messages" && c.method === "POST";
  switch (dialect) {
    case "curl": {
      const key = signedIn ? ` -H "Authorization: Bearer $LECTERN_KEY"` : "";
      const verb = c.method === "DELETE" ? " -X DELETE" : "";
      return `curl -s${c.stream ? "N" : ""}${verb} '${root}/${c.path}'${key}${body ? ` -d '${body.replaceAll("'", "'\\''")}'` : ""}`;
    }
    case "python": {
      const key = signedIn ? `os.environ["LECTERN_KEY"]` : `"none"`;
      if (sdk) {
        const fields = Object.entries(c.body!).filter(([k]) => k !== "stream").map(([k, v]) => `    ${k}=${python(json(v, "    "))},`).join("\n");
        const client = `${signedIn ? "import os\n" : ""}import anthropic\n\nclient = anthropic.Anthropic(base_url="${root}", api_key=${key})\n`;
        return c.stream ? `${client}with client.messages.stream(\n${fields}\n) as stream:\n    for text in stream.text_stream:\n        print(text, end="", flush=True)\n`
          : `${client}message = client.messages.create(\n${fields}\n)\nfor block in message.content:\n    if block.type == "text":\n        print(block.text, [c.cited_text for c in block.citations or []])\n`;
      }
      const headers = signedIn ? `, headers={"Authorization": "Bearer " + ${key}}` : "";
      return `${signedIn ? "import os\n" : ""}import httpx\n\nanswer = httpx.${c.method.toLowerCase()}("${root}/${c.path}"${body ? `, json=${python(body)}` : ""}${headers}).raise_for_status()\nprint(answer.json())\n`;
    }
    case "typescript": {
      const key = signedIn ? "process.env.LECTERN_KEY" : `"none"`;
      if (sdk) {
        const rest = bare(json(Object.fromEntries(Object.entries(c.body!).filter(([k]) => k !== "stream"))));
        const client = `import Anthropic from "@anthropic-ai/sdk";\n\nconst client = new Anthropic({ baseURL: "${root}", apiKey: ${key} });\n`;
        return c.stream ? `${client}const stream = client.messages.stream(${rest} as Anthropic.MessageStreamParams);\nstream.on("text", (text) => process.stdout.write(text));\nawait stream.finalMessage();\n`
          : `${client}const message = await client.messages.create(${rest} as Anthropic.MessageCreateParamsNonStreaming);\nfor (const block of message.content) if (block.type === "text") console.log(block.text, block.citations);\n`;
      }
      const options = [c.method !== "GET" ? `method: "${c.method}"` : "", signedIn ? `headers: { Authorization: \`Bearer \${process.env.LECTERN_KEY}\` }` : "", body ? `body: JSON.stringify(${bare(body)})` : ""].filter(Boolean);
      return `const answer = await fetch("${root}/${c.path}"${options.length ? `, {\n  ${options.join(",\n  ")},\n}` : ""});\nconsole.log(await answer.json());\n`;
    }
  }
}
