// The original file of a document, where the service has kept it, and the viewer of
// PDF, which is loaded when the first PDF is opened.
import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { Failure, get, send } from "../api";
import { notify } from "../state";
import type { Place } from "./stored";

export interface ViewerProps { place: Place; mark?: { start: number; end: number }; fallback: () => void }
export const lazyPDF = signal<FunctionComponent<ViewerProps> | null>(null);

interface Link { url: string; file_name: string; media_type: string; size_bytes: number }

/** original tells of the kept file; null when there is none, or the service keeps none. */
export async function original(collection: string, artifact: string): Promise<Link | null> {
  try {
    const link = await get<Link>("v1/artifacts/original", { collection, artifact, link: "true" });
    if (link.media_type === "application/pdf" && !lazyPDF.value) {
      const { PDFView } = await import("./pdf");
      lazyPDF.value = PDFView;
    }
    return link;
  } catch {
    return null;
  }
}

/** save downloads the original. Its address is asked anew, because it is good for an hour. */
export async function save(collection: string, artifact: string) {
  try {
    const link = await get<Link>("v1/artifacts/original", { collection, artifact, link: "true" });
    const a = document.createElement("a");
    a.href = link.url;
    a.download = link.file_name;
    a.rel = "noopener";
    a.click();
  } catch (e) {
    notify((e as Failure).message, { bad: true });
  }
}

export async function bytesOf(collection: string, artifact: string): Promise<ArrayBuffer> {
  const link = await get<Link>("v1/artifacts/original", { collection, artifact, link: "true" });
  return (await send(link.url)).arrayBuffer();
}
