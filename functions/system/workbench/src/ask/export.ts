// Conversations as Markdown and JSON, with sources that open the place where they stand, and
// conversations that are brought back from JSON.
import { placeOf, read } from "./answer";
import { conversations, freshID, save, type Conversation, type Turn } from "../history";
import { linkTo } from "../source/stored";
import { download } from "../state";
import { revive } from "./revive";

const format = "lectern-conversation-1";

const escaped = (s: string) => s.replace(/[\\[\]]/g, (c) => `\\${c}`);

async function turnAsMarkdown(turn: Turn): Promise<string> {
  const a = read(turn.blocks);
  const text = a.text.replace(/\s*\uE000(\d+)\uE001/g, " [$1]").trim();
  const sources = await Promise.all(
    a.cited.map(async (c) => {
      const title = escaped(`${c.document_title ?? c.artifact_id}${c.page ? `, page ${c.page}` : ""}`);
      return `[${c.n}] [${title}](${linkTo(await placeOf(turn, c))}): “${(c.cited_text ?? "").replace(/\s+/g, " ")}”`;
    }),
  );
  return [`## ${turn.question}`, text, sources.join("\n\n")].filter(Boolean).join("\n\n");
}

export async function asMarkdown(turns: Turn[]): Promise<string> {
  return (await Promise.all(turns.map(turnAsMarkdown))).join("\n\n") + "\n";
}

const fileName = (c: Conversation) =>
  c.title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 60)
    .replace(/^-|-$/g, "") || "conversation";

export async function exportMarkdown(c: Conversation) {
  download(`${fileName(c)}.md`, `# ${c.title}\n\n${await asMarkdown(c.turns)}`, "text/markdown");
}

/** exported says what a turn answered in words of its own; blocks are what brings it back. */
async function exported(turn: Turn) {
  const a = read(turn.blocks);
  return {
    question: turn.question,
    answer: a.plain.trim(),
    model: turn.model,
    asked: new Date(turn.asked).toISOString(),
    scope: turn.scope,
    sources: await Promise.all(
      a.cited.map(async (c) => {
        const p = await placeOf(turn, c);
        return {
          n: c.n,
          collection: p.collection,
          artifact: p.artifact,
          title: p.title,
          page: p.page,
          quote: p.quote,
          start: p.start,
          end: p.end,
          content_hash: p.hash,
          url: linkTo(p),
        };
      }),
    ),
    state: turn.state,
    of: turn.of,
    usage: turn.usage,
    seconds: turn.seconds,
    blocks: turn.blocks,
  };
}

async function asJSON(c: Conversation) {
  return {
    format,
    title: c.title,
    created: new Date(c.created).toISOString(),
    scope: c.scope,
    turns: await Promise.all(c.turns.map(exported)),
  };
}

const write = (name: string, value: unknown) => download(name, JSON.stringify(value, null, 2), "application/json");

export async function exportJSON(c: Conversation) {
  write(`${fileName(c)}.json`, await asJSON(c));
}

export async function exportAll() {
  write("conversations.json", await Promise.all((await conversations.all()).map(asJSON)));
}

/** importFile keeps the conversations of an exported file as new ones, and returns the id of the first. */
export async function importFile(file: File): Promise<string> {
  const value: unknown = JSON.parse(await file.text());
  const all = (Array.isArray(value) ? value : [value]).map((one) => revive(one, format, freshID));
  if (!all.length) throw new Error("no conversation");
  for (const c of all) await save(c);
  return all[0].id;
}
