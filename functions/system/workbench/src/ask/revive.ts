// Conversations out of a file, which anybody may have written: of what it holds only the
// fields that the page reads are taken, each with the type that it should have.
import type { Block, Chunk, Citation, Usage } from "../api";
import type { Conversation, Scope, State, Turn } from "../history";

type Given = Record<string, unknown>;

const object = (v: unknown): Given => (typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Given) : {});
const list = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);
const text = (v: unknown): string => (typeof v === "string" ? v : "");
const texts = (v: unknown): string[] => list(v).filter((one) => typeof one === "string");
const maybe = <T>(v: unknown, type: "string" | "number" | "boolean"): T | undefined => (typeof v === type ? (v as T) : undefined);
const words = (v: unknown) => maybe<string>(v, "string"),
  number = (v: unknown) => maybe<number>(v, "number");

function citation(v: unknown): Citation {
  const c = object(v);
  return {
    type: words(c.type),
    cited_text: words(c.cited_text),
    start_char_index: number(c.start_char_index),
    end_char_index: number(c.end_char_index),
    artifact_id: words(c.artifact_id),
    source_id: words(c.source_id),
    document_title: words(c.document_title),
    page: number(c.page),
    headings: texts(c.headings),
  };
}

function chunk(v: unknown): Chunk {
  const c = object(v),
    document = object(c.document),
    about = object(document.doc_metadata),
    m = object(c.metadata);
  return {
    id: text(c.id),
    score: number(c.score) ?? 0,
    text: text(c.text),
    document: {
      artifact: text(document.artifact),
      doc_metadata: {
        file_name: text(about.file_name),
        file_type: text(about.file_type),
        title: words(about.title),
        chunk_count: 0,
        token_count: 0,
        content_hash: text(about.content_hash),
        ingested_at: text(about.ingested_at),
      },
    },
    metadata: {
      start_char_index: number(m.start_char_index) ?? 0,
      end_char_index: number(m.end_char_index) ?? 0,
      headings: texts(m.headings),
      page: number(m.page),
      order: number(m.order) ?? 0,
      tokens: number(m.tokens) ?? 0,
      file_name: text(m.file_name),
    },
  };
}

const deepest = 4; // blocks within blocks

function block(v: unknown, depth = 0): Block {
  const b = object(v);
  return {
    type: text(b.type),
    text: words(b.text),
    thinking: words(b.thinking),
    id: words(b.id),
    name: words(b.name),
    is_error: maybe<boolean>(b.is_error, "boolean"),
    ...(b.citations !== undefined ? { citations: list(b.citations).map(citation) } : {}),
    ...(b.sources !== undefined ? { sources: list(b.sources).map(chunk) } : {}),
    ...(typeof b.content === "string" ? { content: b.content } : {}),
    ...(Array.isArray(b.content) && depth < deepest ? { content: b.content.map((one) => block(one, depth + 1)) } : {}),
    ...(b.input !== undefined ? { input: JSON.stringify(b.input) } : {}),
    ...(object(b._meta).nothing_relevant === true ? { _meta: { nothing_relevant: true } } : {}),
  };
}

function scope(v: unknown): Scope {
  const s = object(v);
  return { collections: texts(s.collections), artifacts: texts(s.artifacts) };
}

const states: State[] = ["done", "stopped", "failed"];

function turn(v: unknown, id: string, at: number): Turn {
  const one = object(v),
    usage = object(one.usage);
  const tokens: Usage = { input_tokens: number(usage.input_tokens) ?? 0, output_tokens: number(usage.output_tokens) ?? 0 };
  return {
    id,
    question: text(one.question),
    scope: scope(one.scope),
    model: text(one.model),
    blocks: list(one.blocks).map((b) => block(b)),
    state: states.find((s) => s === one.state) ?? "stopped",
    ...(one.usage !== undefined ? { usage: tokens } : {}),
    seconds: number(one.seconds),
    of: number(one.of),
    asked: Date.parse(text(one.asked)) || at,
  };
}

/** revive returns a conversation with fresh ids, or throws when the value is none of the format. */
export function revive(v: unknown, format: string, freshID: () => string): Conversation {
  const c = object(v);
  const turns = list(c.turns);
  if (c.format !== format || !turns.length) throw new Error("not a conversation");
  const created = Date.parse(text(c.created)) || 0;
  return {
    id: freshID(),
    title: text(c.title),
    created,
    updated: Date.now(),
    scope: scope(c.scope),
    model: "default",
    turns: turns.map((one, i) => turn(one, freshID(), created + i)),
  };
}
