// Review: one question to each document, a row each, every cell with its quotation.
import { useEffect, useRef, useState } from "preact/hooks";
import { post, type Message } from "../api";
import { read, verify, type Answer, type Verdict } from "../ask/answer";
import { requestOf } from "../ask/conversation";
import { label } from "../ask/view";
import { collections, docsOf, documents, download, nameOf, standard } from "../state";
import { openPlace } from "../source/stored";
import { duration, n, t } from "../i18n";
import { Icon } from "../icons";
import { toCSV } from "./table";

interface Row { artifact: string; name: string; state: "waiting" | "asking" | "done" | "failed" | "stopped"; answer?: Answer; verdicts?: Verdict[]; error?: string }

const parallel = 3;

export function ReviewView() {
  const [question, setQuestion] = useState("");
  const [asked, setAsked] = useState("");
  const [collection, setCollection] = useState("");
  const [rows, setRows] = useState<Row[]>([]);
  const [started, setStarted] = useState(0);
  const [ended, setEnded] = useState(0);
  const control = useRef<AbortController | null>(null);
  const names = collections.value.map((c) => c.name);
  const at = collection || (names.includes(standard) ? standard : names[0] ?? "");
  useEffect(() => { if (at) void docsOf(at).catch(() => {}); }, [at]);
  useEffect(() => () => control.current?.abort(), []);
  const running = rows.some((r) => r.state === "waiting" || r.state === "asking");
  const run = async (e: Event) => {
    e.preventDefault();
    if (!question.trim() || running) return;
    const list: Row[] = (await docsOf(at)).map((d) => ({ artifact: d.artifact, name: nameOf(d), state: "waiting" }));
    const abort = (control.current = new AbortController());
    setAsked(question);
    setStarted(Date.now());
    setEnded(0);
    const show = () => setRows([...list]);
    show();
    let next = 0;
    const worker = async () => {
      while (next < list.length && !abort.signal.aborted) {
        const k = next++;
        list[k] = { ...list[k], state: "asking" };
        show();
        try {
          const scope = { collections: [at], artifacts: [list[k].artifact] };
          const m = await post<Message>("v1/messages", requestOf(question, scope, "default"), abort.signal);
          const answer = read(m.content);
          const verdicts = await Promise.all(answer.cited.map((c) => verify(c, scope)));
          list[k] = { ...list[k], state: "done", answer, verdicts };
        } catch (e) {
          list[k] = abort.signal.aborted ? { ...list[k], state: "stopped" } : { ...list[k], state: "failed", error: (e as Error).message };
        }
        show();
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    for (const r of list) if (r.state === "waiting") r.state = "stopped";
    setEnded(Date.now());
    show();
  };
  const count = (f: (r: Row) => boolean) => rows.filter(f).length;
  const answered = count((r) => r.state === "done" && !r.answer!.nothing && r.answer!.cited.length > 0);
  const nothing = count((r) => r.state === "done" && (r.answer!.nothing || !r.answer!.cited.length));
  const failed = count((r) => r.state === "failed");
  const done = count((r) => r.state === "done" || r.state === "failed");
  const csv = () => download("review.csv", toCSV({
    columns: ["document", "answer", "quotations", "pages", "verified"],
    rows: rows.map((r) => [r.artifact, r.answer?.nothing ? "" : r.answer?.plain.trim() ?? r.error ?? "", r.answer?.nothing ? "" : r.answer?.cited.map((c) => c.cited_text).join(" | ") ?? "",
      r.answer?.cited.map((c) => c.page ?? "").filter(Boolean).join(" ") ?? "", r.verdicts ? `${r.verdicts.filter((v) => v === "stands").length} of ${r.verdicts.length}` : ""]),
  }), "text/csv");
  const open = (r: Row, k: number) => {
    const c = r.answer!.cited;
    const places = c.map((one) => ({ collection: at, artifact: r.artifact, title: r.name, start: one.start_char_index, end: one.end_char_index, quote: one.cited_text, page: one.page, n: one.n }));
    openPlace(places[k], places);
  };
  return (
    <div class="data-view wide">
      <h1 class="display">{t("Review")}</h1>
      <form class="search-form" onSubmit={run}>
        <div class="search-line">
          <input id="question" value={question} autofocus onInput={(e) => setQuestion(e.currentTarget.value)} placeholder={t("One question, to each document on its own")} aria-label={t("Question")} />
          {running ? <button type="button" class="button" onClick={() => control.current?.abort()}><Icon name="stop" size={14} />{t("Stop")}</button>
            : <button class="primary" disabled={!question.trim()}>{t("Ask each")}</button>}
        </div>
        <div class="options">
          <select value={at} onChange={(e) => { setCollection(e.currentTarget.value); setRows([]); }} aria-label={t("Collection")}>{names.map((c) => <option key={c} value={c}>{label(c)}</option>)}</select>
          <span class="dim">{t((documents.value[at]?.length ?? 0) === 1 ? "{n} document" : "{n} documents", { n: n(documents.value[at]?.length ?? 0) })}</span>
        </div>
      </form>
      {rows.length > 0 && <>
        <div class="sheet-bar" role="status">
          <b>{t("{a} of {b} answered", { a: n(answered), b: n(rows.length) })}</b>
          <span class="dim">{t("{n} without an answer", { n: n(nothing) })}</span>
          {failed > 0 && <span class="bad">{t("{n} failed", { n: n(failed) })}</span>}
          <span class="dim">{running && done > 2 ? t("about {time} left", { time: duration(((Date.now() - started) / 1000 / done) * (rows.length - done)) }) : ended ? duration((ended - started) / 1000) : ""}</span>
          <span class="grow" />
          <button class="quiet" onClick={csv} disabled={running}><Icon name="download" size={14} />CSV</button>
        </div>
        {running && <progress max={rows.length} value={done} aria-label={t("Documents read")} />}
        <div class="sheet-box tall" tabIndex={0} role="region" aria-label={asked}>
          <table class="sheet review">
            <thead><tr><th scope="col">{t("Document")}</th><th scope="col">{asked}</th></tr></thead>
            <tbody>
              {rows.map((r) => (
                <tr key={r.artifact}>
                  <th scope="row"><button onClick={() => openPlace({ collection: at, artifact: r.artifact, title: r.name })}>{r.name}</button></th>
                  <td>
                    {r.state === "done" ? (r.answer!.nothing || !r.answer!.cited.length ? <span class="dim" title={r.answer!.plain.trim()}>{t("nothing found")}</span>
                      : <>{r.answer!.plain.trim()} {r.answer!.cited.map((c, k) => <button key={c.n} class={`cite${r.verdicts![k] === "stands" ? "" : " differs"}`} title={c.cited_text} aria-label={t("Citation {n}: {title}", { n: c.n, title: r.name })} onClick={() => open(r, k)}>{c.n}</button>)}</>)
                      : r.state === "failed" ? <span class="bad">{r.error}</span> : r.state === "asking" ? <span class="dim">{t("Reading …")}</span> : r.state === "stopped" ? <span class="dim">{t("Stopped.")}</span> : ""}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </>}
    </div>
  );
}
