// The lines of an answer as Markdown. The built-in model quotes an item of a list as a
// block on a line of its own, and leaves out the sign that the item has in its document.
import type { Block, Chunk, Citation } from "../api";

const ownLine = (b?: Block) => b?.type === "text" && /^\n(?!\n)/.test(b.text ?? "");

const opening = (s?: string) => (s ?? "").trim().replace(/\s+/g, " ").slice(0, 20);

/** signOf returns the sign, "-" or a number, of the item of a list that a block quotes. */
function signOf(b: Block, passages: Chunk[]): string {
  const c: Citation | undefined = b.citations?.[0];
  const p = c?.cited_text && opening(c.cited_text) === opening(b.text) ? passages.find((one) => one.id === c.source_id) : undefined;
  if (!p) return "";
  let at = c!.start_char_index! - p.metadata.start_char_index;
  if (!p.text.startsWith(c!.cited_text!, at)) at = p.text.indexOf(c!.cited_text!);
  const before = at < 0 ? "" : p.text.slice(p.text.lastIndexOf("\n", at - 1) + 1, at);
  const found = /^\s*(?:[-*+•–]|(\d{1,9})[.)])\s+(?:\[[ xX]\]\s+)?$/.exec(at ? before : "");
  return found ? (found[1] ?? "-") : "";
}

// What follows the break is Markdown by itself.
const marked = /^\n(?:[-*+>#|`~\s]|\d+[.)]\s)/;

/** lines returns a function that takes the blocks of an answer one after the other and returns the Markdown that comes
 * before the text of each; that text goes without the white space that it begins with. */
export function lines(blocks: Block[], passages: Chunk[]): (at: number) => string {
  let sign = ""; // of the item before
  let turned = false; // whether the list has the other of two signs, by which Markdown tells it from the list above
  return (at) => {
    const b = blocks[at];
    const text = b.text ?? "";
    const space = /^\s*/.exec(text)![0];
    const next = ownLine(b) || ownLine(blocks[at + 1]) ? signOf(b, passages) : "";
    if (next) {
      const follows = ownLine(b) && !!sign && (next === "-" ? sign === "-" : Number(next) === Number(sign) + 1);
      if (!follows) turned = !turned;
      sign = next;
      return (follows ? "\n" : "\n\n") + (next === "-" ? (turned ? "- " : "* ") : `${next}${turned ? "." : ")"} `);
    }
    if (!ownLine(b) || marked.test(text)) {
      if (space.includes("\n")) sign = "";
      return space;
    }
    const after = sign;
    sign = "";
    return after ? "\n\n" : "  \n";
  };
}
