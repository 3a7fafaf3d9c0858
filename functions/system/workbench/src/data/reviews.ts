// Reviews: one question put to many documents, as a batch of the service. The batch goes
// on without this page; the browser keeps which document each of its requests asks, and
// the answers once they are there.
import { signal } from "@preact/signals";
import { Failure, get, patiently, post, remove, send, type Citation, type Message } from "../api";
import { read, type Verdict } from "../ask/answer";
import { requestOf } from "../ask/conversation";
import { Kept } from "../kept";
import { docsOf, nameOf } from "../state";

export type Outcome = "answered" | "nothing" | "failed" | "stopped";
export interface Row {
  outcome: Outcome;
  text: string;
  cited: Citation[];
  verdicts?: Verdict[];
}
export interface Counts {
  processing: number;
  succeeded: number;
  errored: number;
  canceled: number;
  expired: number;
}
export interface Review {
  id: string; // of the batch
  question: string;
  collection: string;
  created: number;
  ended?: number;
  docs: { artifact: string; name: string; hash: string }[];
  rows?: (Row | undefined)[]; // in the order of docs, once the batch has ended
}

interface Batch {
  id: string;
  processing_status: "in_progress" | "canceling" | "ended";
  request_counts: Counts;
  ended_at: string | null;
}
interface Line {
  custom_id: string;
  result: { type: "succeeded" | "errored" | "canceled" | "expired"; message?: Message; error?: { error?: { message?: string } } };
}

const kept = new Kept<Review>("lectern.reviews", "reviews");
export const reviews = signal<Review[]>([]);

export async function loadReviews() {
  reviews.value = (await kept.all()).sort((a, b) => b.created - a.created);
}

async function keep(r: Review) {
  reviews.value = [r, ...reviews.value.filter((one) => one.id !== r.id)].sort((a, b) => b.created - a.created);
  await kept.put(r.id, () => r);
}

/** start puts a question to documents of a collection, all when none are named. */
export async function start(question: string, collection: string, artifacts: string[]): Promise<Review> {
  const docs = (await docsOf(collection)).filter((d) => !artifacts.length || artifacts.includes(d.artifact));
  const requests = docs.map((d, i) => ({
    custom_id: `d${i}`,
    params: requestOf(question, { collections: [collection], artifacts: [d.artifact] }, "default"),
  }));
  const batch = await post<Batch>("v1/messages/batches", { requests });
  const review: Review = {
    id: batch.id,
    question,
    collection,
    created: Date.now(),
    docs: docs.map((d) => ({ artifact: d.artifact, name: nameOf(d), hash: d.doc_metadata.content_hash })),
  };
  await keep(review);
  return review;
}

/** stop leaves unasked what was not yet asked. */
export const stop = (id: string) => post<Batch>(`v1/messages/batches/${id}/cancel`, {});

export async function forget(r: Review) {
  reviews.value = reviews.value.filter((one) => one.id !== r.id);
  await kept.drop(r.id);
  if (!r.rows) await stop(r.id).catch(() => {});
  else await remove(`v1/messages/batches/${r.id}`).catch(() => {}); // what has run out is gone already
}

/** follow calls back with the counts until the batch has ended, and keeps its answers. */
export async function follow(review: Review, counted: (c: Counts) => void, signal: AbortSignal): Promise<void> {
  for (let wait = 300; !signal.aborted; wait = Math.min(5000, wait * 1.4)) {
    const batch = await patiently(() => get<Batch>(`v1/messages/batches/${review.id}`, {}, signal));
    counted(batch.request_counts);
    if (batch.processing_status === "ended") {
      const rows = await patiently(() => results(review));
      return keep({ ...review, rows, ended: Date.parse(batch.ended_at ?? "") || Date.now() });
    }
    await new Promise((go) => setTimeout(go, wait));
  }
}

async function results(review: Review): Promise<Row[]> {
  const lines = (await (await send(`v1/messages/batches/${review.id}/results`)).text()).split("\n").filter(Boolean);
  const rows: Row[] = review.docs.map(() => ({ outcome: "stopped", text: "", cited: [] }));
  for (const line of lines) {
    const { custom_id, result } = JSON.parse(line) as Line;
    const at = Number(custom_id.slice(1));
    if (at in rows) rows[at] = rowOf(result);
  }
  const known = await verdicts(review, rows);
  return rows.map((r, i) => (known[i] ? { ...r, verdicts: known[i] } : r));
}

function rowOf(result: Line["result"]): Row {
  if (result.type === "errored") return { outcome: "failed", text: result.error?.error?.message ?? "", cited: [] };
  if (!result.message) return { outcome: "stopped", text: "", cited: [] };
  const a = read(result.message.content);
  const cited = a.cited.map(({ sentence: _, ...c }) => c);
  return { outcome: a.nothing || !cited.length ? "nothing" : "answered", text: a.plain.trim(), cited };
}

interface Claim {
  row: number;
  at: number;
  citation: Citation;
}
interface Proof {
  status: "found" | "misattributed" | "joined" | "not_found";
}
const most = 100; // citations that one request may hold

/** verdicts says of each quotation whether its words stand in the document that it names. */
async function verdicts(review: Review, rows: Row[]): Promise<Verdict[][]> {
  const out = rows.map((r) => r.cited.map((): Verdict => "differs"));
  const claims = rows.flatMap((r, row) => r.cited.flatMap((citation, at): Claim[] => (citation.cited_text ? [{ row, at, citation }] : [])));
  const check = async (list: Claim[]): Promise<void> => {
    try {
      const { data } = await post<{ data: Proof[] }>("v1/citations/verify", {
        context_filter: { collection: review.collection },
        citations: list.map(({ citation }) => ({ cited_text: citation.cited_text!.slice(0, 4000), artifact_id: citation.artifact_id })),
      });
      list.forEach(({ row, at }, i) => {
        if (data[i].status === "found") out[row][at] = "stands";
      });
    } catch (e) {
      if (!(e instanceof Failure) || e.status !== 404) throw e;
      // One of the documents is gone: the halves find out which.
      if (list.length === 1) out[list[0].row][list[0].at] = "gone";
      else await Promise.all([check(list.slice(0, list.length >> 1)), check(list.slice(list.length >> 1))]);
    }
  };
  for (let i = 0; i < claims.length; i += most) await patiently(() => check(claims.slice(i, i + most)));
  return out;
}
