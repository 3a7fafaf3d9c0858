// The library: collections, their documents, and what is on its way in.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Chooser, DropArea } from "./add";
import { Progress } from "./progress";
import { post, remove, type Doc } from "../api";
import { collections, documents, go, href, loadCollections, loadDocuments, loaded, nameOf, notify, route, standard, toReview } from "../state";
import { bytes, n, t, when } from "../i18n";
import { Icon } from "../icons";
import { label } from "../ask/view";
import { begin, setScope } from "../ask/conversation";
import { openPlace, place } from "../source/stored";

const hidden = new Set<string>(); // deleted, and not yet sent
const id = (collection: string, artifact: string) => JSON.stringify([collection, artifact]);

export function LibraryView() {
  const [making, setMaking] = useState("");
  const names = collections.value.map((c) => c.name);
  const open = route.value[1] ?? (names.includes(standard) || !names.length ? standard : names[0]);
  const known = names.includes(open) ? names : [...names, open];
  return (
    <DropArea collection={open}>
      <div class="library">
        <nav class="shelf" aria-label={t("Collections")}>
          <h2>{t("Collections")}</h2>
          {known.map((name) => {
            const c = collections.value.find((one) => one.name === name);
            return <a key={name} href={href("library", name)} aria-current={name === open ? "page" : undefined}><span>{label(name)}</span><span class="dim">{n(c?.artifacts ?? 0)}</span></a>;
          })}
          <form onSubmit={(e) => { e.preventDefault(); if (making.trim()) { go("library", making.trim()); setMaking(""); } }}>
            <input value={making} maxLength={255} onInput={(e) => setMaking(e.currentTarget.value)} placeholder={t("New collection")} aria-label={t("New collection")} />
            <button class="icon-button" aria-label={t("Make the collection")} disabled={!making.trim()}><Icon name="plus" /></button>
          </form>
        </nav>
        <Documents key={open} collection={open} />
      </div>
    </DropArea>
  );
}

type Column = "name" | "kind" | "pages" | "chunks" | "size" | "state" | "added";

const rowHeight = 40;

