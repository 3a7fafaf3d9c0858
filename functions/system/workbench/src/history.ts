// Conversations, kept in this browser alone.
import { signal } from "@preact/signals";
import type { Block, Usage } from "./api";

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

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  return (opened ??= new Promise((done, failed) => {
    const r = indexedDB.open("lectern", 1);
    r.onupgradeneeded = () => r.result.createObjectStore("conversations", { keyPath: "id" });
    r.onsuccess = () => done(r.result);
    r.onerror = () => failed(r.error);
  }));
}

async function run<T>(mode: IDBTransactionMode, work: (s: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await database();
  return new Promise((done, failed) => {
    const r = work(db.transaction("conversations", mode).objectStore("conversations"));
    r.onsuccess = () => done(r.result);
    r.onerror = () => failed(r.error);
  });
}

export async function loadEntries() {
  try {
    const all = await run<Conversation[]>("readonly", (s) => s.getAll());
    entries.value = all.map(({ id, title, updated }) => ({ id, title, updated })).sort((a, b) => b.updated - a.updated);
  } catch { /* a private window may refuse storage: then nothing is kept */ }
}

export async function save(c: Conversation) {
  entries.value = [{ id: c.id, title: c.title, updated: c.updated }, ...entries.value.filter((e) => e.id !== c.id)];
  await run("readwrite", (s) => s.put(structuredClone(c))).catch(() => {});
}

export async function load(id: string): Promise<Conversation | undefined> {
  return run<Conversation | undefined>("readonly", (s) => s.get(id)).catch(() => undefined);
}

export async function forget(id: string) {
  entries.value = entries.value.filter((e) => e.id !== id);
  await run("readwrite", (s) => s.delete(id)).catch(() => {});
}

export function freshID(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (b) => (b % 36).toString(36)).join("");
}
