// The original file of a document, where the service has kept it, and the viewer of
// PDF, which is loaded when the first PDF is opened.
import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import type { Place } from "./stored";

export interface ViewerProps { place: Place; mark?: { start: number; end: number }; url: string }
export const lazyPDF = signal<FunctionComponent<ViewerProps> | null>(null);

export async function original(_collection: string, _artifact: string): Promise<{ pdf: boolean; url: string } | null> {
  return null;
}