function Documents({ collection }: { collection: string }) {
  const [find, setFind] = useState("");
  const [sort, setSort] = useState<{ by: Column; down: boolean }>({ by: "name", down: false });
  const [chosen, setChosen] = useState<Set<string>>(new Set());
  const [, redraw] = useState(0);
  const [top, setTop] = useState(0);
  const [tall, setTall] = useState(800);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => { void loadDocuments(collection).catch((e) => notify(e.message, { bad: true })); }, [collection]);
  useEffect(() => {
    if (!body.current) return;
    const watch = new ResizeObserver(([e]) => setTall(e.contentRect.height));
    watch.observe(body.current);
    return () => watch.disconnect();
  }, []);
  const c = collections.value.find((one) => one.name === collection);
  const docs = documents.value[collection];
  useEffect(() => { // until all can be found by meaning
    if (!docs?.some((d) => d.doc_metadata.vectors)) return;
    const timer = setTimeout(() => { void loadDocuments(collection).catch(() => {}); }, docs.length > 100 ? 30_000 : 3000);
    return () => clearTimeout(timer);
  }, [docs]);
  const rows = useMemo(() => {
    const value = (d: Doc): string | number => {
      const m = d.doc_metadata;
      switch (sort.by) {
        case "name": return nameOf(d).toLowerCase();
        case "kind": return m.file_type;
        case "pages": return m.pages ?? 0;
        case "chunks": return m.chunk_count;
        case "size": return m.size_bytes ?? 0;
        case "state": return stateOf(d).order;
        default: return m.ingested_at;
      }
    };
    const list = (docs ?? []).filter((d) => !hidden.has(id(collection, d.artifact)) && `${nameOf(d)} ${d.artifact}`.toLowerCase().includes(find.toLowerCase()));
    const order = new Intl.Collator(undefined, { numeric: true });
    return list.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return (typeof x === "number" ? x - (y as number) : order.compare(x, y as string)) * (sort.down ? -1 : 1);
    });
  }, [docs, find, sort, hidden.size]);
  const from = Math.max(0, Math.floor(top / rowHeight) - 8);
  const shown = rows.slice(from, from + Math.ceil(tall / rowHeight) + 16);
  const head = (by: Column, text: string, kind = "") => (
    <span role="columnheader" class={kind} aria-sort={sort.by === by ? (sort.down ? "descending" : "ascending") : "none"}>
      <button onClick={() => setSort({ by, down: sort.by === by ? !sort.down : kind === "num" })}>{text}{sort.by === by && <span aria-hidden="true">{sort.down ? " ↓" : " ↑"}</span>}</button>
    </span>
  );
  const askThese = (artifacts: string[]) => { begin(); setScope({ collections: [collection], artifacts }); go("ask"); };
  const toDelete = (artifacts: string[]) => {
    for (const a of artifacts) hidden.add(id(collection, a));
    if (place.value && artifacts.includes(place.value.artifact)) place.value = null;
    setChosen(new Set());
    redraw((k) => k + 1);
    const done = later(async (leaving) => {
      for (const artifact of artifacts) {
        const sent = post("v1/artifacts/delete", { collection, artifact }, undefined, leaving).catch((e) => notify(e.message, { bad: true }));
        if (!leaving) await sent;
      }
      await Promise.all([loadDocuments(collection), loadCollections()]).catch(() => {});
      for (const a of artifacts) hidden.delete(id(collection, a));
      redraw((k) => k + 1);
    });
    notify(t(artifacts.length === 1 ? "{n} document deleted." : "{n} documents deleted.", { n: n(artifacts.length) }), {
      action: t("Undo"), act: () => { done.not(); for (const a of artifacts) hidden.delete(id(collection, a)); redraw((k) => k + 1); }, seconds: 5,
    });
  };
  const pick = (artifact: string) => { const s = new Set(chosen); if (!s.delete(artifact)) s.add(artifact); setChosen(s); };
  return (
    <section class="documents" aria-label={label(collection)}>
      <header class="bar">
        <h1>{label(collection)}</h1>
        <span class="dim">{c ? [t(rows.length === 1 ? "{n} document" : "{n} documents", { n: n(rows.length) }), t(c.chunks === 1 ? "{n} passage" : "{n} passages", { n: n(c.chunks) }), t("{size} of text", { size: bytes(c.bytes) })].join(" · ") : ""}</span>
        <span class="grow" />
        <Chooser collection={collection} compact />
      </header>
      <Progress />
      {docs && docs.length > 0 ? (
        <>
          <div class="tools-row">
            <input type="search" value={find} onInput={(e) => setFind(e.currentTarget.value)} placeholder={t("Find a document")} aria-label={t("Find a document")} />
            <span class="grow" />
            {chosen.size > 0 ? <>
              <span class="dim">{t("{n} chosen", { n: n(chosen.size) })}</span>
              <button class="button small" onClick={() => askThese([...chosen])}><Icon name="ask" size={14} />{t("Ask these")}</button>
              <button class="button small" onClick={() => { toReview.value = { collection, artifacts: [...chosen] }; go("review"); }}><Icon name="review" size={14} />{t("Review these")}</button>
              <button class="button small" onClick={() => toDelete([...chosen])}><Icon name="trash" size={14} />{t("Delete")}</button>
            </> : <button class="button small" onClick={() => askThese([])}><Icon name="ask" size={14} />{t("Ask this collection")}</button>}
            {!chosen.size && <button class="icon-button" title={t("Delete the collection")} aria-label={t("Delete the collection")} onClick={() => deleteCollection(collection)}><Icon name="trash" /></button>}
          </div>
          <div class="grid" role="table" aria-label={t("Documents")} aria-rowcount={rows.length + 1}>
            <div class="rows" role="rowgroup" ref={body} tabIndex={0} aria-label={t("Documents")} onScroll={(e) => setTop(e.currentTarget.scrollTop)}>
              <div class="row head" role="row">
                <span role="columnheader" class="box"><input type="checkbox" aria-label={t("Choose all")} checked={chosen.size > 0 && chosen.size === rows.length}
                  onChange={(e) => setChosen(e.currentTarget.checked ? new Set(rows.map((d) => d.artifact)) : new Set())} /></span>
                {head("name", t("Name"), "name")}{head("kind", t("Kind"))}{head("pages", t("Pages"), "num")}{head("chunks", t("Passages"), "num")}{head("size", t("Size"), "num")}{head("state", t("State"))}{head("added", t("Added"), "added")}
                <span role="columnheader" class="acts"><span class="hidden">{t("Actions")}</span></span>
              </div>
              <div class="spacer" style={{ height: `${from * rowHeight}px` }} />
              {shown.map((d, i) => (
                <div class="row" role="row" aria-rowindex={from + i + 2} key={d.artifact} data-chosen={chosen.has(d.artifact) || undefined}>
                  <span role="cell" class="box"><input type="checkbox" checked={chosen.has(d.artifact)} onChange={() => pick(d.artifact)} aria-label={t("Choose {name}", { name: nameOf(d) })} /></span>
                  <span role="cell" class="name"><button class="doc" title={d.artifact} onClick={() => openPlace({ collection, artifact: d.artifact, title: nameOf(d) })}>{nameOf(d)}</button></span>
                  <span role="cell"><span class={`kind ${kindClass(d.doc_metadata.file_type)}`}>{d.doc_metadata.file_type}</span></span>
                  <span role="cell" class="num">{d.doc_metadata.pages ? n(d.doc_metadata.pages) : "–"}</span>
                  <span role="cell" class="num">{n(d.doc_metadata.chunk_count)}</span>
                  <span role="cell" class="num">{d.doc_metadata.size_bytes ? bytes(d.doc_metadata.size_bytes) : "–"}</span>
                  <span role="cell" class="dim" title={stateOf(d).why}>{stateOf(d).text}</span>
                  <span role="cell" class="added dim">{when(d.doc_metadata.ingested_at)}</span>
                  <span role="cell" class="acts">
                    <button class="icon-button" onClick={() => askThese([d.artifact])} aria-label={t("Ask {name}", { name: nameOf(d) })} title={t("Ask")}><Icon name="ask" size={15} /></button>
                    <button class="icon-button" onClick={() => toDelete([d.artifact])} aria-label={t("Delete {name}", { name: nameOf(d) })} title={t("Delete")}><Icon name="trash" size={15} /></button>
                  </span>
                </div>
              ))}
              <div class="spacer" style={{ height: `${Math.max(0, rows.length - from - shown.length) * rowHeight}px` }} />
            </div>
          </div>
        </>
      ) : docs && <div class="drop-zone wide"><Icon name="upload" size={22} /><p><b>{t("Drop files or a folder here")}</b><br /><span class="dim">{t("They are read, split into passages and indexed; then they can be asked.")}</span></p></div>}
      {!docs && loaded.value && <p class="empty" aria-busy="true">{t("Opening …")}</p>}
    </section>
  );
}

