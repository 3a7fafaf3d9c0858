// The pages of a PDF, drawn when they come into view, with the quoted words marked.
import { useEffect, useRef, useState } from "preact/hooks";
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, type RenderTask } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { bytesOf, type ViewerProps } from "./original";
import { rectangles, type Rectangle } from "./places";
import { stored, type Place } from "./stored";
import { t } from "../i18n";
import { Icon } from "../icons";

GlobalWorkerOptions.workerSrc = workerAddress;

export function PDFView({ place, mark, fallback }: ViewerProps) {
  const [doc, setDoc] = useState<PDFDocumentProxy | null>(null);
  const [ratio, setRatio] = useState(1.414);
  const [failed, setFailed] = useState(false);
  const [found, setFound] = useState<{ rects: Rectangle[]; sought: boolean }>({ rects: [], sought: false });
  const [room, setRoom] = useState(0);
  const [zoom, setZoom] = useState(1);
  const width = Math.round(room * zoom);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let here = true;
    const open = bytesOf(place.collection, place.artifact).then((data) => getDocument({ data, useWasm: false, verbosity: 0 }).promise);
    open.then(async (d) => {
      if (!here) return;
      const first = (await d.getPage(1)).getViewport({ scale: 1 });
      setRatio(first.height / first.width);
      // The margins of the page are left out, so that its letters are larger.
      const [left, right] = await margins(d, place.page ?? 1);
      if (!here) return;
      setZoom(Math.min(1.6, Math.max(1, 1 / (right - left + 0.04))));
      setDoc(d);
    }).catch(() => here && setFailed(true));
    return () => { here = false; void open.then((d) => d.loadingTask.destroy(), () => {}); };
  }, []);
  useEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([e]) => setRoom(Math.floor(e.contentRect.width)));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (!doc) return;
    let here = true;
    void locate(doc, place, mark).then((rects) => here && setFound({ rects, sought: !!mark }));
    return () => { here = false; };
  }, [doc, place, mark?.start, mark?.end]);
  const target = found.rects[0]?.page ?? place.page ?? 1;
  useEffect(() => {
    if (!doc || !width || !found.sought && mark) return;
    const page = box.current?.querySelector<HTMLElement>(`[data-page="${target}"]`);
    if (!page) return;
    const scroller = box.current!.parentElement!;
    const top = found.rects.length ? Math.max(0, found.rects[0].y * page.clientHeight - 140) : 0;
    scroller.scrollTo({ top: page.offsetTop + top - (target === 1 && !top ? 20 : 0), left: Math.max(0, (scroller.scrollWidth - scroller.clientWidth) / 2) });
  }, [doc, room > 0, target, found, zoom]);
  if (failed) return <p class="empty">{t("The PDF could not be drawn.")}<button class="button" onClick={fallback}>{t("Text")}</button></p>;
  return (
    <div class="sheets-of" ref={box} aria-busy={!doc}>
      {found.sought && !found.rects.length && <p class="warn-line" role="status"><Icon name="warn" size={14} />{t("The place on the page could not be found for certain, so nothing is marked.")}</p>}
      {doc && room > 0 && (
        <div class="pdf-zoom">
          <button class="icon-button" aria-label={t("Smaller")} title={t("Smaller")} disabled={zoom <= 0.6} onClick={() => setZoom(zoom / 1.2)}>−</button>
          <button class="icon-button" aria-label={t("Larger")} title={t("Larger")} disabled={zoom >= 3} onClick={() => setZoom(zoom * 1.2)}>+</button>
        </div>
      )}
      {doc && room > 0 && <div class="sheets" style={{ width: `${width}px` }}>{Array.from({ length: doc.numPages }, (_, i) => (
        <Page key={i + 1} doc={doc} number={i + 1} width={width} ratio={ratio} rects={found.rects.filter((r) => r.page === i + 1)} />
      ))}</div>}
    </div>
  );
}

function Page({ doc, number, width, ratio, rects }: { doc: PDFDocumentProxy; number: number; width: number; ratio: number; rects: Rectangle[] }) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [near, setNear] = useState(false);
  const [own, setOwn] = useState(ratio);
  useEffect(() => {
    const watch = new IntersectionObserver(([e]) => setNear(e.isIntersecting), { root: box.current!.closest(".pane-body"), rootMargin: "700px 0px" });
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const c = canvas.current;
    if (!near || !c) return;
    let task: RenderTask | undefined, here = true;
    void doc.getPage(number).then((page) => {
      if (!here) return;
      const plain = page.getViewport({ scale: 1 });
      setOwn(plain.height / plain.width);
      const viewport = page.getViewport({ scale: (width / plain.width) * Math.min(2, devicePixelRatio || 1) });
      [c.width, c.height] = [Math.floor(viewport.width), Math.floor(viewport.height)];
      task = page.render({ canvas: c, viewport });
      task.promise.catch(() => {});
    });
    return () => { here = false; task?.cancel(); [c.width, c.height] = [0, 0]; };
  }, [near, width]);
  return (
    <div class="pdf-page" ref={box} data-page={number} role="img" aria-label={t("Page {n} of {of}", { n: number, of: doc.numPages })} style={{ height: `${Math.round(width * own)}px` }}>
      <canvas ref={canvas} />
      {rects.map((r, i) => <div key={i} class="pdf-mark" style={{ left: `${r.x * 100}%`, top: `${r.y * 100}%`, width: `${r.width * 100}%`, height: `${r.height * 100}%` }} />)}
      <span class="pdf-number">{number}</span>
    </div>
  );
}

/** margins returns where the text of a page begins and ends, in shares of its width. */
async function margins(doc: PDFDocumentProxy, number: number): Promise<[number, number]> {
  const page = await doc.getPage(Math.min(number, doc.numPages));
  const view = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  let [left, right] = [1, 0];
  for (const i of items) {
    if (!("str" in i) || !i.str.trim()) continue;
    const a = view.convertToViewportPoint(i.transform[4], i.transform[5])[0] / view.width;
    left = Math.min(left, a);
    right = Math.max(right, a + i.width / view.width);
  }
  // Both sides alike, because the page stays in the middle.
  const side = Math.max(0, Math.min(left, 1 - right));
  return right > left ? [side, 1 - side] : [0, 1];
}

/** locate finds the rectangles of the marked text; none when the place is not certain. */
async function locate(doc: PDFDocumentProxy, place: Place, mark?: { start: number; end: number }): Promise<Rectangle[]> {
  if (!mark) return [];
  const text = await stored(place.collection, place.artifact);
  return rectangles(doc, place, mark, text.slice(mark.start, mark.end)).catch(() => []);
}
