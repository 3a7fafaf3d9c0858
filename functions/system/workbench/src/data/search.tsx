// Search: passages with their scores explained, and filters on metadata.
import { useEffect, useRef, useState } from "preact/hooks";
import { post, type Chunk } from "../api";
import { label } from "../ask/view";
import { firstScope } from "../ask/conversation";
import { collections, docsOf, documents } from "../state";
import { openPlace } from "../source/stored";
import { n, t } from "../i18n";
import { Icon } from "../icons";

type Kind = "hybrid_search" | "semantic_search" | "keywords_search";
interface Condition { key: string; operator: string; value: string }
const operators = ["==", "!=", ">", "<", ">=", "<=", "contains", "text_match", "in"];

export function SearchView() {
  const [text, setText] = useState("");
  const [collection, setCollection] = useState("");
  const [kind, setKind] = useState<Kind>("hybrid_search");
  const [limit, setLimit] = useState(10);
  const [conditions, setConditions] = useState<Condition[]>([]);
  const [found, setFound] = useState<{ data: Chunk[]; warnings?: string[]; seconds: number } | null>(null);
  const [failed, setFailed] = useState("");
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  const at = collection || firstScope().collections[0] || "";
  useEffect(() => { if (at) void docsOf(at).catch(() => {}); }, [at]);
  const keys = [...new Set((documents.value[at] ?? []).flatMap((d) => Object.keys(d.doc_metadata)))].sort();
  const run = async (e?: Event) => {
    e?.preventDefault();
    if (!text.trim()) return;
    running.current?.abort();
    const control = (running.current = new AbortController());
    setBusy(true);
    setFailed("");
    const started = performance.now();
    const filters = conditions.filter((c) => c.key && c.value).map((c) => ({ key: c.key, operator: c.operator, value: c.operator === "in" ? c.value.split(",").map((v) => typed(v.trim())) : typed(c.value) }));
    try {
      const r = await post<{ data: Chunk[]; warnings?: string[] }>("v1/primitives/search", {
        type: kind, limit, explain: true, ...(kind === "keywords_search" ? { keywords: text.trim().split(/\s+/) } : { text }),
        context_filter: { collection: at, ...(filters.length ? { metadata_filter: filters } : {}) },
      }, control.signal);
      setFound({ ...r, seconds: (performance.now() - started) / 1000 });
    } catch (e) {
      if ((e as Error).name !== "AbortError") { setFailed((e as Error).message); setFound(null); }
    }
    if (running.current === control) setBusy(false);
  };
  useEffect(() => { if (found) void run(); }, [kind, at, limit]);
  const set = (i: number, more: Partial<Condition>) => setConditions(conditions.map((c, k) => (k === i ? { ...c, ...more } : c)));
  return (
    <div class="data-view" tabIndex={-1}>
      <form class="search-form" onSubmit={run} role="search">
        <h1 class="display">{t("Search")}</h1>
        <div class="search-line">
          <input id="search" type="search" value={text} autofocus onInput={(e) => setText(e.currentTarget.value)} placeholder={t("Words, or what it is about")} aria-label={t("Words, or what it is about")} />
          <button class="primary" disabled={!text.trim()}>{t("Search")}</button>
        </div>
        <div class="options">
          <select value={at} onChange={(e) => setCollection(e.currentTarget.value)} aria-label={t("Collection")}>
            {collections.value.map((c) => <option key={c.name} value={c.name}>{label(c.name)}</option>)}
          </select>
          <select value={kind} onChange={(e) => setKind(e.currentTarget.value as Kind)} aria-label={t("How")}>
            <option value="hybrid_search">{t("Words and meaning")}</option>
            <option value="keywords_search">{t("Words alone")}</option>
          </select>
          <select value={String(limit)} onChange={(e) => setLimit(Number(e.currentTarget.value))} aria-label={t("Results")}>
            {[10, 25, 50, 100].map((k) => <option key={k} value={String(k)}>{t("{n} results", { n: k })}</option>)}
          </select>
          <button type="button" class="quiet" onClick={() => setConditions([...conditions, { key: keys.includes("file_type") ? "file_type" : keys[0] ?? "", operator: "==", value: "" }])}><Icon name="plus" size={14} />{t("Filter")}</button>
        </div>
        {conditions.map((c, i) => (
          <div class="condition" key={i}>
            <input list="keys" value={c.key} onInput={(e) => set(i, { key: e.currentTarget.value })} aria-label={t("Field")} placeholder={t("Field")} />
            <select value={c.operator} onChange={(e) => set(i, { operator: e.currentTarget.value })} aria-label={t("Comparison")}>{operators.map((o) => <option key={o}>{o}</option>)}</select>
            <input value={c.value} onInput={(e) => set(i, { value: e.currentTarget.value })} aria-label={t("Value")} placeholder={t("Value")} />
            <button type="button" class="icon-button" aria-label={t("Remove the filter")} onClick={() => setConditions(conditions.filter((_, k) => k !== i))}><Icon name="close" size={14} /></button>
          </div>
        ))}
        <datalist id="keys">{keys.map((k) => <option key={k} value={k} />)}</datalist>
      </form>
      {failed && <p class="bad-line" role="alert"><Icon name="warn" size={14} />{failed}</p>}
      <div class="results" aria-live="polite" aria-busy={busy}>
        {found && <p class="meta"><span>{t(found.data.length === 1 ? "{n} result" : "{n} results", { n: n(found.data.length) })}</span><span>{n(found.seconds * 1000)} ms</span></p>}
        {found?.warnings?.map((w) => <p class="warn-line" key={w}><Icon name="warn" size={14} />{w}</p>)}
        {found && !found.data.length && <p class="empty">{t("Nothing was found.")}</p>}
        {found?.data.map((c) => <Result key={c.id} c={c} collection={at} />)}
      </div>
    </div>
  );
}

