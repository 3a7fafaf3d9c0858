// Calls of the service, which is the origin of this page. Addresses are relative to
// the page, so that a stage path before them stays.
import { signal } from "@preact/signals";
import { duration, t, type Text } from "./i18n";

const base = new URL(".", document.baseURI);

export const needsKey = signal(false);
const keyName = "lectern.key";

export function key(): string {
  return sessionStorage.getItem(keyName) ?? "";
}

/** setKey keeps a key until the tab is closed: a token, or user:password. */
export function setKey(value: string) {
  value = value.trim().replace(/^(Basic|Bearer)\s+/i, "");
  if (value.includes(":")) value = btoa(String.fromCharCode(...new TextEncoder().encode(value)));
  if (value) sessionStorage.setItem(keyName, value);
  else sessionStorage.removeItem(keyName);
}

export interface SignIn { available: boolean; authorization_endpoint: string; client_id: string; scope: string }
const pending = "lectern.sign-in";
const encode = (raw: Uint8Array) => btoa(String.fromCharCode(...raw)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** signIn leaves this page for the provider's, which sends a code back. */
export async function signIn(to: SignIn) {
  const chance = () => encode(crypto.getRandomValues(new Uint8Array(32)));
  const verifier = chance(), state = chance(), redirect = base.href;
  const challenge = encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
  sessionStorage.setItem(pending, JSON.stringify({ verifier, state, redirect, hash: location.hash }));
  const there = new URL(to.authorization_endpoint);
  const query = {
    response_type: "code", client_id: to.client_id, redirect_uri: redirect, scope: to.scope, state, code_challenge: challenge, code_challenge_method: "S256",
  };
  for (const [k, v] of Object.entries(query)) there.searchParams.set(k, v);
  location.assign(there);
}

interface Pending { verifier: string; state: string; redirect: string; hash: string }

/** finishSignIn takes the code that the provider sent back, if it did, and returns what went wrong. */
export async function finishSignIn(): Promise<string> {
  const back = new URLSearchParams(location.search);
  const kept = JSON.parse(sessionStorage.getItem(pending) ?? "null") as Pending | null;
  if (!back.has("state") || !kept) return "";
  sessionStorage.removeItem(pending);
  history.replaceState(null, "", base.href + kept.hash);
  if (back.get("state") !== kept.state) return t("The answer of the sign-in page is not for this page.");
  if (!back.has("code")) return back.get("error_description") ?? back.get("error") ?? t("The sign-in page gave no code.");
  try {
    const code = { code: back.get("code"), code_verifier: kept.verifier, redirect_uri: kept.redirect };
    const got = await post<{ access_token: string }>("sign-in", code);
    setKey(got.access_token);
    return "";
  } catch (e) {
    return (e as Error).message;
  }
}

export interface Problem { loc: (string | number)[]; msg: string; type: string }

/** Failure is an answer >= 400, or no answer: then status is 0. After wait seconds, which the message tells and said leaves
 * out, it may be tried again; 0 says nothing about it. */
export class Failure extends Error {
  constructor(
    readonly status: number, readonly said: string, readonly code = "", readonly request = "", readonly details: unknown = undefined,
    readonly wait = 0,
  ) {
    super(wait > 1 ? `${said} ${t("It may be asked again in {time}.", { time: duration(wait) })}` : said);
  }
}

// What the service says in English, said in the language of the page where it is known.
const meanings: Record<string, Text> = {
  encrypted_file: "The file is protected by a password.", malformed_file: "The file is damaged, or not what its name says.",
  mismatched_mime_type: "The file is damaged, or not what its name says.", empty_document: "The file holds no text.",
  too_many_pages: "The file has too many pages.", too_large: "This is larger than the service takes.",
  unsupported_extension: "Files of this kind cannot be read.",
};

export function meaning(status: number, code: string, said: string): string {
  if (status === 429) return t("Too much was asked at once.");
  if (status === 503) return t("The service cannot answer just now.");
  if (status === 413) return t("This is larger than the service takes.");
  if (meanings[code]) return t(meanings[code]);
  if (document.documentElement.lang === "en") return said;
  if (status === 403) return t("This key may not do that.");
  return said;
}

/** lost is a connection that ended too early, or was never there. */
const lost = () => new Failure(0, t("The service does not answer."));

// Calls that were refused for want of a key wait until one was given, and are then sent again.
let waiting: (() => void)[] = [];

/** keyEntered sends again what waits for a key. */
export function keyEntered() {
  needsKey.value = false;
  const all = waiting;
  waiting = [];
  for (const go of all) go();
}

function untilKey(signal?: AbortSignal | null): Promise<void> {
  needsKey.value = true;
  return new Promise((go, drop) => {
    waiting.push(go);
    signal?.addEventListener("abort", () => drop(signal.reason), { once: true });
  });
}

export function address(path: string): string {
  // URLs that the service signs for itself name the host that it knows; behind a proxy the page's own address is right.
  path = path.replace(/^https?:\/\/[^/]+(?=\/v1\/blobs\/)/, "");
  return new URL(path.replace(/^\//, ""), base).href;
}

/** headers adds the key, which goes to the service alone: an upload may have an address of the object store. */
function headers(to: string, more?: HeadersInit): Headers {
  const h = new Headers(more);
  if (key() && new URL(to).origin === base.origin) h.set("Authorization", `Bearer ${key()}`);
  return h;
}

/** send sends a request and returns its answer, or throws a Failure. Without a key that counts it waits for one; once does not. */
export async function send(path: string, init: RequestInit = {}, once = false): Promise<Response> {
  let res: Response;
  const used = key();
  try {
    res = await fetch(address(path), { ...init, headers: headers(address(path), init.headers), credentials: "same-origin" });
  } catch (e) {
    if ((e as Error).name === "AbortError") throw e;
    throw lost();
  }
  if (res.ok) return res;
  if (res.status === 401 && new URL(address(path)).origin === base.origin) {
    if (once) needsKey.value = true;
    else if (key() && key() !== used) return send(path, init); // another key was given meanwhile
    else return untilKey(init.signal).then(() => send(path, init));
  }
  const body = await res.json().catch(() => null);
  const problems: Problem[] = Array.isArray(body?.detail) ? body.detail : [];
  const code = problems[0]?.type ?? body?.error?.type ?? "";
  const said = body?.error?.message ?? `${res.status} ${res.statusText}`;
  const wait = Number(res.headers.get("Retry-After")) || 0;
  throw new Failure(res.status, meaning(res.status, code, said), code, body?.request_id ?? "", body?.error?.details, wait);
}

/** patiently calls again what failed because the service was busy, restarted or out of reach, at most seven times within two minutes. */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let turn = 0; ; turn++) {
    try {
      return await call();
    } catch (e) {
      const f = e as Failure;
      if (!(f instanceof Failure) || turn >= 7 || ![0, 429, 502, 503, 504].includes(f.status)) throw e;
      await new Promise((go) => setTimeout(go, Math.min(60, Math.max(f.wait, 0.5 * 2 ** turn)) * 1000));
    }
  }
}

export async function get<T>(path: string, query: Record<string, string | number | undefined> = {}, signal?: AbortSignal): Promise<T> {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(query)) if (v !== undefined) q.set(k, String(v));
  const res = await send(q.size ? `${path}?${q}` : path, { signal });
  return res.json();
}

