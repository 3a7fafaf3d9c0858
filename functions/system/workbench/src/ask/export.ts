// Conversations as Markdown and JSON, with sources that say where they stand.
import { read } from "./answer";
import { download } from "../state";
import type { Conversation, Turn } from "../history";

export function asMarkdown(turns: Turn[]): string {
  return turns.map((turn) => {
    const a = read(turn.blocks);
    const text = a.text.replace(/\s*\uE000(\d+)\uE001/g, " [$1]").trim();
    const sources = a.cited.map((c) =>
      `[${c.n}] ${c.document_title ?? c.artifact_id}${c.page ? `, page ${c.page}` : ""}: “${(c.cited_text ?? "").replace(/\s+/g, " ")}”`);
    return [`## ${turn.question}`, text, sources.join("\n\n")].filter(Boolean).join("\n\n");
  }).join("\n\n") + "\n";
}

const fileName = (c: Conversation) => c.title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60).replace(/^-|-$/g, "") || "conversation";

export function exportMarkdown(c: Conversation) {
  download(`${fileName(c)}.md`, `# ${c.title}\n\n${asMarkdown(c.turns)}`, "text/markdown");
}

export function exportJSON(c: Conversation) {
  const turns = c.turns.map((turn) => {
    const a = read(turn.blocks);
    return {
      question: turn.question, answer: a.plain.trim(), model: turn.model, asked: new Date(turn.asked).toISOString(), scope: turn.scope,
      sources: a.cited.map((s) => ({
        n: s.n, artifact: s.artifact_id, title: s.document_title, page: s.page, quote: s.cited_text, start: s.start_char_index, end: s.end_char_index,
        content_hash: a.passages.find((p) => p.id === s.source_id)?.document.doc_metadata.content_hash,
      })),
    };
  });
  download(`${fileName(c)}.json`, JSON.stringify({ title: c.title, created: new Date(c.created).toISOString(), turns }, null, 2), "application/json");
}