/** typed makes numbers and truth values of what looks like one, since metadata has types. */
function typed(value: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value === "true" ? true : value === "false" ? false : value;
}

function Result({ c, collection }: { c: Chunk; collection: string }) {
  const m = c.metadata;
  const explain = m.explain ?? {};
  const terms = explain.matched_terms ?? [];
  const open = () => openPlace({ collection, artifact: c.document.artifact, title: m.file_name, start: m.start_char_index, end: m.end_char_index, page: m.page });
  const numbers = Object.entries(explain).filter((e): e is [string, number] => typeof e[1] === "number");
  return (
    <article class="result">
      <div class="result-head">
        <button class="result-title" onClick={open}>{c.document.doc_metadata.title || m.file_name}</button>
        <span class="dim">{[m.page ? t("page {n}", { n: m.page }) : "", ...(m.headings ?? []).slice(-2)].filter(Boolean).join(" · ")}</span>
        <span class="grow" />
        <span class="score" title={t("Score from 0 to 1")}><meter min={0} max={1} value={c.score} aria-label={t("Score from 0 to 1")} />{n(c.score, 2)}</span>
      </div>
      <p class="result-text">{highlight(excerpt(c.text, terms), terms)}</p>
      {(numbers.length > 0 || terms.length > 0) && (
        <details class="explain">
          <summary>{t("Why")}</summary>
          <table>
            <tbody>
              {numbers.map(([k, v]) => <tr key={k}><th scope="row">{k.replaceAll("_", " ")}</th><td><meter min={0} max={1} value={v} aria-label={k} /></td><td class="num">{n(v, 3)}</td></tr>)}
            </tbody>
          </table>
          {terms.length > 0 && <p>{t("Words that match:")} {terms.join(", ")}</p>}
        </details>
      )}
    </article>
  );
}

/** excerpt starts near the first word that matches. */
function excerpt(text: string, terms: string[]): string {
  const clean = text.replace(/^#+\s*|^\s*```\w*$/gm, "").replace(/\n{2,}/g, "\n");
  const at = Math.min(...terms.map((w) => clean.toLowerCase().indexOf(w.toLowerCase())).filter((k) => k >= 0), clean.length);
  const from = at > 160 && at < clean.length ? clean.lastIndexOf(" ", at - 100) + 1 : 0;
  return (from ? "… " : "") + clean.slice(from, from + 420) + (clean.length > from + 420 ? " …" : "");
}

function highlight(text: string, terms: string[]) {
  const words = terms.filter((w) => w.length > 1).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!words.length) return text;
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])((?:${words.join("|")})[\\p{L}]{0,3})(?![\\p{L}\\p{N}])`, "giu"));
  return parts.map((p, i) => (i % 2 ? <b class="hit">{p}</b> : p));
}
