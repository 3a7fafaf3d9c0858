// Splits stored text into the blocks that a reader sees, each with its offset, so
// that a citation's characters can be marked exactly.
export type Kind = "heading" | "paragraph" | "list" | "table" | "code" | "page";

export interface Part { kind: Kind; start: number; end: number; level: number }

const heading = /^(#{1,6})\s/, bullet = /^\s*([-*+]|\d+[.)])\s/, row = /^\s*\|/, fence = /^\s*(```|~~~)/;

export function split(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  let open: Part | null = null;
  const close = () => { if (open) parts.push(open); open = null; };
  while (at < text.length) {
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    const line = text.slice(at, end);
    if (open?.kind === "code") {
      open.end = end;
      if (fence.test(line)) close();
    } else if (fence.test(line)) {
      close();
      open = { kind: "code", start: at, end, level: 0 };
    } else if (!line.trim()) {
      close();
    } else if (heading.test(line)) {
      close();
      parts.push({ kind: "heading", start: at, end, level: heading.exec(line)![1].length });
    } else if (row.test(line)) {
      if (open?.kind !== "table") { close(); open = { kind: "table", start: at, end, level: 0 }; }
      open.end = end;
    } else if (bullet.test(line)) {
      close();
      open = { kind: "list", start: at, end, level: Math.floor(/^\s*/.exec(line)![0].length / 2) };
    } else if (open && open.kind !== "table") {
      open.end = end;
    } else {
      close();
      open = { kind: "paragraph", start: at, end, level: 0 };
    }
    at = end + 1;
  }
  close();
  return parts;
}

export interface Heading { text: string; level: number; start: number }

export function outline(text: string): Heading[] {
  return split(text).filter((p) => p.kind === "heading").map((p) => ({
    text: text.slice(p.start, p.end).replace(/^#+\s*/, "").replace(/[*_`]/g, "").trim(), level: p.level, start: p.start,
  })).filter((h) => h.text);
}

export interface Cell { start: number; end: number }

/** cells returns the cells of a row of a table, without the space around them. */
export function cells(text: string, start: number, end: number): Cell[] {
  const out: Cell[] = [];
  let at = start;
  while (at < end && text[at] !== "|") at++;
  at++;
  while (at < end) {
    let stop = at;
    while (stop < end && (text[stop] !== "|" || text[stop - 1] === "\\")) stop++;
    let [a, b] = [at, stop];
    while (a < b && /\s/.test(text[a])) a++;
    while (b > a && /\s/.test(text[b - 1])) b--;
    if (stop < end || a < b) out.push({ start: a, end: b });
    at = stop + 1;
  }
  return out;
}
