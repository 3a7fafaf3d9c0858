// The frame: the side with the views and the conversations, the view, the source.
import { useEffect, useRef, useState } from "preact/hooks";
import type { FunctionComponent } from "preact";
import { signal } from "@preact/signals";
import { address, get, key, keyEntered, needsKey, setKey, signIn, type SignIn } from "./api";
import { AskView, newConversation } from "./ask/view";
import { busy, current, stop } from "./ask/conversation";
import { placeOf, read } from "./ask/answer";
import { exportAll, importFile } from "./ask/export";
import { LibraryView } from "./library/view";
import { progress } from "./library/queue";
import { SourcePane } from "./source/pane";
import { linked, openPlace, place, step } from "./source/stored";
import { entries, forget, loadEntries } from "./history";
import { go, href, loadAll, loaded, may, notices, notify, route, setTheme, theme, total, type Theme } from "./state";
import { chooseLanguage, language, n, t, type Text } from "./i18n";
import { Icon, type IconName } from "./icons";
import { Guarded } from "./memo";
import { Menu } from "./menu";

/** What hindered signing in on another page. */
export const signInFailed = signal("");
const views = signal<Record<string, FunctionComponent>>({ ask: AskView, library: LibraryView });

// Views that are not needed at once are loaded when they are opened.
const lazy: Record<string, () => Promise<FunctionComponent>> = {
  search: () => import("./data/search").then((m) => m.SearchView),
  tables: () => import("./data/tables").then((m) => m.TablesView),
  review: () => import("./data/review").then((m) => m.ReviewView),
  inside: () => import("./data/inside").then((m) => m.InsideView),
};

export function App() {
  const view = route.value[0] ?? "ask";
  const [side, setSide] = useState(false);
  const [failed, setFailed] = useState("");
  const start = () => { setFailed(""); loadAll().catch((e) => setFailed(e.message)); void loadEntries(); };
  useEffect(start, []);
  useEffect(() => { setSide(false); }, [route.value]);
  useEffect(() => {
    if (lazy[view] && !views.value[view]) void lazy[view]().then((v) => { views.value = { ...views.value, [view]: v }; });
    place.value = null;
  }, [view]);
  useEffect(() => { const there = linked(); if (there) openPlace(there); }, [route.value]);
  useKeys();
  const View = views.value[view] ?? (lazy[view] ? null : AskView);
  return (
    <div class={`app${place.value ? " with-pane" : ""}${side ? " with-side" : ""}`}>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById("main")?.focus(); }}>{t("To the content")}</a>
      <div class="phone-bar">
        <button class="icon-button" aria-label={t("Menu")} aria-expanded={side} onClick={() => setSide(!side)}><Icon name="menu" size={20} /></button>
        <Mark />
        <button class="icon-button" aria-label={t("New conversation")} onClick={newConversation}><Icon name="plus" size={20} /></button>
      </div>
      <Side />
      {side && <div class="shade" onClick={() => setSide(false)} />}
      <main id="main" tabIndex={-1}>
        {failed && !needsKey.value
          ? <div class="empty"><p class="bad-line" role="alert"><Icon name="warn" size={14} />{failed}</p><button class="button" onClick={start}>{t("Try again")}</button></div>
          : loaded.value && !reaches(view) ? <div class="empty"><p>{t("This key may not use this part of the service.")}</p></div> : View ? (
            <Guarded key={view} other={(e) => <div class="empty"><p class="bad-line" role="alert"><Icon name="warn" size={14} />{e.message}</p><button class="button" onClick={() => location.reload()}>{t("Try again")}</button></div>}><View /></Guarded>
          ) : <div aria-busy="true" />}
      </main>
      <SourcePane />
      <Notices />
      {help.value && <Shortcuts />}
      {needsKey.value && <KeyDialog done={start} />}
    </div>
  );
}

/** reaches says whether the key may use something of a view. */
const reaches = (view: string) => may(view) || view === "inside" && (may("files") || may("skills"));

const Mark = () => (
  <a class="mark" href="#/ask" aria-label="Lectern">
    <svg viewBox="0 0 32 32" width="23" height="23" aria-hidden="true"><path d="M2.500 6.500 15 10v12.500L2.500 19zM29.500 6.500 17 10v12.500L29.500 19z" fill="currentColor" /><path d="M16 24.500V28.500M10 28.500h12" stroke="currentColor" stroke-width="2.400" stroke-linecap="round" /></svg>
    <span>Lectern</span>
  </a>
);

