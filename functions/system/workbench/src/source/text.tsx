// A document's stored text with the quoted characters marked.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { cells, split, type Part } from "./blocks";
import { t } from "../i18n";

interface Span { start: number; end: number }
interface Props { text: string; mark?: Span; to?: number; plain?: boolean }

const around = 120; // blocks drawn before and after the place
const more = 200; // blocks drawn when the reader comes to the end

export function StoredText({ text, mark, to }: Props) {
  const parts = useMemo(() => split(text), [text]);
  const target = to ?? mark?.start ?? 0;
  const at = Math.max(0, parts.findIndex((p) => p.end > target));
  const [range, setRange] = useState<[number, number]>([0, 0]);
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => setRange([Math.max(0, at - around), Math.min(parts.length, at + around)]), [text, at]);
  useEffect(() => {
    const box = root.current;
    if (!box || range[1] === 0) return;
    const el = box.querySelector<HTMLElement>("mark") ?? box.querySelector<HTMLElement>(`[data-at="${parts[at]?.start}"]`);
    if (target > 0 || mark) el?.scrollIntoView({ block: "center" });
    else box.parentElement?.scrollTo(0, 0);
  }, [text, mark?.start, mark?.end, to, range[1] > 0 && range[0] <= at && at < range[1]]);
  useEffect(() => {
    const box = root.current;
    if (!box) return;
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((e) => e.isIntersecting)) return;
      setRange(([a, b]) => (b < parts.length ? [a, Math.min(parts.length, b + more)] : [a, b]));
    }, { rootMargin: "800px" });
    const end = box.querySelector(".text-end");
    if (end) watch.observe(end);
    return () => watch.disconnect();
  }, [text, range[1]]);
  return (
    <div class="stored" ref={root}>
      {range[0] > 0 && (
        <button class="quiet" onClick={() => setRange(([a, b]) => [Math.max(0, a - more), b])}>{t("Show what comes before")}</button>
      )}
      {parts.slice(range[0], range[1]).map((p) => <Block key={p.start} text={text} part={p} mark={mark} />)}
      {range[1] < parts.length && <div class="text-end">…</div>}
    </div>
  );
}

function Block({ text, part, mark }: { text: string; part: Part; mark?: Span }) {
  const lit = mark && mark.start < part.end && mark.end > part.start;
  const attributes = { "data-at": part.start, class: lit ? "lit" : undefined };
  switch (part.kind) {
    case "heading": {
      const skip = /^#+\s*/.exec(text.slice(part.start, part.end))![0].length;
      const Tag = `h${Math.min(6, part.level + 1)}` as "h2";
      return <Tag {...attributes}>{inline(text, part.start + skip, part.end, mark)}</Tag>;
    }
    case "code": return <pre {...attributes}>{leaf(text, part.start, part.end, mark)}</pre>;
    case "list": return <div {...attributes} class={`item level${Math.min(4, part.level)}${lit ? " lit" : ""}`}>{item(text, part, mark)}</div>;
    case "table": return <Table text={text} part={part} mark={mark} />;
    default: return <p {...attributes}>{inline(text, part.start, part.end, mark)}</p>;
  }
}

function item(text: string, part: Part, mark?: Span) {
  const [head, sign] = /^\s*([-*+]|\d+[.)])\s+/.exec(text.slice(part.start, part.end)) ?? ["", ""];
  return [<span class="bullet">{/\d/.test(sign) ? sign : "•"}</span>, <span>{inline(text, part.start + head.length, part.end, mark)}</span>];
}

function Table({ text, part, mark }: { text: string; part: Part; mark?: Span }) {
  const rows: Span[] = [];
  for (let at = part.start; at < part.end;) {
    let end = text.indexOf("\n", at);
    if (end < 0 || end > part.end) end = part.end;
    rows.push({ start: at, end });
    at = end + 1;
  }
  const rule = (r: Span) => /^[\s|:-]+$/.test(text.slice(r.start, r.end)) && text.slice(r.start, r.end).includes("-");
  const headed = rows.length > 1 && rule(rows[1]);
  const line = (r: Span, Cell: "td" | "th") => (
    <tr key={r.start} class={mark && mark.start < r.end && mark.end > r.start ? "lit" : undefined}>
      {cells(text, r.start, r.end).map((c) => <Cell key={c.start}>{inline(text, c.start, c.end, mark)}</Cell>)}
    </tr>
  );
  return (
    <div class="table" data-at={part.start} tabIndex={0} role="region" aria-label={t("Table")}>
      <table>
        {headed && <thead>{line(rows[0], "th")}</thead>}
        <tbody>{rows.slice(headed ? 1 : 0).filter((r) => !rule(r)).map((r) => line(r, "td"))}</tbody>
      </table>
    </div>
  );
}

const token = /\*\*(?=\S)([^*\n]+?)\*\*|__(?=\S)([^_\n]+?)__|`([^`\n]+)`|\[([^\]\n]+)\]\([^)\s]*\)/g;

/** inline draws emphasis, code and links without their signs. */
function inline(text: string, start: number, end: number, mark?: Span): ComponentChildren {
  const piece = text.slice(start, end);
  const out: ComponentChildren[] = [];
  let at = 0;
  for (const m of piece.matchAll(token)) {
    const inner = m[1] ?? m[2] ?? m[3] ?? m[4];
    const from = m.index + (m[1] ?? m[2] ? 2 : 1);
    out.push(leaf(text, start + at, start + m.index, mark));
    const body = leaf(text, start + from, start + from + inner.length, mark);
    out.push(m[3] !== undefined ? <code>{body}</code> : m[4] !== undefined ? <span class="linked">{body}</span> : <strong>{body}</strong>);
    at = m.index + m[0].length;
  }
  out.push(leaf(text, start + at, end, mark));
  return out;
}

/** leaf draws characters, the quoted ones marked. */
function leaf(text: string, start: number, end: number, mark?: Span): ComponentChildren {
  if (!mark || mark.end <= start || mark.start >= end) return text.slice(start, end);
  const [a, b] = [Math.max(start, mark.start), Math.min(end, mark.end)];
  return [text.slice(start, a), <mark>{text.slice(a, b)}</mark>, text.slice(b, end)];
}
