// The open conversation: asking, the stream of an answer, stopping, asking again.
import { signal } from "@preact/signals";
import { Failure, stream, type Block, type Citation, type Message, type Usage } from "../api";
import { chatModels, collections, documents, loadDocuments, replace, standard } from "../state";
import { t } from "../i18n";
import { freshID, load, note, onChange, own, save, type Conversation, type Scope, type Turn } from "../history";

export const current = signal<Conversation | null>(null);
export const busy = signal(false);
export const thinking = signal(localStorage.getItem("lectern.thinking") === "yes");
let running: AbortController | null = null;

export function firstScope(): Scope {
  const kept = sessionStorage.getItem("lectern.scope");
  if (kept) {
    const scope: Scope = JSON.parse(kept);
    if (scope.collections.length && scope.collections.every((c) => collections.value.some((one) => one.name === c))) return scope;
  }
  const names = collections.value.map((c) => c.name);
  return { collections: names.includes(standard) ? [standard] : names.slice(0, 1), artifacts: [] };
}

export function begin(scope: Scope = firstScope()): Conversation {
  stop();
  const c: Conversation = { id: freshID(), title: "", created: Date.now(), updated: Date.now(), scope, model: "default", turns: [] };
  current.value = c;
  return c;
}

export async function openConversation(id: string): Promise<boolean> {
  if (current.value?.id === id) return true;
  stop();
  const c = await load(id);
  if (!c) return false;
  for (const turn of c.turns) if (turn.state === "streaming") turn.state = "stopped";
  note(c);
  current.value = c;
  return true;
}

// Another tab has gone on with the conversation that is open here.
onChange(async (id) => {
  if (busy.value || current.value?.id !== id) return;
  const c = await load(id);
  if (c) showAgain(c);
});

/** showAgain shows what has become of the open conversation, unless a question is being answered. */
function showAgain(c: Conversation) {
  if (busy.value || current.value?.id !== c.id) return;
  note(c);
  current.value = { ...c, scope: current.value.scope, model: current.value.model };
}

export function setScope(scope: Scope) {
  sessionStorage.setItem("lectern.scope", JSON.stringify(scope));
  current.value = { ...(current.value ?? begin(scope)), scope };
}

export function setModel(model: string) {
  if (current.value) current.value = { ...current.value, model };
}

export function stop() {
  running?.abort();
  [running, busy.value] = [null, false];
}

/** searchTool is what the model calls to find passages. */
export const searchTool = "search_documents";

const instruction = "Answer from the documents that the search tool finds, in the language of the question. Say so plainly when they do not answer it.";

/** contextOf returns the scope as the API's context items. */
export function contextOf(scope: Scope) {
  return scope.collections.map((collection) => ({
    type: "ingested_artifact",
    context_filter: { collection, ...(scope.artifacts.length && collection === scope.collections[0] ? { artifacts: scope.artifacts } : {}) },
  }));
}

export function requestOf(question: string, scope: Scope, model: string, before: Turn[] = [], withThinking = false) {
  const messages = before.filter((turn) => turn.state !== "failed").flatMap((turn) => {
    const text = turn.blocks.filter((b) => b.type === "text").map((b) => b.text).join("").trim();
    return text ? [{ role: "user", content: turn.question }, { role: "assistant", content: text }] : [];
  });
  const found = chatModels.value.find((m) => m.id === model) ?? chatModels.value[0];
  return {
    model, max_tokens: Math.min(found?.max_tokens || 4096, 4096),
    system: [{ text: instruction, citations: { enabled: true }, extensions: ["vendor"] }],
    tools: [{ name: searchTool, type: "semantic_search_v1", context: contextOf(scope) }],
    ...(withThinking && found?.capabilities.thinking.supported ? { thinking: { enabled: true } } : {}),
    messages: [...messages, { role: "user", content: question }],
  };
}

type Event =
  | { type: "message_start"; message: Message }
  | { type: "content_block_start"; index: number; content_block: Block }
  | { type: "content_block_delta"; index: number; delta: { type: string; text?: string; thinking?: string; partial_json?: string; citation?: Citation } }
  | { type: "content_block_stop"; index: number }
  | { type: "message_delta"; delta: { stop_reason: string | null }; usage: Usage }
  | { type: "error"; error: { message: string } }
  | { type: "ping" } | { type: "message_stop" };

