// Markdown of a model or a document as HTML without anything that runs, loads or
// looks like this page: no scripts, styles, forms and ids; no pictures of other sites.
import { marked } from "marked";
import DOMPurify from "dompurify";

const purifier = DOMPurify(window);
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "IMG") node.remove();
  if (node.tagName === "A") {
    const to = node.getAttribute("href") ?? "";
    if (!/^(https?:|mailto:)/i.test(to)) node.removeAttribute("href");
    node.setAttribute("rel", "noopener noreferrer nofollow");
    node.setAttribute("target", "_blank");
  }
});

const allowed = {
  ALLOWED_TAGS: ["p", "br", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "table",
    "thead", "tbody", "tr", "th", "td", "a", "sup", "sub"],
  ALLOWED_ATTR: ["href", "start", "align", "title"],
};

// Raw HTML is shown as the text that it is, save for line breaks and raised letters.
const harmless = /^<\/?(br|sub|sup)\s*\/?>$/i;
const escape = (s: string) => s.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
marked.use({ gfm: true, breaks: false, renderer: { html: ({ text }) => (harmless.test(text.trim()) ? text : escape(text)) } });

// Marks of citations are characters for private use, which a text of others may not bring along.
export const open = "\uE000", close = "\uE001";

export function withoutMarks(text: string): string {
  return text.replace(/[\uE000\uE001]/g, "");
}

/** html returns Markdown as safe HTML, with a button for each mark of a citation. */
export function html(text: string, button: (n: number) => string): string {
  const safe = purifier.sanitize(marked.parse(text, { async: false }), allowed);
  // A number stays on the line of the word before it.
  return safe.replace(/([^\s<>;\uE001]{0,20})((?:\s*\uE000\d+\uE001)+)/gu, (_, word, marks: string) =>
    `<span class="cited">${word}${marks.replace(/\s*\uE000(\d+)\uE001/g, (_, n) => button(Number(n)))}</span>`);
}
