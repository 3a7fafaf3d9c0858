// The stored text of documents, asked once; offsets of citations count in it.
import { signal } from "@preact/signals";
import { post, type Doc } from "../api";
import { docsOf, documents, href, query, route } from "../state";

const texts = new Map<string, Promise<string>>();

async function hashOf(collection: string, artifact: string): Promise<string> {
  const list = await docsOf(collection);
  return list.find((d) => d.artifact === artifact)?.doc_metadata.content_hash ?? "";
}

export async function stored(collection: string, artifact: string): Promise<string> {
  const id = JSON.stringify([collection, artifact, await hashOf(collection, artifact)]);
  let text = texts.get(id);
  if (!text) {
    text = post<{ data: { content: string }[] }>("v1/artifacts/content", {
      context_filter: { collection, artifacts: [artifact] }, format: "markdown",
    }).then((r) => r.data[0]?.content ?? "");
    texts.set(id, text);
    text.catch(() => texts.delete(id));
    if (texts.size > 20) texts.delete(texts.keys().next().value!);
  }
  return text;
}

export function known(collection: string, artifact: string): Doc | undefined {
  return documents.value[collection]?.find((d) => d.artifact === artifact);
}

/** Place is what the pane shows: a document, and characters of its stored text. */
export interface Place {
  collection: string;
  artifact: string;
  title?: string;
  start?: number;
  end?: number;
  quote?: string;
  page?: number;
  n?: number; // of the citation
  hash?: string; // of the document when it was cited
}

export const place = signal<Place | null>(null);
export const steps = signal<Place[]>([]); // the citations of the answer that the place belongs to

export function openPlace(p: Place, among: Place[] = []) {
  steps.value = among;
  place.value = p;
}

export function step(by: number) {
  const list = steps.value;
  if (!list.length) return;
  const at = list.findIndex((p) => p.n === place.value?.n);
  place.value = list[at < 0 ? 0 : (at + by + list.length) % list.length];
}

const longest = 600; // characters of a quotation that go into a link

/** linkTo is an address that opens a place, wherever this page is open. It tells whether the document has changed since. */
export function linkTo(p: Place): string {
  const q = new URLSearchParams();
  for (const name of ["start", "end", "page", "hash"] as const) if (p[name] !== undefined) q.set(name, String(p[name]));
  if (p.quote && p.quote.length <= longest) q.set("quote", p.quote);
  const hash = `${href("library", p.collection, p.artifact)}${q.size ? `?${q}` : ""}`;
  return new URL(hash.replace(/[()]/g, (c) => (c === "(" ? "%28" : "%29")), new URL(".", document.baseURI)).href;
}

/** linked is the place that the address of the page names, if it names one. */
export function linked(): Place | null {
  const [view, collection, artifact] = route.value;
  if (view !== "library" || !artifact) return null;
  const q = query.value;
  const number = (name: string) => (/^\d{1,9}$/.test(q.get(name) ?? "") ? Number(q.get(name)) : undefined);
  const [start, end] = [number("start"), number("end")];
  return {
    collection, artifact, page: number("page"), hash: q.get("hash") ?? undefined,
    ...(start !== undefined && end !== undefined && end > start ? { start, end, quote: q.get("quote") ?? undefined } : {}),
  };
}
