// Asking: the conversation, what it is asked of, and the box of the question.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, begin, busy, current, firstScope, openConversation, setModel, setScope, stop, thinking } from "./conversation";
import { TurnView } from "./turn";
import { exportJSON, exportMarkdown } from "./export";
import { suggestions } from "./suggest";
import { chatModels, collectionName, collections, docsOf, loadCollections, loadDocuments, documents, loaded, nameOf, query, replace, route, standard, total } from "../state";
import { n, t, type Text } from "../i18n";
import { Icon } from "../icons";
import { Menu } from "../menu";
import { sample, Welcome } from "./welcome";
import { DropArea } from "../library/add";
import { Progress } from "../library/progress";
import { settled } from "../library/queue";
import type { Scope } from "../history";

export function AskView() {
  const [, id, turn] = route.value;
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    setMissing(false);
    if (!loaded.value) return;
    if (!id) { if (!current.value || current.value.turns.length) begin(); return; }
    void openConversation(id).then((found) => {
      if (!found) {
        begin();
        setMissing(true);
        const q = query.value.get("q");
        if (q) {
          const names = (query.value.get("in") ?? "").split(",").filter((c) => collections.value.some((one) => one.name === c));
          if (names.length) setScope({ collections: names, artifacts: named(query.value.get("of")) });
          draft.current = q;
        }
      }
    });
  }, [id, loaded.value]);
  // A conversation that began before there was anything to ask, or whose collections are gone.
  useEffect(() => {
    const c = current.value;
    const there = (name: string) => collections.value.some((one) => one.name === name);
    if (c && !c.turns.length && collections.value.length && !c.scope.collections.some(there)) setScope(firstScope());
  }, [collections.value, current.value?.id]);
  const draft = useRef("");
  const c = current.value;
  const scroller = useRef<HTMLDivElement>(null);
  const follow = useRef(true);
  useEffect(() => {
    const el = scroller.current;
    if (el && follow.current && busy.value) el.scrollTop = el.scrollHeight;
  }, [c]);
  // To the end, or to the answer that the address names.
  useEffect(() => {
    const el = scroller.current, named = turn ? document.getElementById(`turn-${turn}`) : null;
    follow.current = !named;
    if (named) named.scrollIntoView();
    else if (el) el.scrollTop = el.scrollHeight;
  }, [c?.id, c?.turns.length, turn]);
  if (!loaded.value) return <div class="ask" aria-busy="true" />;
  if (total.value === 0 && !c?.turns.length) return <Welcome />;
  const scope = c?.scope ?? firstScope();
  const into = scope.collections.length === 1 && scope.collections[0] !== sample ? scope.collections[0] : standard;
  // What is dropped here is asked: where it is not of what is, that becomes its collection.
  const added = async () => {
    await settled();
    await loadCollections();
    if (!scope.collections.includes(into) || scope.artifacts.length) setScope({ collections: [into], artifacts: [] });
  };
  return (
    <DropArea collection={into} onAdded={() => void added().catch(() => {})}>
    <div class="ask">
      <header class="bar">
        <h1 class="hidden">{t("Ask")}</h1>
        <ScopeMenu scope={scope} />
        <span class="grow" />
        {c && c.turns.length > 0 && (
          <Menu label={<Icon name="download" />} class="icon-button" title={t("Export the conversation")} align="right">
            {(close) => <>
              <button onClick={() => { void exportMarkdown(c); close(); }}>Markdown</button>
              <button onClick={() => { void exportJSON(c); close(); }}>JSON</button>
            </>}
          </Menu>
        )}
        <ModelMenu />
      </header>
      <div class="turns" ref={scroller} tabIndex={0} role="region" aria-label={t("Conversation")}
        onScroll={(e) => { const el = e.currentTarget; follow.current = el.scrollHeight - el.scrollTop - el.clientHeight < 80; }}>
        <div class="column">
          {missing && <p class="warn-line" role="status"><Icon name="warn" size={14} />{t("This conversation is not kept in this browser. You can ask its question again.")}</p>}
          {c?.turns.map((turn, i) => <TurnView key={turn.id} turn={turn} at={i} last={i === c.turns.length - 1} />)}
          {!c?.turns.length && <Suggestions scope={scope} />}
        </div>
      </div>
      <Progress />
      <Composer start={missing ? draft.current : ""} key={c?.id} />
    </div>
    </DropArea>
  );
}

/** named reads the documents that a link to an answer names. */
function named(of: string | null): string[] {
  try {
    return (JSON.parse(of ?? "[]") as unknown[]).filter((one): one is string => typeof one === "string");
  } catch { return []; }
}

function Suggestions({ scope }: { scope: Scope }) {
  const [list, setList] = useState<string[]>([]);
  useEffect(() => {
    let here = true;
    suggestions(scope).then((s) => here && setList(s), () => {});
    return () => { here = false; };
  }, [JSON.stringify(scope), collections.value]);
  return (
    <div class="start">
      <h2 class="display">{t("What would you like to know?")}</h2>
      <p class="lead">{t("Answers quote your documents; each number opens the place that is quoted.")}</p>
      <div class="suggestions">
        {list.map((q) => <button key={q} onClick={() => ask(q)}><span>{q}</span><Icon name="right" size={14} /></button>)}
      </div>
    </div>
  );
}

