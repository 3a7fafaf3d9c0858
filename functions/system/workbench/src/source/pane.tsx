// The pane at the right: the source of a citation, at its place.
import { useEffect, useRef, useState } from "preact/hooks";
import { lazyPDF, original, save } from "./original";
import { known, place, step, steps, stored, type Place } from "./stored";
import { docsOf, documents, nameOf } from "../state";
import { n, t } from "../i18n";
import { Icon } from "../icons";
import { outline } from "./blocks";
import { StoredText } from "./text";
import { Failure } from "../api";

const least = 320;

export function SourcePane() {
  const p = place.value;
  const [width, setWidth] = useState(() => Number(localStorage.getItem("lectern.pane")) || Math.min(560, Math.round(innerWidth * 0.38)));
  const box = useRef<HTMLElement>(null);
  const before = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (p && !box.current?.contains(document.activeElement)) {
      before.current = document.activeElement as HTMLElement;
      // Who came by the keyboard goes on reading there; Escape leads back.
      if (before.current.matches(":focus-visible:not(textarea, input)")) box.current?.querySelector<HTMLElement>(".pane-body")?.focus({ preventScroll: true });
    }
  }, [p]);
  useEffect(() => { if (box.current) box.current.style.setProperty("--pane", `${width}px`); }, [width, p === null]);
  if (!p) return null;
  const close = () => { place.value = null; before.current?.focus?.(); };
  const resize = (to: number) => {
    const w = Math.max(least, Math.min(innerWidth - 480, to));
    setWidth(w);
    localStorage.setItem("lectern.pane", String(w));
  };
  const drag = (e: PointerEvent) => {
    const handle = e.currentTarget as HTMLElement;
    handle.setPointerCapture(e.pointerId);
    const move = (m: PointerEvent) => resize(innerWidth - m.clientX);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", () => handle.removeEventListener("pointermove", move), { once: true });
  };
  return (
    <aside class="pane" ref={box} aria-label={t("Source")} onKeyDown={(e) => { if (e.key === "Escape") { e.stopPropagation(); close(); } }}>
      <div class="pane-handle" role="separator" aria-orientation="vertical" aria-label={t("Width of the source")} aria-valuenow={width} aria-valuemin={least}
        aria-valuemax={Math.max(least, innerWidth - 480)} tabIndex={0} onPointerDown={drag}
        onKeyDown={(e) => { if (e.key === "ArrowLeft") resize(width + 24); if (e.key === "ArrowRight") resize(width - 24); }} />
      <Source key={`${p.collection}/${p.artifact}`} p={p} close={close} />
    </aside>
  );
}

