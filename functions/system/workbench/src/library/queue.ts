// Documents on their way in: three at a time, each a task of the service whose
// progress is asked for, with what failed and why.
import { computed, signal } from "@preact/signals";
import { Failure, get, meaning, patiently, post, remove, send, type Doc } from "../api";
import { extensions, loadCollections, loadDocuments } from "../state";
import { t } from "../i18n";

export interface Stage { name: string; at: number }
export interface Job {
  id: number;
  collection: string;
  artifact: string;
  size: number;
  input: () => Promise<Input>;
  zip?: File; // becomes a job for each file in it
  fileName?: string;
  state: "waiting" | "reading" | "done" | "failed" | "stopped";
  percent: number;
  stages: Stage[];
  pages?: number;
  chunks?: number;
  done?: number;
  left?: number; // seconds
  error?: string;
  code?: string;
  started?: number;
  ended?: number;
}

export const jobs = signal<Job[]>([]);
export const batchStarted = signal(0);
const parallel = 3;
let active = 0, nextID = 0;
const stopped = new Set<number>();

export const progress = computed(() => {
  const all = jobs.value;
  const ended = all.filter((j) => j.state !== "waiting" && j.state !== "reading");
  const failed = all.filter((j) => j.state === "failed").length;
  const share = ended.length + all.filter((j) => j.state === "reading").reduce((sum, j) => sum + j.percent / 100, 0);
  const seconds = (Math.max(...all.map((j) => j.ended ?? 0), all.length > ended.length ? Date.now() : 0) - batchStarted.value) / 1000;
  return {
    of: all.length, ended: ended.length, failed, running: all.length > ended.length, seconds,
    rate: seconds > 0 ? ended.length / seconds : 0,
    left: share > 0 && all.length > ended.length ? (seconds / share) * (all.length - share) : undefined,
  };
});

function change(id: number, more: Partial<Job>) {
  jobs.value = jobs.value.map((j) => (j.id === id ? { ...j, ...more } : j));
}

function add(list: Omit<Job, "id" | "state" | "percent" | "stages">[]) {
  if (!progress.value.running) {
    jobs.value = [];
    batchStarted.value = Date.now();
  }
  const fresh = list.map((j): Job => ({ ...j, id: ++nextID, state: "waiting", percent: 0, stages: [] }));
  jobs.value = [...jobs.value.filter((o) => !fresh.some((f) => f.artifact === o.artifact && f.collection === o.collection && o.state === "failed")), ...fresh];
  pump();
}

/** Input is what an ingest takes; drop forgets the copy that was made for it. */
interface Input { type: string; value: string; drop?: () => Promise<unknown> }

// Bytes above which a file goes to the object store by a signed URL: in base64 it would
// not fit into the request of a function.
export const large = 3 << 20;

export interface Picked { file: File; path: string }

export function addFiles(collection: string, files: Picked[]) {
  add(files.map(({ file, path }) => ({
    collection, artifact: path.slice(-255), size: file.size, fileName: file.name, input: () => inputOf(file),
    ...(/\.zip$/i.test(file.name) && !extensions.value.has(".zip") ? { zip: file } : {}),
  })));
}

export function addText(collection: string, name: string, text: string) {
  add([{ collection, artifact: name, size: new Blob([text]).size, fileName: /\.\w+$/.test(name) ? name : `${name}.md`, input: async () => ({ type: "text", value: text }) }]);
}

export function addAddress(collection: string, url: string) {
  add([{ collection, artifact: url.slice(0, 255), size: 0, input: async () => ({ type: "uri", value: url }) }]);
}

interface Upload { method: string; url: string; headers: Record<string, string>; uri: string; file_id: string; scope_id: string }

/** sendLarge sends a file to where the service keeps files, by a URL that it signs for it. */
export async function sendLarge(file: File, more: { scope_id?: string; path?: string } = {}): Promise<Upload> {
  const up = await post<Upload>("v1/files/uploads", { file_name: file.name, size_bytes: file.size, ...more });
  await send(up.url, { method: up.method, headers: up.headers, body: file });
  return up;
}

async function inputOf(file: File): Promise<Input> {
  if (file.size > large) {
    const up = await sendLarge(file);
    const at = `v1/files/${up.file_id.split("/").map(encodeURIComponent).join("/")}?${new URLSearchParams({ scope_id: up.scope_id })}`;
    return { type: "uri", value: up.uri, drop: () => remove(at) };
  }
  const value = await new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
  return { type: "file", value };
}

function pump() {
  while (active < parallel) {
    const job = jobs.value.find((j) => j.state === "waiting");
    if (!job) return;
    active++;
    void work(job).finally(() => { active--; pump(); });
  }
}

interface Status {
  task_status: "PENDING" | "STARTED" | "RETRY" | "SUCCESS" | "FAILURE" | "REVOKED";
  task_result: { data: Doc[] } | string | null;
  error_code?: string;
  progress?: { percentage: number; current_step: string; pages?: number; chunks?: number; chunks_done?: number; estimated_seconds_left?: number };
}