function Composer({ start }: { start: string }) {
  const [text, setText] = useState(start);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => { if (matchMedia("(min-width: 800px)").matches) box.current?.focus({ preventScroll: true }); }, []);
  useEffect(() => { const el = box.current!; el.style.height = "auto"; el.style.height = `${Math.min(220, el.scrollHeight)}px`; }, [text]);
  const send = () => { if (busy.value || !text.trim()) return; void ask(text); setText(""); };
  return (
    <form class="composer" onSubmit={(e) => { e.preventDefault(); send(); }}>
      <div class="composer-box">
        <textarea ref={box} id="question" rows={1} value={text} aria-label={t("Question")} placeholder={t(current.value?.turns.length ? "Ask a follow-up" : "Ask a question")}
          onInput={(e) => setText(e.currentTarget.value)}
          onKeyDown={(e) => { if (e.key === "Enter" && !e.shiftKey && !e.isComposing) { e.preventDefault(); send(); } }} />
        {busy.value
          ? <button type="button" class="send" onClick={stop} aria-label={t("Stop")} title={t("Stop")}><Icon name="stop" /></button>
          : <button type="submit" class="send" disabled={!text.trim()} aria-label={t("Ask")} title={t("Ask")}><Icon name="send" /></button>}
      </div>
    </form>
  );
}

function ModelMenu() {
  const c = current.value;
  const list = chatModels.value;
  const chosen = list.find((m) => m.id === c?.model) ?? list[0];
  if (!chosen) return null;
  const able = chosen.capabilities.thinking.supported;
  return (
    <Menu label={<><span>{chosen.display_name}</span><Icon name="down" size={13} /></>} title={t("Model: {name}", { name: chosen.display_name })} align="right">
      {(close) => <>
        {list.map((m) => (
          <button key={m.id} aria-pressed={m === chosen} onClick={() => { setModel(m.id); close(); }}>
            <span class="tick">{m === chosen && <Icon name="check" size={14} />}</span>{m.display_name}
          </button>
        ))}
        <hr />
        <label class="check"><input type="checkbox" checked={thinking.value && able} disabled={!able}
          onChange={(e) => { thinking.value = e.currentTarget.checked; localStorage.setItem("lectern.thinking", thinking.value ? "yes" : "no"); }} />{t("Think before answering")}</label>
      </>}
    </Menu>
  );
}

export function scopeLabel(scope: Scope): string {
  if (scope.artifacts.length === 1) {
    const d = documents.value[scope.collections[0]]?.find((one) => one.artifact === scope.artifacts[0]);
    return d ? nameOf(d) : scope.artifacts[0];
  }
  if (scope.artifacts.length) return t("{n} documents", { n: n(scope.artifacts.length) });
  if (scope.collections.length === 1) return label(scope.collections[0]);
  return t("{n} collections", { n: n(scope.collections.length) });
}

export const label = (name: string) => { const s = collectionName(name); return s === "Documents" ? t(s as Text) : s; };

function ScopeMenu({ scope }: { scope: Scope }) {
  const [find, setFind] = useState("");
  const one = scope.collections.length === 1 ? scope.collections[0] : "";
  useEffect(() => { if (one) void docsOf(one).catch(() => {}); }, [one]);
  useEffect(() => { if (one && documents.value[one] && documents.value[one].length !== collections.value.find((c) => c.name === one)?.artifacts) void loadDocuments(one).catch(() => {}); }, [collections.value]);
  const count = scope.artifacts.length || collections.value.filter((c) => scope.collections.includes(c.name)).reduce((sum, c) => sum + c.artifacts, 0);
  const docs = one ? documents.value[one] ?? [] : [];
  const shown = docs.filter((d) => nameOf(d).toLowerCase().includes(find.toLowerCase())).slice(0, 200);
  const toggle = (name: string) => {
    const next = scope.collections.includes(name) ? scope.collections.filter((c) => c !== name) : [...scope.collections, name];
    if (next.length) setScope({ collections: next, artifacts: [] });
  };
  const pick = (artifact: string) => {
    const next = scope.artifacts.includes(artifact) ? scope.artifacts.filter((a) => a !== artifact) : [...scope.artifacts, artifact];
    setScope({ ...scope, artifacts: next });
  };
  return (
    <Menu class="chip scope" label={<><Icon name="library" size={15} /><b>{scopeLabel(scope)}</b>{!scope.artifacts.length && <span class="dim">{t(count === 1 ? "{n} document" : "{n} documents", { n: n(count) })}</span>}<Icon name="down" size={13} /></>}
      title={t("What is asked: {name}", { name: scopeLabel(scope) })}>
      {() => <div class="scope-panel">
        <p class="menu-title">{t("Collections")}</p>
        {collections.value.map((c) => (
          <label class="check" key={c.name}><input type="checkbox" checked={scope.collections.includes(c.name)} onChange={() => toggle(c.name)} />
            <span>{label(c.name)}</span><span class="grow" /><span class="dim">{n(c.artifacts)}</span></label>
        ))}
        {one && docs.length > 1 && <>
          <p class="menu-title">{t("Only these documents")}</p>
          {docs.length > 8 && <input type="search" value={find} aria-label={t("Find a document")} placeholder={t("Find a document")} onInput={(e) => setFind(e.currentTarget.value)} />}
          <div class="scope-docs">
            {shown.map((d) => (
              <label class="check" key={d.artifact}><input type="checkbox" checked={scope.artifacts.includes(d.artifact)} onChange={() => pick(d.artifact)} /><span>{nameOf(d)}</span></label>
            ))}
          </div>
        </>}
      </div>}
    </Menu>
  );
}

export function newConversation() {
  begin();
  replace("ask");
  document.getElementById("question")?.focus();
}