function Source({ p, close }: { p: Place; close: () => void }) {
  const [text, setText] = useState<string | null>(null);
  const [failed, setFailed] = useState("");
  const [to, setTo] = useState<number | undefined>();
  const [view, setView] = useState<"text" | "outline" | "pdf">("text");
  const [kept, setKept] = useState<{ pdf: boolean } | null>(null);
  useEffect(() => {
    let here = true;
    docsOf(p.collection).catch(() => {});
    stored(p.collection, p.artifact).then((s) => here && setText(s), (e: Failure) => here && setFailed(e.status === 404 ? "gone" : e.message));
    original(p.collection, p.artifact).then((o) => {
      if (!here || !o) return;
      const pdf = o.media_type === "application/pdf";
      setKept({ pdf });
      if (pdf) setView("pdf");
    });
    return () => { here = false; };
  }, []);
  useEffect(() => setTo(undefined), [p]);
  void documents.value;
  const doc = known(p.collection, p.artifact);
  const gone = text !== null && documents.value[p.collection] !== undefined && !doc;
  const changed = !!(p.hash && doc && doc.doc_metadata.content_hash !== p.hash);
  const mark = text === null ? undefined : find(text, p, changed);
  const lost = text !== null && p.start !== undefined && !mark;
  const list = steps.value;
  const PDF = lazyPDF.value;
  const headings = text === null ? [] : outline(text);
  const where = [p.page ? t("page {n}", { n: p.page }) : "", headings.filter((h) => mark && h.start <= mark.start).at(-1)?.text ?? ""].filter(Boolean).join(" · ");
  return (
    <>
      <header class="pane-head">
        <div class="pane-title">
          <h2 title={p.artifact}>{doc ? nameOf(doc) : p.title ?? p.artifact}</h2>
          <p>{where || (doc ? [doc.doc_metadata.file_type.toUpperCase(), doc.doc_metadata.pages ? t("{n} pages", { n: n(doc.doc_metadata.pages) }) : "",
            t("{n} tokens", { n: n(doc.doc_metadata.token_count) })].filter(Boolean).join(" · ") : "")}</p>
        </div>
        {list.length > 1 && (
          <div class="pane-steps">
            <button class="icon-button" onClick={() => step(-1)} title={`${t("Citation before")}  [`} aria-label={t("Citation before")}><Icon name="left" /></button>
            <span>{t("{a} of {b}", { a: p.n ?? 1, b: list.length })}</span>
            <button class="icon-button" onClick={() => step(1)} title={`${t("Next citation")}  ]`} aria-label={t("Next citation")}><Icon name="right" /></button>
          </div>
        )}
        <button class="icon-button" onClick={close} aria-label={t("Close the source")} title={t("Close the source")}><Icon name="close" /></button>
      </header>
      <div class="pane-bar" role="group" aria-label={t("View")}>
        {kept?.pdf && <button class="tab" aria-pressed={view === "pdf"} onClick={() => setView("pdf")}>PDF</button>}
        <button class="tab" aria-pressed={view === "text"} onClick={() => setView("text")}>{t("Text")}</button>
        {headings.length > 1 && <button class="tab" aria-pressed={view === "outline"} onClick={() => setView("outline")}>{t("Outline")}</button>}
        <span class="grow" />
        {kept && <button class="quiet" onClick={() => void save(p.collection, p.artifact)} title={t("Download the original")}><Icon name="download" size={14} />{t("Original")}</button>}
      </div>
      {gone && <p class="warn-line" role="status"><Icon name="warn" size={14} />{t("This document is no longer there.")}</p>}
      {changed && <p class="warn-line" role="status"><Icon name="warn" size={14} />{t("This document has changed since it was cited.")}</p>}
      {lost && <p class="warn-line" role="status"><Icon name="warn" size={14} />{t("The quoted place could not be found for certain, so nothing is marked.")}</p>}
      <div class="pane-body" tabIndex={0} role="region" aria-label={t("Text of the document")}>
        {failed ? <p class="empty">{failed === "gone" ? t("This document is no longer there.") : failed}</p>
          : text === null ? <p class="empty" aria-busy="true">{t("Opening …")}</p>
            : view === "outline" ? (
              <ul class="outline">
                {headings.map((h) => (
                  <li key={h.start} class={`level${h.level}`}><button onClick={() => { setTo(h.start); setView("text"); }}>{h.text}</button></li>
                ))}
              </ul>
            ) : view === "pdf" && kept && PDF ? <PDF place={p} mark={mark} fallback={() => setView("text")} />
              : <StoredText text={text} mark={mark} to={to} />}
      </div>
    </>
  );
}

/** find returns where the quotation stands for certain: at its offsets, or at the one place that has its words. */
function find(text: string, p: Place, changed: boolean): { start: number; end: number } | undefined {
  if (p.start === undefined || p.end === undefined) return undefined;
  if (p.quote === undefined && changed) return undefined;
  if (p.quote === undefined || text.slice(p.start, p.end) === p.quote) return { start: p.start, end: Math.min(p.end, text.length) };
  const at = text.indexOf(p.quote);
  if (at < 0 || text.indexOf(p.quote, at + 1) >= 0) return undefined;
  return { start: at, end: at + p.quote.length };
}