function Side() {
  const view = route.value[0] ?? "ask";
  const item = (to: string, icon: IconName, text: string, note?: string) => may(to) && (
    <a href={href(to)} aria-current={view === to ? "page" : undefined}><Icon name={icon} size={17} /><span>{text}</span>{note && <span class="note">{note}</span>}</a>
  );
  const p = progress.value;
  const inside = reaches("inside");
  return (
    <nav class="side" aria-label={t("Views")}>
      <div class="side-head"><Mark /><button class="icon-button" title={t("New conversation")} aria-label={t("New conversation")} onClick={newConversation}><Icon name="plus" /></button></div>
      <div class="views">
        {item("ask", "ask", t("Ask"))}
        {item("library", "library", t("Library"), p.running ? `${p.ended}/${p.of}` : loaded.value ? n(total.value) : "")}
        {item("search", "search", t("Search"))}
        {item("tables", "table", t("Tables"))}
        {item("review", "review", t("Review"))}
      </div>
      <History />
      <div class="side-foot">
        <a href={address("docs")}><Icon name="book" size={16} /><span>{t("API guide")}</span></a>
        {inside && <a href={href("inside")} aria-current={view === "inside" ? "page" : undefined}><Icon name="inside" size={16} /><span>{t("Look inside")}</span></a>}
        <Look />
      </div>
    </nav>
  );
}

function History() {
  const open = current.value?.id;
  const file = useRef<HTMLInputElement>(null);
  if (!entries.value.length && !total.value) return <div class="history" />;
  const bring = async (f: File) => {
    try {
      go("ask", await importFile(f));
    } catch {
      notify(t("This file is no exported conversation."), { bad: true });
    }
  };
  return (
    <div class="history">
      <div class="history-head">
        <h2>{t("Conversations")}</h2>
        <Menu class="icon-button" title={t("Import and export")} align="right" label={<Icon name="more" size={15} />}>
          {(close) => <>
            <button onClick={() => { close(); file.current?.click(); }}>{t("Import a conversation")}</button>
            <button disabled={!entries.value.length} onClick={() => { close(); void exportAll(); }}>{t("Export all as JSON")}</button>
          </>}
        </Menu>
        <input ref={file} class="conversation-file" type="file" hidden accept=".json,application/json" aria-label={t("Import a conversation")}
          onChange={(e) => { const f = e.currentTarget.files?.[0]; if (f) void bring(f); e.currentTarget.value = ""; }} />
      </div>
      {entries.value.map((e) => (
        <div class="history-row" key={e.id}>
          <a href={href("ask", e.id)} aria-current={e.id === open && (route.value[0] ?? "ask") === "ask" ? "true" : undefined} title={e.title}>{e.title}</a>
          <button class="icon-button" aria-label={t("Forget {name}", { name: e.title })} title={t("Forget")} onClick={() => { void forget(e.id); if (e.id === open) newConversation(); }}><Icon name="close" size={13} /></button>
        </div>
      ))}
    </div>
  );
}

function Look() {
  const themes: [Theme, string][] = [["auto", t("As the system")], ["light", t("Light")], ["dark", t("Dark")]];
  return (
    <Menu up class="side-button" title={t("Look and language")} label={<><Icon name={document.documentElement.dataset.theme === "dark" ? "moon" : "sun"} size={16} /><span>{t("Look and language")}</span></>}>
      {(close) => <>
        <button onClick={() => { close(); help.value = true; }}><span class="tick" />{t("Keyboard shortcuts")}<span class="grow" /><kbd>?</kbd></button>
        <hr />
        {themes.map(([one, text]) => <button key={one} aria-pressed={theme.value === one} onClick={() => setTheme(one)}><span class="tick">{theme.value === one && <Icon name="check" size={14} />}</span>{text}</button>)}
        <hr />
        {(["en", "de"] as const).map((l) => <button key={l} lang={l} aria-pressed={language.value === l} onClick={() => { chooseLanguage(l); close(); }}><span class="tick">{language.value === l && <Icon name="check" size={14} />}</span>{l === "en" ? "English" : "Deutsch"}</button>)}
        {key() && <><hr /><button onClick={() => { setKey(""); location.reload(); }}><span class="tick"><Icon name="key" size={14} /></span>{t("Sign out")}</button></>}
      </>}
    </Menu>
  );
}

const help = signal(false);

const shortcuts: [string[], Text][] = [
  [["/"], "To the question, or to the search"], [["Enter"], "Ask"], [["Shift", "Enter"], "A new line in the question"], [["Esc"], "Stop the answer; close the source"],
  [["1", "–", "9"], "Open a citation of the last answer"], [["["], "Citation before"], [["]"], "Next citation"], [["?"], "This list"],
];

