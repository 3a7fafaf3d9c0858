// Three questions made from the headings of what is asked.
import { outline } from "../source/blocks";
import { stored } from "../source/stored";
import { docsOf } from "../state";
import { t } from "../i18n";
import type { Scope } from "../history";

const empty = /^(table of )?contents|^introduction|^preface|^index$|^appendix|^inhalt|^vorwort|^einleitung|^references|^bibliography|^copyright|^license/i;

export async function suggestions(scope: Scope): Promise<string[]> {
  const out: string[] = [];
  for (const collection of scope.collections) {
    let docs = await docsOf(collection);
    if (scope.artifacts.length) docs = docs.filter((d) => scope.artifacts.includes(d.artifact));
    docs = docs.filter((d) => d.doc_metadata.token_count < 200_000).slice(0, 3);
    const lists = await Promise.all(docs.map(async (d) => questions(await stored(collection, d.artifact))));
    for (let i = 0; i < 3; i++) for (const list of lists) if (list[i]) out.push(list[i]);
  }
  return [...new Set(out)].slice(0, 3);
}

function questions(text: string): string[] {
  const all = outline(text).filter((h) => h.level > 1 || h.text.endsWith("?")).map((h) => h.text.replace(/^[\d.]+\s+/, ""))
    .filter((h) => h.length > 3 && h.length < 80 && !empty.test(h));
  const asked = all.filter((h) => h.endsWith("?"));
  const topics = all.filter((h) => !h.endsWith("?")).map((h) => t("What does it say about {heading}?", { heading: /^[A-ZÄÖÜ][a-zäöüß]+( |$)/.test(h) ? h : `“${h}”` }));
  return [...asked, ...topics].slice(0, 3);
}
