// One question and its answer.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { memo } from "../memo";
import { collectionOf, placeOf, read, verify, type Cited, type Verdict } from "./answer";
import { ask, current, searchTool } from "./conversation";
import { post, type Chunk } from "../api";
import { html } from "../markdown";
import { openPlace } from "../source/stored";
import { documents, go, href, notify } from "../state";
import { duration, n, t } from "../i18n";
import { Icon } from "../icons";
import { asMarkdown } from "./export";
import type { Turn } from "../history";

export const TurnView = memo(function TurnView({ turn, at, last }: { turn: Turn; at: number; last: boolean }) {
  const answer = useMemo(() => read(turn.blocks), [turn.blocks]);
  const verdicts = useVerdicts(turn, answer.cited);
  const [editing, setEditing] = useState(false);
  const busy = turn.state === "streaming";
  const open = async (c: Cited) => openPlace(await placeOf(turn, c), await Promise.all(answer.cited.map((one) => placeOf(turn, one))));
  const used = new Set(answer.cited.map((c) => c.artifact_id)).size;
  return (
    <article class="turn" id={`turn-${turn.id}`} data-last={last || undefined}>
      {editing ? <Edit turn={turn} at={at} done={() => setEditing(false)} /> : (
        <div class="question">
          <h2>{turn.question}</h2>
          {!busy && <button class="icon-button edit" onClick={() => setEditing(true)} title={t("Edit the question")} aria-label={t("Edit the question")}><Icon name="edit" /></button>}
        </div>
      )}
      <Tools answer={answer} busy={busy} />
      <div class={`answer${answer.nothing ? " nothing" : ""}`} aria-live={last ? "polite" : undefined} aria-busy={busy}>
        {answer.nothing && <Icon name="search" size={16} />}
        {answer.text && <Prose text={answer.text} cited={answer.cited} verdicts={verdicts} open={open} />}
        {busy && <span class="caret" aria-hidden="true" />}
      </div>
      {turn.state === "failed" && <Failed turn={turn} at={at} />}
      {turn.state === "stopped" && <p class="meta">{t("Stopped.")}</p>}
      {!busy && answer.nothing && !answer.cited.length && <Nearest turn={turn} />}
      {!busy && (
        <footer class="meta">
          {answer.cited.length > 0 && <Verified cited={answer.cited} verdicts={verdicts} />}
          {used > 0 && turn.of !== undefined && <span>{t(turn.of === 1 ? "from {a} of {b} document" : "from {a} of {b} documents", { a: n(used), b: n(turn.of) })}</span>}
          {turn.usage && <span>{t("{a} tokens read, {b} written", { a: n(turn.usage.input_tokens), b: n(turn.usage.output_tokens) })}</span>}
          {turn.seconds !== undefined && <span>{duration(turn.seconds)}</span>}
          <span>{turn.model}</span>
          <span class="grow" />
          <span class="acts">
            <button class="icon-button" title={t("Ask again")} aria-label={t("Ask again")} onClick={() => ask(turn.question, at)}><Icon name="again" /></button>
            <button class="icon-button" title={t("Copy the answer with its sources")} aria-label={t("Copy the answer with its sources")}
              onClick={() => asMarkdown([turn]).then((text) => navigator.clipboard.writeText(text)).then(() => notify(t("Copied.")))}><Icon name="copy" /></button>
            <button class="icon-button" title={t("Copy a link to this answer")} aria-label={t("Copy a link to this answer")} onClick={() => copyLink(turn)}><Icon name="link" /></button>
          </span>
        </footer>
      )}
    </article>
  );
}, (a, b) => a.turn === b.turn && a.last === b.last && a.at === b.at);

