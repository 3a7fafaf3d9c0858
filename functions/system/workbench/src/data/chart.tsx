// Bars or a line as SVG, chosen by the shape of the result: categories with a number
// are bars, dates and years with a number a line.
import { numeric, type Rows } from "./table";
import { locale, n, t } from "../i18n";

export type ChartKind = "bar" | "line";
export interface Shape { kind: ChartKind; label: number; values: number[] }

const time = /^\d{4}-\d{2}(-\d{2})?([T ].*)?$|^\d{4}[- ]?(Q|W)\d+$/, year = /^(1[89]|20|21)\d\d$/;
const most = 40;

/** shapeOf returns what can be drawn: a column that names the rows, and up to three of numbers. */
export function shapeOf(d: Rows): Shape | null {
  if (d.rows.length < 2 || d.rows.length > 2000 || d.columns.length < 2) return null;
  const all = d.columns.map((_, i) => i);
  const isNumber = (i: number) => d.rows.every((r) => !r[i] || numeric(r[i])) && d.rows.some((r) => r[i]);
  const isTime = (i: number) => d.rows.every((r) => time.test(r[i] ?? "") || (/year|jahr|annee|année/i.test(d.columns[i]) && year.test(r[i] ?? "")));
  const label = all.find(isTime) ?? all.find((i) => !isNumber(i)) ?? 0;
  const values = all.filter((i) => i !== label && isNumber(i) && !/(^|_)id$/i.test(d.columns[i])).slice(0, 3);
  if (!values.length) return null;
  const kind = isTime(label) && d.rows.length > 2 ? "line" : "bar";
  return kind === "bar" && d.rows.length > most ? null : { kind, label, values };
}

/** ticks returns round steps that cover a range. */
export function ticks(low: number, high: number, about = 5): number[] {
  const raw = (high - low || 1) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((s) => s * power >= raw)! * power;
  const out: number[] = [];
  for (let v = Math.floor(low / step) * step; v < high + step; v += step) out.push(Math.round(v / step) * step);
  return out;
}

const short = (s: string, most: number) => (s.length > most ? `${s.slice(0, most - 1)}…` : s);
const compact = (v: number) => (Math.abs(v) >= 10_000 ? new Intl.NumberFormat(locale(), { notation: "compact", maximumFractionDigits: 1 }).format(v) : n(v, 2));

export function Chart({ data, shape }: { data: Rows; shape: Shape }) {
  const rows = shape.kind === "line" ? [...data.rows].sort((a, b) => (a[shape.label] < b[shape.label] ? -1 : 1)) : data.rows;
  const value = (r: string[], i: number) => Number(r[i] || 0);
  const all = rows.flatMap((r) => shape.values.map((i) => value(r, i)));
  const low = Math.min(0, ...all), high = Math.max(0, ...all);
  const marks = ticks(low, high);
  const [bottom, top] = [marks[0], marks.at(-1)!];
  const w = innerWidth < 760 ? 380 : 720, left = 14 + Math.max(...marks.map((m) => compact(m).length)) * 7, right = 12, above = shape.values.length > 1 ? 30 : 12;
  const widest = Math.max(...rows.map((r) => (r[shape.label] ?? "").length));
  const band = (w - left - right) / rows.length;
  const tilt = shape.kind === "bar" && widest * 6.5 > band;
  const below = tilt ? Math.min(92, widest * 5 + 18) : 26;
  const h = above + 230 + below;
  const y = (v: number) => above + (1 - (v - bottom) / (top - bottom)) * 230;
  const x = (k: number) => left + band * (k + 0.5);
  const every = Math.ceil(rows.length / (shape.kind === "line" ? 9 : 40));
  const text = `${shape.kind === "bar" ? t("Bars") : t("Line")}: ${shape.values.map((i) => data.columns[i]).join(", ")} / ${data.columns[shape.label]}`;
  return (
    <svg class="chart" viewBox={`0 0 ${w} ${h}`} role="img" aria-label={text} font-size="12" font-family="inherit">
      {marks.map((m) => <g key={m}><line x1={left} x2={w - right} y1={y(m)} y2={y(m)} class={m === 0 ? "axis" : "rule"} /><text x={left - 8} y={y(m) + 4} text-anchor="end" class="tick-text">{compact(m)}</text></g>)}
      {shape.kind === "bar" ? rows.map((r, k) => shape.values.map((i, s) => {
        const bw = Math.min(64, band * 0.72) / shape.values.length;
        const v = value(r, i);
        return <rect key={`${k}.${s}`} class={`series${s}`} x={x(k) - (bw * shape.values.length) / 2 + s * bw} width={Math.max(1, bw - (shape.values.length > 1 ? 1 : 0))} y={Math.min(y(0), y(v))} height={Math.max(0.5, Math.abs(y(v) - y(0)))} rx="1.500"><title>{`${r[shape.label]}: ${n(v, 4)}`}</title></rect>;
      })) : shape.values.map((i, s) => (
        <g key={s} class={`series${s}`}>
          <polyline fill="none" class="line" points={rows.map((r, k) => `${x(k)},${y(value(r, i))}`).join(" ")} />
          {rows.length <= 60 && rows.map((r, k) => <circle key={k} cx={x(k)} cy={y(value(r, i))} r="3"><title>{`${r[shape.label]}: ${n(value(r, i), 4)}`}</title></circle>)}
        </g>
      ))}
      {rows.map((r, k) => k % every === 0 && (
        <text key={k} class="tick-text" x={x(k)} y={above + 230 + 18} text-anchor={tilt ? "end" : "middle"} transform={tilt ? `rotate(-38 ${x(k)} ${above + 230 + 14})` : undefined}>{short(r[shape.label] ?? "", 18)}</text>
      ))}
      {shape.values.length > 1 && shape.values.map((i, s) => <g key={i} class={`series${s}`}><rect x={left + s * 150} y="6" width="10" height="10" rx="2" /><text class="tick-text" x={left + s * 150 + 15} y="15">{short(data.columns[i].replaceAll("_", " "), 20)}</text></g>)}
    </svg>
  );
}

/** png draws the chart with the colours that it has on the page, twice as large. */
export async function png(svg: SVGSVGElement): Promise<Blob> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((el, i) => {
    const look = getComputedStyle(el);
    for (const name of ["fill", "stroke", "stroke-width", "font-size", "font-family"]) to[i].setAttribute(name, look.getPropertyValue(name));
  });
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  try {
    const img = new Image();
    img.src = url;
    await img.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * 2, height * 2];
    const to = canvas.getContext("2d")!;
    to.fillStyle = getComputedStyle(document.body).backgroundColor;
    to.fillRect(0, 0, canvas.width, canvas.height);
    to.drawImage(img, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) => canvas.toBlob((b) => (b ? done(b) : failed(new Error("no picture")))));
  } finally {
    URL.revokeObjectURL(url);
  }
}
