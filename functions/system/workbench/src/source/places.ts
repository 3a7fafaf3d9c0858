// Where quoted words stand on the pages of a PDF: the service knows from reading it.
// Where it cannot say, they are looked for among the words of the page, and marked only
// where they stand there once.
import { get } from "../api";
import type { PDFDocumentProxy } from "pdfjs-dist";
import type { TextItem } from "pdfjs-dist/types/src/display/api";
import type { Place } from "./stored";

/** Rectangle is in shares of the page's width and height, from its upper left corner. */
export interface Rectangle { page: number; x: number; y: number; width: number; height: number }

/** letters keeps what two readers of a PDF agree on: letters and digits, without space, hyphens and signs. */
function letters(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const around = [0, 1, -1, 2, -2]; // pages beside the one of the passage
const longest = 40; // letters that must be found, at least at the start of a passage

interface Answer { data: { page: number; rects: { x0: number; y0: number; x1: number; y1: number }[] }[] }

/** told returns the rectangles that the service gives, in points from the lower left corner, as those of the viewer. */
async function told(doc: PDFDocumentProxy, place: Place, mark: { start: number; end: number }): Promise<Rectangle[]> {
  const { data } = await get<Answer>("v1/artifacts/places", { collection: place.collection, artifact: place.artifact, start: mark.start, end: mark.end });
  const out: Rectangle[] = [];
  for (const p of data) {
    if (p.page > doc.numPages) return [];
    const view = (await doc.getPage(p.page)).getViewport({ scale: 1 });
    for (const r of p.rects) {
      const [[ax, ay], [bx, by]] = [view.convertToViewportPoint(r.x0, r.y0), view.convertToViewportPoint(r.x1, r.y1)];
      out.push({
        page: p.page, x: Math.min(ax, bx) / view.width, y: Math.min(ay, by) / view.height,
        width: Math.abs(ax - bx) / view.width, height: Math.abs(ay - by) / view.height,
      });
    }
  }
  return out;
}

export async function rectangles(doc: PDFDocumentProxy, place: Place, mark: { start: number; end: number }, quote: string): Promise<Rectangle[]> {
  const known = await told(doc, place, mark).catch(() => []);
  if (known.length) return known;
  const want = letters(quote);
  if (want.length < 3) return [];
  const pages = place.page ? around.map((k) => place.page! + k).filter((k) => k >= 1 && k <= doc.numPages) : Array.from({ length: Math.min(doc.numPages, 300) }, (_, i) => i + 1);
  // A passage without a quotation may cross pages: then its beginning is marked.
  const sought = place.quote === undefined && want.length > 400 ? [want, want.slice(0, Math.max(longest, 200))] : [want];
  for (const text of sought) {
    for (const k of pages) {
      const at = await onPage(doc, k, text);
      if (at === "twice") return [];
      if (at.length) return at;
    }
  }
  return across(doc, pages, want);
}

interface Letter { item: number; from: number; to: number } // shares of the item's width

async function read(doc: PDFDocumentProxy, number: number) {
  const page = await doc.getPage(number);
  const content = await page.getTextContent();
  const items = content.items.filter((i): i is TextItem => "str" in i && i.str.length > 0);
  let text = "";
  const where: Letter[] = [];
  items.forEach((item, i) => {
    [...item.str].forEach((c, k, all) => {
      for (const letter of letters(c)) {
        text += letter;
        for (let u = 0; u < letter.length; u++) where.push({ item: i, from: k / all.length, to: (k + 1) / all.length });
      }
    });
  });
  return { page, items, text, where };
}

async function onPage(doc: PDFDocumentProxy, number: number, want: string): Promise<Rectangle[] | "twice"> {
  const p = await read(doc, number);
  const at = p.text.indexOf(want);
  if (at < 0) return [];
  if (p.text.indexOf(want, at + 1) >= 0) return "twice";
  return boxes(p, number, at, at + want.length);
}

/** across finds text that begins at the end of one page and ends on the next. */
async function across(doc: PDFDocumentProxy, pages: number[], want: string): Promise<Rectangle[]> {
  for (const k of [...pages].sort((a, b) => a - b)) {
    if (k + 1 > doc.numPages) continue;
    const [a, b] = [await read(doc, k), await read(doc, k + 1)];
    for (let cut = Math.min(want.length - 12, a.text.length); cut >= 12; cut--) {
      if (!b.text.includes(want.slice(cut))) break;
      const start = a.text.lastIndexOf(want.slice(0, cut)), end = b.text.indexOf(want.slice(cut));
      if (start >= 0 && start > a.text.length - cut - 200 && end < 400) return [...boxes(a, k, start, start + cut), ...boxes(b, k + 1, end, end + want.length - cut)];
    }
  }
  return [];
}

function boxes(p: Awaited<ReturnType<typeof read>>, number: number, start: number, end: number): Rectangle[] {
  const view = p.page.getViewport({ scale: 1 });
  const out: Rectangle[] = [];
  for (let i = start; i < end;) {
    const { item, from } = p.where[i];
    let to = p.where[i].to;
    while (i < end && p.where[i].item === item) to = p.where[i++].to;
    const t = p.items[item];
    const tall = t.height || Math.hypot(t.transform[2], t.transform[3]);
    const [x, y] = [t.transform[4], t.transform[5]];
    const [x1, y1] = view.convertToViewportPoint(x + t.width * from, y - tall * 0.22);
    const [x2, y2] = view.convertToViewportPoint(x + t.width * to, y + tall * 0.88);
    out.push({ page: number, x: Math.min(x1, x2) / view.width - 0.003, y: Math.min(y1, y2) / view.height, width: Math.abs(x2 - x1) / view.width, height: Math.abs(y2 - y1) / view.height });
  }
  return join(out);
}

/** join makes one rectangle of those that follow each other in a line. */
function join(list: Rectangle[]): Rectangle[] {
  const out: Rectangle[] = [];
  for (const r of list) {
    const last = out.at(-1);
    if (last && Math.abs(last.y - r.y) < r.height * 0.4 && r.x >= last.x - 0.005 && r.x - (last.x + last.width) < 0.05) {
      const right = Math.max(last.x + last.width, r.x + r.width), bottom = Math.max(last.y + last.height, r.y + r.height);
      last.y = Math.min(last.y, r.y);
      last.width = right - last.x;
      last.height = bottom - last.y;
    } else out.push({ ...r });
  }
  return out;
}
