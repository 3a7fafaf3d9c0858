// What an answer says: its text with numbered citations, the passages that it was
// given, and whether each quotation stands in the stored text.
import type { Block, Chunk, Citation } from "../api";
import { docsOf } from "../state";
import { stored, type Place } from "../source/stored";
import { close, open, withoutMarks } from "../markdown";
import type { Scope, Turn } from "../history";
import { lines } from "./lines";

export interface Cited extends Citation { n: number; sentence: string }

export interface Answer {
  text: string; // Markdown with marks of citations
  plain: string;
  cited: Cited[];
  passages: Chunk[];
  thinking: string;
  tools: { name: string; input: unknown; result: string; failed: boolean }[];
  nothing: boolean; // no passage was relevant
}

const same = (a: Citation, b: Citation) =>
  a.artifact_id === b.artifact_id && a.start_char_index === b.start_char_index && a.end_char_index === b.end_char_index && a.cited_text === b.cited_text &&
  a.source_id === b.source_id;

export function read(blocks: Block[]): Answer {
  const out: Answer = { text: "", plain: "", cited: [], passages: [], thinking: "", tools: [], nothing: false };
  const before = lines(blocks, out.passages);
  for (const [at, b] of blocks.entries()) {
    switch (b.type) {
      case "text": {
        const text = withoutMarks(b.text ?? "");
        out.plain += text;
        const body = text.trim();
        const trail = body ? text.match(/\s*$/)![0] : "";
        let marked = before(at) + body;
        for (const c of b.citations ?? []) {
          let known = out.cited.find((one) => same(one, c));
          if (!known) out.cited.push((known = { ...c, n: out.cited.length + 1, sentence: body }));
          marked += open + known.n + close;
        }
        out.text += marked + trail;
        if (b._meta?.nothing_relevant) out.nothing = true;
        break;
      }
      case "thinking":
        out.thinking += (out.thinking && b.thinking ? "\n\n" : "") + (b.thinking ?? "");
        break;
      case "server_tool_use":
      case "mcp_tool_use":
        out.tools.push({ name: b.name ?? "", input: b.input, result: "", failed: false });
        break;
      default:
        if (b.type.endsWith("tool_result")) result(b, out);
    }
  }
  // The built-in model says so and quotes what comes nearest.
  if (out.plain.startsWith("Nothing relevant")) out.nothing = true;
  return out;
}

function result(b: Block, out: Answer) {
  const tool = out.tools.find((one) => !one.result);
  let text = typeof b.content === "string" ? b.content : "";
  if (Array.isArray(b.content)) {
    for (const part of b.content) {
      for (const chunk of part.sources ?? []) if (chunk.document && !out.passages.some((p) => p.id === chunk.id)) out.passages.push(chunk);
      if (part.type === "text") text += (text ? "\n\n" : "") + part.text;
    }
  }
  if (tool) [tool.result, tool.failed] = [text || "—", b.is_error ?? false];
}

export type Verdict = "stands" | "differs" | "gone";

/** collectionOf finds the collection of a cited document among those that were asked. */
export async function collectionOf(artifact: string, scope: Scope): Promise<string> {
  for (const name of scope.collections) {
    const list = await docsOf(name).catch(() => []);
    if (list.some((d) => d.artifact === artifact)) return name;
  }
  return scope.collections[0];
}

/** verify compares a quotation with the stored text at its place. */
export async function verify(c: Citation, scope: Scope): Promise<Verdict> {
  if (!c.artifact_id || c.cited_text === undefined || c.start_char_index === undefined) return "differs";
  try {
    const text = await stored(await collectionOf(c.artifact_id, scope), c.artifact_id);
    return text.slice(c.start_char_index, c.end_char_index) === c.cited_text ? "stands" : "differs";
  } catch {
    return "gone";
  }
}

/** placeOf says where a citation leads. */
export async function placeOf(turn: Turn, c: Cited): Promise<Place> {
  const passage = read(turn.blocks).passages.find((p) => p.id === c.source_id);
  const collection = await collectionOf(c.artifact_id ?? "", turn.scope);
  return {
    collection, artifact: c.artifact_id ?? "", title: c.document_title, start: c.start_char_index, end: c.end_char_index, quote: c.cited_text,
    page: c.page ?? passage?.metadata.page, n: c.n, hash: passage?.document.doc_metadata.content_hash,
  };
}
