// What several views share: the route, the collections and their documents, the
// models, the look of the page, and short notices.
import { computed, signal } from "@preact/signals";
import { get, type Failure, type Collection, type Doc, type Model } from "./api";

/** route is the part of the address after #/, split at slashes. */
export const route = signal<string[]>(parse());
export const query = signal<URLSearchParams>(parseQuery());

function parse(): string[] {
  const path = location.hash.replace(/^#\/?/, "").split("?")[0];
  return path ? path.split("/").map(decodeURIComponent) : [];
}

function parseQuery(): URLSearchParams {
  return new URLSearchParams(location.hash.split("?")[1] ?? "");
}

addEventListener("hashchange", () => {
  route.value = parse();
  query.value = parseQuery();
});

export function href(...parts: string[]): string {
  return "#/" + parts.map(encodeURIComponent).join("/");
}

export function go(...parts: string[]) {
  location.hash = href(...parts);
}

/** replace changes the address without a step in the browser's history. */
export function replace(...parts: string[]) {
  history.replaceState(null, "", href(...parts));
  route.value = parse();
  query.value = parseQuery();
}

export const collections = signal<Collection[]>([]);
export const loaded = signal(false);
export const documents = signal<Record<string, Doc[]>>({}); // by collection
export const models = signal<Model[]>([]);
export const chatModels = computed(() => models.value.filter((m) => m.embed_dim === null));
export const extensions = signal<Set<string>>(new Set());
export const total = computed(() => collections.value.reduce((sum, c) => sum + c.artifacts, 0));

export const standard = "vendor_collection"; // the collection that the API takes by default

/** toReview are the documents that the library hands over to be reviewed; null is all of a collection. */
export const toReview = signal<{ collection: string; artifacts: string[] } | null>(null);

export async function loadCollections() {
  collections.value = (await get<{ data: Collection[] }>("v1/collections")).data;
  loaded.value = true;
}

const listed = new Map<string, string>(); // when a collection had changed last, when its documents were listed

export async function loadDocuments(collection: string): Promise<Doc[]> {
  listed.set(collection, collections.value.find((c) => c.name === collection)?.updated_at ?? "");
  const list = (await get<{ data: Doc[] }>("v1/artifacts/list", { collection })).data;
  documents.value = { ...documents.value, [collection]: list };
  return list;
}

/** docsOf returns a collection's documents, asking once. */
export async function docsOf(collection: string): Promise<Doc[]> {
  return documents.value[collection] ?? loadDocuments(collection);
}

/** lookAgain takes over what others have changed meanwhile. */
async function lookAgain() {
  if (!loaded.value || document.hidden) return;
  await loadCollections();
  for (const name of Object.keys(documents.value)) {
    const now = collections.value.find((c) => c.name === name)?.updated_at ?? "";
    if (now !== listed.get(name)) await loadDocuments(name);
  }
}

for (const event of ["focus", "online"]) addEventListener(event, () => void lookAgain().catch(() => {}));

// What the key may use, by groups of endpoints; null is everything.
const groups = signal<string[] | null>(null);

const needs: Record<string, string[]> = {
  ask: ["messages", "artifacts"], library: ["artifacts"], search: ["artifacts", "primitives"], tables: ["artifacts", "tools"],
  review: ["messages", "artifacts"], inside: ["system"], files: ["files"], skills: ["skills"],
};

/** may says whether the key reaches a view, or a part of one. */
export const may = (view: string): boolean => !groups.value || (needs[view] ?? []).every((g) => groups.value!.includes(g));

/** reached is what a request answers, or what stands for it where the key may not use its group. */
const reached = <T>(answer: Promise<T>, otherwise: T): Promise<T> => answer.catch((e) => { if ((e as Failure).status === 403) return otherwise; throw e; });

export async function loadAll() {
  const [key, m, r] = await Promise.all([
    get<{ groups: string[] }>("key"),
    reached(get<{ data: Model[] }>("v1/models", { limit: 1000 }), { data: [] }),
    reached(get<{ data: Record<string, { extensions: string[] }> }>("v1/artifacts/readers"), { data: {} }),
    reached(loadCollections(), undefined),
  ]);
  groups.value = key.groups.includes("*") ? null : key.groups;
  models.value = m.data;
  extensions.value = new Set(Object.values(r.data).flatMap((one) => one.extensions));
  loaded.value = true;
}

export type Theme = "light" | "dark" | "auto";
export const theme = signal<Theme>((localStorage.getItem("lectern.theme") as Theme) ?? "auto");

export function applyTheme() {
  const dark = theme.value === "dark" || (theme.value === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

export function setTheme(to: Theme) {
  theme.value = to;
  localStorage.setItem("lectern.theme", to);
  applyTheme();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);

export interface Notice { text: string; action?: string; act?: () => void; bad?: boolean; id: number }
export const notices = signal<Notice[]>([]);
let last = 0;

/** notify shows a line at the foot of the page for some seconds, and returns how to take it away. */
export function notify(text: string, more: Partial<Notice> & { seconds?: number } = {}): () => void {
  const id = ++last;
  const close = () => { notices.value = notices.value.filter((o) => o.id !== id); };
  notices.value = [...notices.value, { text, ...more, id, act: more.act && (() => { close(); more.act!(); }) }];
  setTimeout(close, (more.seconds ?? 5) * 1000);
  return close;
}

/** name is how a document is called on the page. */
export function nameOf(d: Doc): string {
  return d.doc_metadata.title || d.doc_metadata.file_name || d.artifact;
}

export function collectionName(name: string): string {
  return name === standard ? "Documents" : name;
}

export function download(name: string, content: BlobPart, type: string) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([content], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}