/** ask puts a question; at replaces that turn and what came after it. */
export async function ask(question: string, at?: number) {
  question = question.trim();
  const c = current.value ?? begin();
  if (!question || !c.scope.collections.length) return;
  stop();
  const before = c.turns.slice(0, at ?? c.turns.length);
  const turn: Turn = { id: freshID(), question, scope: c.scope, model: c.model, blocks: [], state: "streaming", asked: Date.now() };
  own(turn);
  const next: Conversation = { ...c, turns: [...before, turn], updated: Date.now(), title: before.length ? c.title : question };
  current.value = next;
  replace("ask", next.id);
  const control = (running = new AbortController());
  busy.value = true;
  const started = performance.now();
  const took = () => (performance.now() - started) / 1000;
  let drawn = 0;
  const draw = (now = false) => {
    if (current.value?.id !== next.id) return;
    if (now) { cancelAnimationFrame(drawn); drawn = 0; }
    else if (drawn) return;
    const show = () => {
      drawn = 0;
      if (current.value?.id === next.id) {
        current.value = { ...current.value, turns: current.value.turns.map((one) => (one.id === turn.id ? { ...turn, blocks: [...turn.blocks] } : one)) };
      }
    };
    if (now) show();
    else drawn = requestAnimationFrame(show);
  };
  let whole = false; // the answer came to its end
  try {
    await save(next);
    turn.of = await reach(c.scope);
    for await (const e of stream<Event>("v1/messages", { ...requestOf(question, c.scope, c.model, before, thinking.value), stream: true }, control.signal)) {
      take(turn, e, took);
      whole ||= e.type === "message_stop";
      draw();
    }
    if (turn.state === "streaming") {
      if (!whole) throw new Failure(0, t("The connection was lost."));
      turn.state = "done";
    }
  } catch (e) {
    if ((e as Error).name === "AbortError") turn.state = "stopped";
    else {
      [turn.state, turn.error] = ["failed", e instanceof Failure ? e.said : String(e)];
      if (turn.blocks.length) turn.error += ` ${t("The answer is not complete.")}`;
      if (e instanceof Failure && e.wait) turn.again = Date.now() + e.wait * 1000;
    }
  }
  turn.seconds = took();
  if (running === control) [running, busy.value] = [null, false];
  draw(true);
  const open = current.value?.id === next.id;
  const kept = await save(open ? current.value! : { ...next, turns: [...before, turn] });
  showAgain(kept);
}

/** reach counts the documents that a question may be answered from. */
async function reach(scope: Scope): Promise<number> {
  for (const name of scope.collections) {
    const c = collections.value.find((one) => one.name === name);
    if (!documents.value[name] || documents.value[name].length !== c?.artifacts) void loadDocuments(name).catch(() => {});
  }
  if (scope.artifacts.length) return scope.artifacts.length;
  return scope.collections.reduce((sum, name) => sum + (collections.value.find((c) => c.name === name)?.artifacts ?? 0), 0);
}

function take(turn: Turn, e: Event, took: () => number) {
  const blocks = turn.blocks;
  switch (e.type) {
    case "message_start":
      turn.model = e.message.model;
      turn.usage = e.message.usage;
      break;
    case "content_block_start":
      blocks[e.index] = { ...e.content_block, citations: [...(e.content_block.citations ?? [])] };
      break;
    case "content_block_delta": {
      const b = (blocks[e.index] = { ...blocks[e.index] });
      const d = e.delta;
      if (d.type === "text_delta") {
        b.text = (b.text ?? "") + d.text;
        turn.firstWord ??= took();
      } else if (d.type === "thinking_delta") b.thinking = (b.thinking ?? "") + d.thinking;
      else if (d.type === "citations_delta" && d.citation) b.citations = [...(b.citations ?? []), d.citation];
      else if (d.type === "input_json_delta") b.input = (typeof b.input === "string" ? b.input : "") + d.partial_json;
      break;
    }
    case "message_delta":
      turn.usage = e.usage;
      turn.stopReason = e.delta.stop_reason;
      break;
    case "error":
      [turn.state, turn.error] = ["failed", e.error.message];
  }
}
