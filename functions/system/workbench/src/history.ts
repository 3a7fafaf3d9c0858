// Conversations, kept in this browser alone.
import { signal } from "@preact/signals";
import type { Block, Usage } from "./api";
import { Kept } from "./kept";

export interface Scope { collections: string[]; artifacts: string[] } // no artifacts: all; artifacts are of the first collection
export type State = "streaming" | "done" | "stopped" | "failed";

export interface Turn {
  id: string;
  question: string;
  scope: Scope;
  model: string;
  blocks: Block[];
  state: State;
  error?: string;
  again?: number; // time from which it may be asked again, when the service said so
  usage?: Usage;
  stopReason?: string | null;
  seconds?: number;
  firstWord?: number; // seconds
  of?: number; // documents that were in reach
  asked: number;
}

export interface Conversation { id: string; title: string; created: number; updated: number; scope: Scope; model: string; turns: Turn[] }
export interface Entry { id: string; title: string; updated: number }

export const entries = signal<Entry[]>([]);

export const conversations = new Kept<Conversation>("lectern", "conversations");

// Tabs tell each other what they keep.
const others = new BroadcastChannel("lectern.conversations");
let changed = (_id: string) => {};
others.onmessage = (e: MessageEvent<string>) => { void loadEntries(); changed(e.data); };

/** onChange calls back with the id of a conversation that another tab keeps or forgets. */
export function onChange(call: (id: string) => void) {
  changed = call;
}

export async function loadEntries() {
  const all = await conversations.all();
  entries.value = all.map(({ id, title, updated }) => ({ id, title, updated })).sort((a, b) => b.updated - a.updated);
}

// Of turns that this tab has not asked, what is kept is the truth. One that it has not even shown was asked in
// another tab, and stays.
const asked = new Set<string>(), shown = new Set<string>();

/** note says that a conversation is shown as it is. */
export const note = (c: Conversation) => { for (const turn of c.turns) shown.add(turn.id); };

/** own says that this tab asks a turn. */
export const own = (turn: Turn) => asked.add(turn.id);

/** save keeps a conversation, with what other tabs have made of it, and returns it. */
export async function save(c: Conversation): Promise<Conversation> {
  note(c);
  entries.value = [{ id: c.id, title: c.title, updated: c.updated }, ...entries.value.filter((e) => e.id !== c.id)];
  const out = await conversations.put(c.id, (before) => {
    const there = before?.turns ?? [];
    const kept = c.turns.map((turn) => (asked.has(turn.id) ? turn : there.find((one) => one.id === turn.id) ?? turn));
    const added = there.filter((turn) => !shown.has(turn.id));
    return { ...structuredClone(c), turns: [...kept, ...added].sort((a, b) => a.asked - b.asked) };
  });
  others.postMessage(c.id);
  return out;
}

export const load = conversations.find;

export async function forget(id: string) {
  entries.value = entries.value.filter((e) => e.id !== id);
  await conversations.drop(id);
  others.postMessage(id);
}

export function freshID(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (b) => (b % 36).toString(36)).join("");
}
