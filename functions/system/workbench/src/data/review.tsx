// Review: one question to each document, a row each, every cell with its quotations.
import { useEffect, useState } from "preact/hooks";
import { label } from "../ask/view";
import { collections, docsOf, documents, download, go, href, notify, route, standard, toReview } from "../state";
import { openPlace } from "../source/stored";
import { duration, n, t, when } from "../i18n";
import { Icon } from "../icons";
import { follow, forget, loadReviews, reviews, start, stop, type Counts, type Review, type Row } from "./reviews";
import { toCSV } from "./table";

export function ReviewView() {
  const open = route.value[1];
  const [known, setKnown] = useState(false);
  useEffect(() => {
    void loadReviews().then(() => setKnown(true));
  }, []);
  const review = reviews.value.find((r) => r.id === open);
  return (
    <div class="data-view wide">
      <h1 class="display">{t("Review")}</h1>
      {open ? (
        review ? (
          <Answers key={open} review={review} />
        ) : (
          known && (
            <p class="warn-line" role="status">
              <Icon name="warn" size={14} />
              {t("This review is not kept in this browser.")}
            </p>
          )
        )
      ) : (
        <Start />
      )}
    </div>
  );
}

/** Start asks for a question, and lists what was reviewed before. */
function Start() {
  const [question, setQuestion] = useState("");
  const [collection, setCollection] = useState("");
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");
  const names = collections.value.map((c) => c.name);
  const picked = toReview.value;
  const at = picked?.collection || collection || (names.includes(standard) ? standard : (names[0] ?? ""));
  useEffect(() => {
    if (at) void docsOf(at).catch(() => {});
  }, [at]);
  const count = picked?.artifacts.length ?? documents.value[at]?.length ?? 0;
  const run = async (e: Event) => {
    e.preventDefault();
    if (!question.trim() || busy) return;
    setBusy(true);
    setFailed("");
    try {
      const r = await start(question.trim(), at, picked?.artifacts ?? []);
      toReview.value = null;
      go("review", r.id);
    } catch (e) {
      setFailed((e as Error).message);
    }
    setBusy(false);
  };
  return (
    <>
      <p class="lead">{t("One question to each document on its own. The service goes on when you leave this page.")}</p>
      <form class="search-form" onSubmit={run}>
        <div class="search-line">
          <input
            id="question"
            value={question}
            autofocus
            onInput={(e) => setQuestion(e.currentTarget.value)}
            aria-label={t("Question")}
            placeholder={t("What is the notice period?")}
          />
          <button class="primary" disabled={!question.trim() || busy || !count} aria-busy={busy}>
            {t("Ask each")}
          </button>
        </div>
        <div class="options">
          {picked ? (
            <span class="chip-static">
              <Icon name="file" size={14} />
              {t(count === 1 ? "{n} chosen document" : "{n} chosen documents", { n: n(count) })}
              <button
                type="button"
                class="icon-button"
                aria-label={t("Ask the whole collection")}
                onClick={() => {
                  toReview.value = null;
                }}
              >
                <Icon name="close" size={13} />
              </button>
            </span>
          ) : (
            <>
              <select value={at} onChange={(e) => setCollection(e.currentTarget.value)} aria-label={t("Collection")}>
                {names.map((c) => (
                  <option key={c} value={c}>
                    {label(c)}
                  </option>
                ))}
              </select>
              <span class="dim">{t(count === 1 ? "{n} document" : "{n} documents", { n: n(count) })}</span>
            </>
          )}
        </div>
      </form>
      {failed && (
        <p class="bad-line" role="alert">
          <Icon name="warn" size={14} />
          {failed}
        </p>
      )}
      {reviews.value.length > 0 && (
        <section>
          <h2>{t("Earlier reviews")}</h2>
          <ul class="past">
            {reviews.value.map((r) => (
              <li key={r.id}>
                <a href={href("review", r.id)}>{r.question}</a>
                <span class="dim">
                  {[
                    label(r.collection),
                    t(r.docs.length === 1 ? "{n} document" : "{n} documents", { n: n(r.docs.length) }),
                    when(r.created),
                    r.rows ? "" : t("under way"),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
                <button
                  class="icon-button"
                  aria-label={t("Forget {name}", { name: r.question })}
                  title={t("Forget")}
                  onClick={() => void forget(r)}
                >
                  <Icon name="trash" size={15} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const step = 200; // rows drawn at once

function Answers({ review }: { review: Review }) {
  const [counts, setCounts] = useState<Counts | null>(null);
  const [failed, setFailed] = useState("");
  const [drawn, setDrawn] = useState(step);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const { rows, docs } = review;
  useEffect(() => {
    if (rows) return;
    const control = new AbortController();
    follow(review, setCounts, control.signal).catch((e) => {
      if (!control.signal.aborted) setFailed(e.message);
    });
    return () => control.abort();
  }, [review.id]);
  useEffect(() => {
    if (!end) return;
    const watch = new IntersectionObserver(
      (seen) => {
        if (seen.some((e) => e.isIntersecting)) setDrawn((k) => k + step);
      },
      { rootMargin: "600px" },
    );
    watch.observe(end);
    return () => watch.disconnect();
  }, [end, drawn]);
  const of = (outcome: Row["outcome"]) => rows?.filter((r) => r?.outcome === outcome).length ?? 0;
  const done = counts ? docs.length - counts.processing : 0;
  const seconds = (Date.now() - review.created) / 1000;
  return (
    <>
      <div class="review-head">
        <h2>{review.question}</h2>
        <a class="button" href={href("review")}>
          <Icon name="plus" size={14} />
          {t("New review")}
        </a>
      </div>
      <div class="sheet-bar" role="status">
        {rows ? (
          <>
            <b>{t("{a} of {b} answered", { a: n(of("answered")), b: n(docs.length) })}</b>
            <span class="dim">{t("{n} without an answer", { n: n(of("nothing")) })}</span>
            {of("failed") > 0 && <span class="bad">{t("{n} failed", { n: n(of("failed")) })}</span>}
            {of("stopped") > 0 && <span class="dim">{t("{n} stopped", { n: n(of("stopped")) })}</span>}
            <span class="dim">{duration(((review.ended ?? review.created) - review.created) / 1000)}</span>
          </>
        ) : (
          <>
            <b>{t("{a} of {b} asked", { a: n(done), b: n(docs.length) })}</b>
            {counts && counts.errored > 0 && <span class="bad">{t("{n} failed", { n: n(counts.errored) })}</span>}
            {done > 2 && seconds > 3 && (
              <span class="dim">{t("about {time} left", { time: duration((seconds / done) * (docs.length - done)) })}</span>
            )}
          </>
        )}
        <span class="dim">{label(review.collection)}</span>
        <span class="grow" />
        {rows ? (
          <button class="quiet" onClick={() => exportCSV(review, rows)}>
            <Icon name="download" size={14} />
            CSV
          </button>
        ) : (
          <button class="button small" onClick={() => stop(review.id).catch((e) => notify(e.message, { bad: true }))}>
            <Icon name="stop" size={13} />
            {t("Stop")}
          </button>
        )}
      </div>
      {!rows && <progress max={docs.length} value={done} aria-label={t("Documents asked")} />}
      {failed && (
        <p class="bad-line" role="alert">
          <Icon name="warn" size={14} />
          {failed}
        </p>
      )}
      <div class="sheet-box tall" tabIndex={0} role="region" aria-label={review.question}>
        <table class="sheet review">
          <thead>
            <tr>
              <th scope="col">{t("Document")}</th>
              <th scope="col">{t("Answer")}</th>
            </tr>
          </thead>
          <tbody>
            {docs.slice(0, drawn).map((_, i) => (
              <Line key={i} review={review} at={i} row={rows?.[i]} />
            ))}
          </tbody>
        </table>
        {drawn < docs.length && (
          <p class="empty" ref={setEnd}>
            …
          </p>
        )}
      </div>
    </>
  );
}

function Line({ review, at, row }: { review: Review; at: number; row?: Row }) {
  const doc = review.docs[at];
  const open = (k: number) => {
    const places = row!.cited.map((c, i) => ({
      collection: review.collection,
      artifact: doc.artifact,
      title: doc.name,
      hash: doc.hash,
      n: i + 1,
      start: c.start_char_index,
      end: c.end_char_index,
      quote: c.cited_text,
      page: c.page,
    }));
    openPlace(places[k], places);
  };
  return (
    <tr>
      <th scope="row">
        <button onClick={() => openPlace({ collection: review.collection, artifact: doc.artifact, title: doc.name })}>{doc.name}</button>
      </th>
      <td>{row && <Cell row={row} name={doc.name} open={open} />}</td>
    </tr>
  );
}

function Cell({ row, name, open }: { row: Row; name: string; open: (k: number) => void }) {
  if (row.outcome === "failed") return <span class="bad">{row.text}</span>;
  if (row.outcome === "stopped") return <span class="dim">{t("Stopped.")}</span>;
  if (row.outcome === "nothing")
    return (
      <span class="dim" title={row.text}>
        {t("nothing found")}
      </span>
    );
  return (
    <>
      {row.text}{" "}
      {row.cited.map((c, k) => (
        <button
          key={k}
          class={`cite${row.verdicts?.[k] === "stands" ? "" : " differs"}`}
          title={c.cited_text}
          onClick={() => open(k)}
          aria-label={t("Citation {n}: {title}", { n: k + 1, title: name })}
        >
          {k + 1}
        </button>
      ))}
    </>
  );
}

function exportCSV(review: Review, rows: (Row | undefined)[]) {
  download(
    "review.csv",
    toCSV({
      columns: ["document", "name", "outcome", "answer", "quotations", "pages", "verified"],
      rows: review.docs.map((d, i) => {
        const { outcome = "stopped", text = "", cited = [], verdicts = [] } = rows[i] ?? {};
        const answered = outcome === "answered";
        return [
          d.artifact,
          d.name,
          outcome,
          outcome === "nothing" ? "" : text,
          answered ? cited.map((c) => c.cited_text).join(" | ") : "",
          answered
            ? cited
                .map((c) => c.page ?? "")
                .filter(Boolean)
                .join(" ")
            : "",
          answered ? `${verdicts.filter((v) => v === "stands").length} of ${cited.length}` : "",
        ];
      }),
    }),
    "text/csv",
  );
}