function Shortcuts() {
  const close = () => { help.value = false; };
  return (
    <dialog ref={(d: HTMLDialogElement | null) => { if (d && !d.open) d.showModal(); }} onClose={close} aria-labelledby="shortcuts-title">
      <form onSubmit={(e) => { e.preventDefault(); close(); }}>
        <h2 id="shortcuts-title">{t("Keyboard shortcuts")}</h2>
        <dl class="shortcuts">
          {shortcuts.map(([keys, what]) => <div key={what}><dt>{keys.map((k) => (k === "–" ? " – " : <kbd key={k}>{k}</kbd>))}</dt><dd>{t(what)}</dd></div>)}
        </dl>
        <div class="dialog-acts"><button class="primary">{t("Close")}</button></div>
      </form>
    </dialog>
  );
}

function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((o) => (
        <div class={`notice${o.bad ? " bad" : ""}`} key={o.id}><span>{o.text}</span>{o.action && <button onClick={o.act}>{o.action}</button>}</div>
      ))}
    </div>
  );
}

function KeyDialog({ done }: { done: () => void }) {
  const [value, setValue] = useState("");
  const [wrong, setWrong] = useState(false);
  const [checking, setChecking] = useState(false);
  const [provider, setProvider] = useState<SignIn | null>(null);
  useEffect(() => { void get<SignIn>("sign-in").then(setProvider, () => {}); }, []);
  const box = useRef<HTMLDialogElement>(null);
  const enter = async (e: Event) => {
    e.preventDefault();
    setChecking(true);
    setKey(value);
    const ok = await fetch(address("v1/models?limit=1"), { headers: { Authorization: `Bearer ${key()}` } }).then((r) => r.status !== 401, () => false);
    setChecking(false);
    if (!ok) { setKey(""); return setWrong(true); }
    keyEntered();
    done();
  };
  return (
    <dialog ref={(d: HTMLDialogElement | null) => { if (d && !box.current) { box.current = d; d.showModal(); } }} onCancel={(e) => e.preventDefault()} aria-labelledby="key-title" class="key-dialog">
      <form onSubmit={enter}>
        <h2 id="key-title">{t("Sign in")}</h2>
        {signInFailed.value && <p class="bad-line" role="alert"><Icon name="warn" size={14} />{signInFailed.value}</p>}
        {provider?.available && <><button type="button" class="primary" onClick={() => { void signIn(provider); }}>{t("Sign in at {name}", { name: new URL(provider.authorization_endpoint).host })}</button><hr /></>}
        <p class="dim">{t("This service asks for a key. It is kept until this tab is closed.")}</p>
        <label class="field"><span>{t("Key, or user:password")}</span>
          <input type="password" autocomplete="off" value={value} autofocus aria-invalid={wrong} aria-describedby={wrong ? "key-wrong" : undefined} onInput={(e) => { setValue(e.currentTarget.value); setWrong(false); }} /></label>
        {wrong && <p class="bad-line" id="key-wrong" role="alert">{t("This key is not accepted.")}</p>}
        <div class="dialog-acts"><button class="primary" disabled={!value.trim() || checking}>{t("Sign in")}</button></div>
      </form>
    </dialog>
  );
}

/** useKeys: [ and ] step through the citations, 1 to 9 open one, / goes to the question, Escape stops. */
function useKeys() {
  useEffect(() => {
    const press = async (e: KeyboardEvent) => {
      const at = e.target as HTMLElement;
      if (e.key === "Escape" && busy.value) return stop();
      if (e.ctrlKey || e.metaKey || e.altKey || at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return;
      if (document.querySelector("dialog[open]")) return;
      if (e.key === "?") { help.value = true; return; }
      if (e.key === "/") { e.preventDefault(); document.querySelector<HTMLElement>("#question, #search, main input[type=search]")?.focus(); return; }
      if (e.key === "Escape" && place.value) { place.value = null; return; }
      const turns = (route.value[0] ?? "ask") === "ask" ? current.value?.turns ?? [] : [];
      const turn = turns.findLast((one) => read(one.blocks).cited.length > 0);
      if (!turn) return;
      const cited = read(turn.blocks).cited;
      const open = async (k: number) => { if (cited[k]) openPlace(await placeOf(turn, cited[k]), await Promise.all(cited.map((c) => placeOf(turn, c)))); };
      if (/^[1-9]$/.test(e.key)) await open(Number(e.key) - 1);
      else if (e.key === "]") place.value ? step(1) : await open(0);
      else if (e.key === "[") place.value ? step(-1) : await open(cited.length - 1);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