async function work(job: Job) {
  const { id } = job;
  const fail = (error: string, code = "") => change(id, { state: "failed", error, code, ended: Date.now() });
  let done = () => {};
  change(id, { state: "reading", started: Date.now(), stages: [{ name: "sending", at: Date.now() }] });
  try {
    if (job.zip) return await unpack(job, job.zip, fail);
    const ext = /\.[^./]+$/.exec(job.fileName ?? "")?.[0].toLowerCase();
    if (job.fileName && extensions.value.size && !(ext && extensions.value.has(ext))) {
      return fail(t("Files of the kind {kind} cannot be read.", { kind: ext ?? "?" }), "unsupported_extension");
    }
    const { drop, ...input } = await patiently(job.input);
    const { task_id } = await patiently(() => post<{ task_id: string }>("v1/artifacts/ingest/async", {
      ingest_body: { collection: job.collection, artifact: job.artifact, input, ...(job.fileName ? { metadata: { file_name: job.fileName } } : {}) },
    }));
    done = () => void drop?.().catch(() => {});
    for (let wait = 80; ; wait = Math.min(1000, wait * 1.5)) {
      if (stopped.has(id)) {
        stopped.delete(id);
        await post("v1/artifacts/delete/async", { delete_body: { collection: job.collection, artifact: job.artifact } }).catch(() => {});
        return change(id, { state: "stopped", ended: Date.now() });
      }
      const s = await patiently(() => get<Status>(`v1/artifacts/ingest/async/${encodeURIComponent(task_id)}`));
      if (s.task_status === "SUCCESS") break;
      if (s.task_status === "FAILURE") return fail(meaning(422, s.error_code ?? "", String(s.task_result ?? "")), s.error_code);
      if (s.task_status === "REVOKED") return change(id, { state: "stopped", ended: Date.now() });
      if (s.progress) note(id, s.progress);
      await new Promise((go) => setTimeout(go, wait));
    }
    change(id, { state: "done", percent: 100, ended: Date.now() });
    refresh(job.collection);
  } catch (e) {
    fail(e instanceof Failure ? e.message : String(e), e instanceof Failure ? e.code : "");
  } finally {
    done();
  }
}

const damaged = () => t("The file is damaged, or not what its name says.");

/** unpack puts the files of a zip in its place. */
async function unpack({ id, collection }: Job, zip: File, fail: (error: string, code?: string) => void) {
  const { membersOf } = await import("./zip");
  const members = await membersOf(zip).catch(() => null);
  if (stopped.delete(id)) return change(id, { state: "stopped", ended: Date.now() });
  if (!members?.length) return members ? fail(t("The zip holds no files."), "empty_document") : fail(damaged(), "malformed_file");
  add(members.map(({ path, size, file }) => ({
    collection, artifact: path.slice(-255), size, fileName: path.slice(path.lastIndexOf("/") + 1),
    input: async () => {
      let one: File;
      try { one = file(); } catch { throw new Failure(422, damaged(), "malformed_file"); }
      return inputOf(one);
    },
  })));
  jobs.value = jobs.value.filter((j) => j.id !== id);
}

function note(id: number, p: NonNullable<Status["progress"]>) {
  const job = jobs.value.find((j) => j.id === id)!;
  const stages = job.stages.at(-1)?.name === p.current_step ? job.stages : [...job.stages, { name: p.current_step, at: Date.now() }];
  change(id, { percent: p.percentage, pages: p.pages, chunks: p.chunks, done: p.chunks_done, left: p.estimated_seconds_left, stages });
}

// The lists are asked again at most twice a second while documents come in.
const waiting = new Map<string, ReturnType<typeof setTimeout>>();
function refresh(collection: string) {
  if (waiting.has(collection)) return;
  waiting.set(collection, setTimeout(() => {
    waiting.delete(collection);
    void Promise.all([loadCollections(), loadDocuments(collection)]).catch(() => {});
  }, 500));
}

export function stopAll() {
  for (const j of jobs.value) {
    if (j.state === "reading") stopped.add(j.id);
    if (j.state === "waiting") change(j.id, { state: "stopped", ended: Date.now() });
  }
}

// Leaving the page would end what was not yet sent.
addEventListener("beforeunload", (e) => { if (jobs.value.some((j) => j.state === "waiting" || j.stages.at(-1)?.name === "sending" && j.state === "reading")) e.preventDefault(); });

export function tryAgain(list: Job[]) {
  const again = list.map(({ collection, artifact, size, input, fileName, zip }) => ({ collection, artifact, size, input, fileName, zip }));
  jobs.value = jobs.value.filter((j) => !list.includes(j));
  add(again);
}

export function clearJobs() {
  jobs.value = jobs.value.filter((j) => j.state === "waiting" || j.state === "reading");
}

/** settled waits until nothing is on its way in. */
export async function settled(): Promise<void> {
  while (progress.value.running) await new Promise((done) => setTimeout(done, 50));
}

/** dropped returns the files of a drop, folders opened. */
export async function dropped(data: DataTransfer): Promise<Picked[]> {
  const entries = [...data.items].map((i) => i.webkitGetAsEntry?.()).filter((e): e is FileSystemEntry => !!e);
  if (!entries.length) return [...data.files].map((file) => ({ file, path: file.name }));
  const out: Picked[] = [];
  const walk = async (e: FileSystemEntry, under: string): Promise<void> => {
    if (e.name.startsWith(".")) return;
    if (e.isFile) {
      const file = await new Promise<File>((done, failed) => (e as FileSystemFileEntry).file(done, failed));
      out.push({ file, path: under + e.name });
      return;
    }
    const reader = (e as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
      if (!some.length) return;
      for (const one of some) await walk(one, `${under}${e.name}/`);
    }
  };
  for (const e of entries) await walk(e, "");
  return out;
}

export function picked(list: FileList): Picked[] {
  return [...list].filter((f) => !f.name.startsWith(".")).map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}