/** stateOf says how far a document that is listed can be found, and what its reading left out. */
function stateOf(d: Doc): { text: string; why?: string; order: number } {
  const { vectors, warnings } = d.doc_metadata;
  if (vectors) {
    const share = vectors.have / vectors.of;
    return { text: t("{n} %", { n: n(Math.floor(share * 100)) }), order: share, why: t("Passages that can be found by meaning: {a} of {b}", { a: n(vectors.have), b: n(vectors.of) }) };
  }
  return warnings?.length ? { text: t("With notes"), why: warnings.join("\n"), order: 1 } : { text: t("Ready"), order: 2 };
}

function kindClass(type: string): string {
  if (type === "pdf") return "pdf";
  if (/^(xls|csv|tsv|ods|psv|tab)/.test(type)) return "sheet";
  if (/^(doc|odt|rtf|pages)/.test(type)) return "word";
  if (/^(ppt|odp|key)/.test(type)) return "slides";
  return "";
}

function deleteCollection(name: string) {
  const done = later(async (leaving) => {
    await remove(`v1/collections/${encodeURIComponent(name)}`, leaving).catch((e) => notify(e.message, { bad: true }));
    const { [name]: _, ...rest } = documents.value;
    documents.value = rest;
    await loadCollections().catch(() => {});
    go("library");
  });
  notify(t("The collection {name} is being deleted.", { name: label(name) }), { action: t("Undo"), act: done.not, seconds: 5 });
}

type Late = (leaving: boolean) => Promise<void>;
const pending = new Set<Late>();

/** later does something in five seconds, or when the page is left before; not takes it back. */
function later(what: Late): { not: () => void } {
  pending.add(what);
  setTimeout(() => { if (pending.delete(what)) void what(false); }, 5000);
  return { not: () => { pending.delete(what); } };
}

addEventListener("pagehide", () => {
  for (const what of pending) void what(true);
  pending.clear();
});
