// A table of results: sorted by a click on a column, drawn as a chart, exported.
import { useMemo, useRef, useState } from "preact/hooks";
import { download, notify } from "../state";
import { n, t } from "../i18n";
import { Icon } from "../icons";
import { Chart, png, shapeOf, type ChartKind } from "./chart";

export interface Rows { columns: string[]; rows: string[][] }

/** parseCSV reads RFC 4180. */
export function parseCSV(text: string): Rows {
  const all: string[][] = [];
  let row: string[] = [], cell = "", quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') { cell += '"'; i++; }
      else quoted = false;
    } else if (c === '"' && !cell) quoted = true;
    else if (c === ",") { row.push(cell); cell = ""; }
    else if (c === "\n") { row.push(cell.replace(/\r$/, "")); all.push(row); row = []; cell = ""; }
    else cell += c;
  }
  if (cell || row.length) { row.push(cell); all.push(row); }
  return { columns: all[0] ?? [], rows: all.slice(1) };
}

export function toCSV(d: Rows): string {
  // A cell that a spreadsheet would take for a formula gets an apostrophe before it.
  const cell = (v: string) => { const safe = /^[=+@\t]|^-(?![\d.])/.test(v) ? `'${v}` : v; return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe; };
  return [d.columns, ...d.rows].map((r) => r.map(cell).join(",")).join("\r\n") + "\r\n";
}

export const numeric = (v: string) => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(v.trim());

const most = 500;

export function ResultTable({ data, name }: { data: Rows; name: string }) {
  const [sort, setSort] = useState<{ at: number; down: boolean } | null>(null);
  const shape = useMemo(() => shapeOf(data), [data]);
  const [kind, setKind] = useState<ChartKind | "none">(shape?.kind ?? "none");
  const figure = useRef<HTMLDivElement>(null);
  const numbers = data.columns.map((_, i) => data.rows.length > 0 && data.rows.every((r) => !r[i] || numeric(r[i])));
  const rows = useMemo(() => {
    if (!sort) return data.rows;
    const order = new Intl.Collator(undefined, { numeric: true });
    return [...data.rows].sort((a, b) => (numbers[sort.at] ? Number(a[sort.at] || "-Infinity") - Number(b[sort.at] || "-Infinity") : order.compare(a[sort.at], b[sort.at])) * (sort.down ? -1 : 1));
  }, [data, sort]);
  const savePNG = () => {
    const svg = figure.current?.querySelector("svg");
    if (svg) void png(svg).then((blob) => download(`${name}.png`, blob, "image/png"), () => notify(t("The picture could not be made."), { bad: true }));
  };
  return (
    <div class="result-table">
      {shape && kind !== "none" && <div class="figure" ref={figure}><Chart data={data} shape={{ ...shape, kind }} /></div>}
      <div class="sheet-bar">
        {shape && (
          <span class="choice" role="group" aria-label={t("Chart")}>
            {(["bar", "line", "none"] as const).map((k) => <button key={k} aria-pressed={kind === k} onClick={() => setKind(k)}>{k === "bar" ? t("Bars") : k === "line" ? t("Line") : t("No chart")}</button>)}
          </span>
        )}
        <span class="grow" />
        <span class="dim">{t(data.rows.length === 1 ? "{n} row" : "{n} rows", { n: n(data.rows.length) })}</span>
        <button class="quiet" onClick={() => download(`${name}.csv`, toCSV(data), "text/csv")}><Icon name="download" size={14} />CSV</button>
        {shape && kind !== "none" && <button class="quiet" onClick={savePNG}><Icon name="download" size={14} />PNG</button>}
      </div>
      <div class="sheet-box" tabIndex={0} role="region" aria-label={t("Table")}>
        <table class="sheet">
          <thead><tr>{data.columns.map((c, i) => (
            <th key={i} scope="col" class={numbers[i] ? "num" : undefined} aria-sort={sort?.at === i ? (sort.down ? "descending" : "ascending") : "none"}>
              <button onClick={() => setSort({ at: i, down: sort?.at === i ? !sort.down : numbers[i] })}>{c.replaceAll("_", " ")}{sort?.at === i && (sort.down ? " ↓" : " ↑")}</button>
            </th>
          ))}</tr></thead>
          <tbody>{rows.slice(0, most).map((r, k) => <tr key={k}>{data.columns.map((_, i) => <td key={i} class={numbers[i] ? "num" : undefined}>{numbers[i] && r[i] && Math.abs(Number(r[i])) < 1e15 && !/^(year|jahr|id)$|_id$/i.test(data.columns[i]) ? n(Number(r[i]), 6) : r[i]}</td>)}</tr>)}</tbody>
        </table>
      </div>
      {rows.length > most && <p class="dim">{t("The first {n} rows are shown; the CSV file has all.", { n: n(most) })}</p>}
    </div>
  );
}