/** Failed says why there is no answer and, where the service said how long to wait, for how long. */
function Failed({ turn, at }: { turn: Turn; at: number }) {
  const left = () => Math.max(0, Math.ceil(((turn.again ?? 0) - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    if (!left()) return;
    const timer = setInterval(() => { setSeconds(left()); if (!left()) clearInterval(timer); }, 1000);
    return () => clearInterval(timer);
  }, [turn.again]);
  return (
    <div class="failed-line">
      <p class="bad-line" role="alert"><Icon name="warn" size={14} />{turn.error}</p>
      {seconds > 0 && <span class="dim">{t("It may be asked again in {time}.", { time: duration(seconds) })}</span>}
      <button class="button small" disabled={seconds > 0} onClick={() => ask(turn.question, at)}><Icon name="again" size={13} />{t("Try again")}</button>
    </div>
  );
}

function copyLink(turn: Turn) {
  const q = new URLSearchParams({ q: turn.question, in: turn.scope.collections.join(","), ...(turn.scope.artifacts.length ? { of: JSON.stringify(turn.scope.artifacts) } : {}) });
  const url = new URL(`${href("ask", current.value!.id, turn.id)}?${q}`, location.href);
  navigator.clipboard.writeText(url.href).then(() => notify(t("Copied. In another browser the link asks the question again.")));
}

function Edit({ turn, at, done }: { turn: Turn; at: number; done: () => void }) {
  const [text, setText] = useState(turn.question);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const send = () => { done(); void ask(text, at); };
  return (
    <form class="edit-form" onSubmit={(e) => { e.preventDefault(); send(); }}>
      <textarea ref={box} rows={2} value={text} aria-label={t("Question")} onInput={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => { if (e.key === "Enter" && !e.shiftKey) { e.preventDefault(); send(); } if (e.key === "Escape") done(); }} />
      <div><button class="primary" type="submit">{t("Ask")}</button><button type="button" onClick={done}>{t("Cancel")}</button></div>
    </form>
  );
}

function useVerdicts(turn: Turn, cited: Cited[]): Map<number, Verdict> {
  const [map, setMap] = useState(new Map<number, Verdict>());
  const done = turn.state !== "streaming";
  useEffect(() => {
    if (!done || !cited.length) return;
    let here = true;
    Promise.all(cited.map(async (c) => [c.n, await verify(c, turn.scope)] as const)).then((all) => here && setMap(new Map(all)));
    return () => { here = false; };
  }, [done, cited.length, turn.id, documents.value]);
  return map;
}

function Verified({ cited, verdicts }: { cited: Cited[]; verdicts: Map<number, Verdict> }) {
  if (verdicts.size < cited.length) return <span>{t("comparing quotations …")}</span>;
  const good = cited.filter((c) => verdicts.get(c.n) === "stands").length;
  return (
    <span class={good === cited.length ? "good" : "warned"} title={t("Each quotation was compared with the stored text of its document.")}>
      <Icon name={good === cited.length ? "check" : "warn"} size={14} />
      {t(cited.length === 1 ? "{a} of {b} quotation verified" : "{a} of {b} quotations verified", { a: n(good), b: n(cited.length) })}
    </span>
  );
}

const escape = (s: string) => s.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

function Prose({ text, cited, verdicts, open }: { text: string; cited: Cited[]; verdicts: Map<number, Verdict>; open: (c: Cited) => void }) {
  const body = useMemo(() => html(text, (k) => {
    const c = cited.find((one) => one.n === k);
    if (!c) return "";
    const label = t("Citation {n}: {title}", { n: k, title: c.document_title ?? c.artifact_id ?? "" });
    const differs = verdicts.get(k) && verdicts.get(k) !== "stands" ? " differs" : "";
    return `<button type="button" class="cite${differs}" data-n="${k}" aria-label="${escape(label)}">${k}</button>`;
  }), [text, cited.length, verdicts]);
  const [hover, setHover] = useState<{ c: Cited; style: Record<string, string> } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const of = (e: Event) => {
    const b = (e.target as HTMLElement).closest?.<HTMLElement>(".cite");
    return b ? { b, c: cited.find((one) => one.n === Number(b.dataset.n)) } : null;
  };
  const show = (e: Event) => {
    const hit = of(e);
    if (!hit?.c) return setHover(null);
    // Below the number, or above it where the window ends.
    const r = hit.b.getBoundingClientRect(), wide = Math.min(380, innerWidth - 24);
    const left = `${Math.max(12, Math.min(r.left - 20, innerWidth - wide - 12))}px`;
    setHover({ c: hit.c, style: r.bottom > innerHeight - 290 ? { left, bottom: `${innerHeight - r.top + 6}px`, top: "auto" } : { left, top: `${r.bottom + 6}px`, bottom: "auto" } });
  };
  return (
    <div class="prose-box" ref={box} onMouseOver={show} onMouseLeave={() => setHover(null)} onFocusIn={show} onFocusOut={() => setHover(null)}
      onClick={(e) => { const hit = of(e); if (hit?.c) { setHover(null); open(hit.c); } }} onKeyDown={(e) => { if (e.key === "Escape") setHover(null); }}>
      <div class="prose" dangerouslySetInnerHTML={{ __html: body }} />
      {hover && (
        <div class="quote-card" role="tooltip" style={hover.style}>
          <q>{hover.c.cited_text}</q>
          <p>{[hover.c.document_title ?? hover.c.artifact_id, hover.c.page ? t("page {n}", { n: hover.c.page }) : "", ...(hover.c.headings ?? []).slice(-1)].filter(Boolean).join(" · ")}</p>
        </div>
      )}
    </div>
  );
}

function Tools({ answer, busy }: { answer: ReturnType<typeof read>; busy: boolean }) {
  if (!answer.tools.length && !answer.thinking) return busy ? <p class="meta working">{t("Reading …")}</p> : null;
  return (
    <div class="folds">
      {answer.thinking && <details><summary>{t("Thinking")}</summary><div class="fold-text">{answer.thinking}</div></details>}
      {answer.tools.length > 0 && (
        <details>
          <summary>
            {answer.passages.length ? t(answer.passages.length === 1 ? "{n} passage read" : "{n} passages read", { n: n(answer.passages.length) })
              : busy && !answer.tools.at(-1)!.result ? t("Searching …") : answer.tools.every((tool) => tool.name === searchTool && !tool.failed) ? t("Searched, and found no passage") : t("Tools used")}
          </summary>
          {answer.tools.map((tool, i) => (
            <div class="tool" key={i}>
              <p><code>{tool.name}</code> {queryOf(tool.input)}</p>
              {!answer.passages.length && <pre class={tool.failed ? "bad" : undefined}>{tool.result}</pre>}
            </div>
          ))}
          {answer.passages.map((p) => <Passage key={p.id} p={p} />)}
        </details>
      )}
    </div>
  );
}

function queryOf(input: unknown): string {
  let v = input;
  if (typeof v === "string") { try { v = JSON.parse(v); } catch { return v as string; } }
  const o = v as Record<string, unknown> | null;
  return o && typeof o.query === "string" ? `“${o.query}”` : JSON.stringify(v ?? {});
}

/** plain is Markdown without the signs that would disturb a short text: of headings, code and tables. */
const plain = (text: string) => text.replace(/^#+\s*|^\s*```\w*$|^[\s|:-]+$/gm, "").replace(/^\s*\|\s*|\s*\|\s*$/gm, "").replace(/\s*\|\s*/g, " · ");

export function Passage({ p, collection }: { p: Chunk; collection?: string }) {
  const scope = current.value?.scope;
  const open = async () => openPlace({
    collection: collection ?? (scope ? await collectionOf(p.document.artifact, scope) : ""), artifact: p.document.artifact, title: p.metadata.file_name,
    start: p.metadata.start_char_index, end: p.metadata.end_char_index, page: p.metadata.page, hash: p.document.doc_metadata.content_hash,
  });
  return (
    <button class="passage" onClick={open}>
      <span class="passage-head">
        <b>{p.document.doc_metadata.title || p.metadata.file_name}</b>
        <span>{[p.metadata.page ? t("page {n}", { n: p.metadata.page }) : "", ...(p.metadata.headings ?? []).slice(-1)].filter(Boolean).join(" · ")}</span>
        <span class="grow" /><span class="score">{n(p.score, 2)}</span>
      </span>
      <span class="passage-text">{plain(p.text).slice(0, 280)}</span>
    </button>
  );
}

function Nearest({ turn }: { turn: Turn }) {
  const [list, setList] = useState<{ p: Chunk; collection: string }[]>([]);
  useEffect(() => {
    void Promise.all(turn.scope.collections.map(async (collection, i) => {
      const r = await post<{ data: Chunk[] }>("v1/primitives/search", {
        type: "hybrid_search", text: turn.question, limit: 3,
        context_filter: { collection, ...(turn.scope.artifacts.length && i === 0 ? { artifacts: turn.scope.artifacts } : {}) },
      });
      return r.data.map((p) => ({ p, collection }));
    })).then((all) => setList(all.flat().sort((a, b) => b.p.score - a.p.score).slice(0, 3)), () => {});
  }, [turn.id]);
  if (!list.length) return null;
  return (
    <div class="nearest">
      <p>{t("The nearest passages, which may not answer it:")}</p>
      {list.map(({ p, collection }) => <Passage key={p.id} p={p} collection={collection} />)}
      <button class="quiet" onClick={() => go("library", turn.scope.collections[0])}>{t("Look at the documents")}</button>
    </div>
  );
}