/** post sends JSON; keepalive also when the page is being left. */
export async function post<T>(path: string, body: unknown, signal?: AbortSignal, keepalive = false): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  const res = await send(path, { method: "POST", body: JSON.stringify(body), headers, signal, keepalive });
  return res.json();
}

export async function remove<T>(path: string, keepalive = false): Promise<T> {
  return (await send(path, { method: "DELETE", keepalive })).json();
}

/** stream posts a body and yields the data of the server-sent events that answer it. */
export async function* stream<T>(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<T> {
  const res = await send(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal });
  const reader = res.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((e: Error) => { throw e.name === "AbortError" ? e : lost(); });
      rest += value ?? "";
      const events = rest.split(/\r?\n\r?\n/);
      rest = done ? "" : events.pop()!;
      for (const event of events) {
        const data = event.split(/\r?\n/).filter((l) => l.startsWith("data:")).map((l) => l.slice(5).trimStart()).join("\n");
        if (data) yield JSON.parse(data) as T;
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

export interface Doc {
  artifact: string;
  doc_metadata: {
    file_name: string; file_type: string; title?: string; pages?: number; chunk_count: number; token_count: number;
    content_hash: string; ingested_at: string; size_bytes?: number; warnings?: string[]; vectors?: { have: number; of: number };
    [more: string]: unknown;
  };
}
export interface Collection { name: string; artifacts: number; chunks: number; bytes: number; updated_at: string }
export interface Chunk {
  id: string; score: number; text: string; document: Doc;
  metadata: {
    start_char_index: number; end_char_index: number; headings?: string[]; page?: number; order: number; tokens: number; file_name: string;
    explain?: { matched_terms?: string[] } & Record<string, unknown>; [more: string]: unknown;
  };
}
export interface Citation {
  type?: string; cited_text?: string; start_char_index?: number; end_char_index?: number; artifact_id?: string; source_id?: string;
  document_title?: string; id?: string; index?: number; page?: number; headings?: string[]; verified?: boolean; source?: string;
  title?: string; url?: string;
}
export interface Block {
  type: string; text?: string; thinking?: string; citations?: Citation[]; id?: string; name?: string; input?: unknown; tool_use_id?: string;
  content?: Block[] | string; sources?: Chunk[]; is_error?: boolean; _meta?: Record<string, unknown>;
  source?: { type: string; media_type?: string; data?: string }; filename?: string;
}
export interface Usage { input_tokens: number; output_tokens: number }
export interface Message { id: string; model: string; content: Block[]; stop_reason: string | null; usage: Usage }
export interface Model {
  id: string; display_name: string; embed_dim: number | null; max_tokens: number;
  capabilities: { thinking: { supported: boolean }; citations: { supported: boolean } };
}
export interface Filter { collection?: string; artifacts?: string[]; metadata_filter?: Record<string, unknown>[] }
