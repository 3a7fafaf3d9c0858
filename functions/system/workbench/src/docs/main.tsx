import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { marked } from "marked";
import DOMPurify from "dompurify";
import { address, key, needsKey, send, setKey } from "../api";
import { applyTheme } from "../state";
import { chooseLanguage, language, speak, t } from "../i18n";
import { Icon } from "../icons";
import { dialects, json, write, type Dialect } from "./code";
import { guide as english, type Call, type CallTitle, type Group, type GroupTitle, type Section, type SectionID } from "./guide";
import { show, type Schema, type Spec } from "./reference";
import "./docs.css";

applyTheme();
await speak();

/** inGerman is the guide with German words. */
async function inGerman(): Promise<readonly Group[]> {
  const { groups, sections, calls } = await import("./guide.de");
  return (english as readonly Group[]).map((g) => ({
    title: groups[g.title as GroupTitle],
    sections: g.sections.map((s) => ({
      ...s, ...sections[s.id as SectionID], calls: s.calls?.map((c) => ({ ...c, title: calls[c.title as CallTitle] })),
    })),
  }));
}

const markdown = (text: string) => DOMPurify.sanitize(marked.parse(text, { async: false }));
const here = new URL(".", document.baseURI).href;

function Docs() {
  const [at, setAt] = useState(location.hash.slice(1) || "start");
  const [dialect, setDialect] = useState<Dialect>((localStorage.getItem("lectern.dialect") as Dialect) ?? "curl");
  const [menu, setMenu] = useState(false);
  const [guide, setGuide] = useState<readonly Group[]>(english);
  const spoken = language.value;
  useEffect(() => { if (spoken === "de") void inGerman().then(setGuide); else setGuide(english); }, [spoken]);
  const reference = at === "reference" || at.startsWith("tag/") || at.startsWith("operation/");
  useEffect(() => {
    const go = () => { setAt(location.hash.slice(1) || "start"); setMenu(false); };
    addEventListener("hashchange", go);
    return () => removeEventListener("hashchange", go);
  }, []);
  useEffect(() => { if (!reference && location.hash) document.getElementById(at)?.scrollIntoView(); }, [reference]);
  useEffect(() => {
    if (reference) return;
    const watch = new IntersectionObserver((seen) => {
      const top = seen.filter((e) => e.isIntersecting)[0];
      if (top) { setAt(top.target.id); history.replaceState(null, "", `#${top.target.id}`); }
    }, { rootMargin: "0px 0px -75% 0px" });
    document.querySelectorAll("section[id]").forEach((s) => watch.observe(s));
    return () => watch.disconnect();
  }, [reference, guide]);
  const choose = (d: Dialect) => { setDialect(d); localStorage.setItem("lectern.dialect", d); };
  return (
    <div class={`docs${menu ? " with-menu" : ""}`}>
      <header class="docs-top">
        <button class="icon-button docs-menu" aria-label={t("Menu")} aria-expanded={menu} onClick={() => setMenu(!menu)}><Icon name="menu" size={20} /></button>
        <a class="mark" href={address("")}><svg viewBox="0 0 32 32" width="23" height="23" aria-hidden="true"><path d="M2.500 6.500 15 10v12.500L2.500 19zM29.500 6.500 17 10v12.500L29.500 19z" fill="currentColor" /><path d="M16 24.500V28.500M10 28.500h12" stroke="currentColor" stroke-width="2.400" stroke-linecap="round" /></svg><span>Lectern</span></a>
        <nav aria-label={t("Parts")}><a href="#start" aria-current={!reference ? "page" : undefined}>{t("Guide")}</a><a href="#reference" aria-current={reference ? "page" : undefined}>{t("Reference")}</a><a href={address("openapi.json")}>openapi.json</a></nav>
        <span class="grow" />
        <button class="quiet" lang={spoken === "de" ? "en" : "de"} onClick={() => chooseLanguage(spoken === "de" ? "en" : "de")}>{spoken === "de" ? "English" : "Deutsch"}</button>
        <a class="quiet" href={address("")}>{t("Workbench")}</a>
      </header>
      {needsKey.value && <Key />}
      {reference ? <Reference /> : (
        <div class="docs-body">
          <nav class="docs-side" aria-label={t("Guide")}>
            <button class="quiet docs-language" lang={spoken === "de" ? "en" : "de"} onClick={() => chooseLanguage(spoken === "de" ? "en" : "de")}>{spoken === "de" ? "English" : "Deutsch"}</button>
            {guide.map((g) => <div key={g.title}><h2>{g.title}</h2>{g.sections.map((s) => <a key={s.id} href={`#${s.id}`} aria-current={at === s.id ? "true" : undefined}>{s.title}</a>)}</div>)}
          </nav>
          <main class="docs-text" id="main">
            <h1 class="display">{t("API guide")}</h1>
            <p class="lead">{t("By task. Each call can be run from here; it uses a collection named")} <code>guide</code>.</p>
            {guide.map((g) => g.sections.map((s) => <Part key={s.id} s={s} dialect={dialect} choose={choose} />))}
          </main>
        </div>
      )}
    </div>
  );
}

function Part({ s, dialect, choose }: { s: Section; dialect: Dialect; choose: (d: Dialect) => void }) {
  const text = useMemo(() => markdown(s.text), [s.text]);
  const after = useMemo(() => (s.after ? markdown(s.after) : ""), [s.after]);
  return (
    <section id={s.id}>
      <h2>{s.title}</h2>
      <div class="guide-text" dangerouslySetInnerHTML={{ __html: text }} />
      {s.calls?.map((c) => <Example key={c.title} c={c} dialect={dialect} choose={choose} />)}
      {after && <div class="guide-text" dangerouslySetInnerHTML={{ __html: after }} />}
      {s.id === "blocks" && <Blocks />}
    </section>
  );
}

function Example({ c, dialect, choose }: { c: Call; dialect: Dialect; choose: (d: Dialect) => void }) {
  const [out, setOut] = useState<{ text: string; note: string; bad: boolean } | null>(null);
  const [busy, setBusy] = useState(false);
  const [copied, setCopied] = useState(false);
  const code = write(c, dialect, here, !!key());
  const run = async () => {
    setBusy(true);
    const started = performance.now();
    const finish = (status: number, text: string) => setOut({ text: text.length > 6000 ? `${text.slice(0, 6000)}\n…` : text, note: `${status} · ${Math.round(performance.now() - started)} ms`, bad: status >= 400 });
    try {
      const res = await send(c.path, { method: c.method, ...(c.body ? { body: JSON.stringify(c.body), headers: { "Content-Type": "application/json" } } : {}) }, true);
      const text = await res.text();
      finish(res.status, c.stream ? text : json(JSON.parse(text)));
    } catch (e) {
      const f = e as { status?: number; message: string };
      finish(f.status ?? 0, f.message);
    }
    setBusy(false);
  };
  return (
    <figure class="example">
      <figcaption><b>{c.title}</b><code>{c.method} /{c.path.split("?")[0]}</code><span class="grow" />
        <span class="choice" role="group" aria-label={t("Language")}>{dialects.map(([d, text]) => <button key={d} aria-pressed={d === dialect} onClick={() => choose(d)}>{text}</button>)}</span>
        <button class="icon-button" aria-label={t("Copy")} title={t("Copy")} onClick={() => navigator.clipboard.writeText(code).then(() => { setCopied(true); setTimeout(() => setCopied(false), 1500); })}><Icon name={copied ? "check" : "copy"} size={15} /></button>
        <button class="button small" onClick={run} disabled={busy}>{t("Run")}</button>
      </figcaption>
      <pre tabIndex={0} data-dialect={dialect}>{code}</pre>
      {out && <div class="outcome" role="status"><p class={out.bad ? "bad" : "good"}>{out.note}</p><pre tabIndex={0}>{out.text}</pre></div>}
    </figure>
  );
}

let described: Promise<Spec> | undefined;
const spec = () => (described ??= send("openapi.json", {}, true).then((r) => r.json()).catch((e) => { described = undefined; throw e; }));

/** Blocks lists the content blocks of the description with their fields. */
function Blocks() {
  const [s, setS] = useState<Spec | null>(null);
  useEffect(() => { spec().then(setS, () => {}); }, [needsKey.value]);
  if (!s) return null;
  const all = s.components.schemas;
  const list = (all.ContentBlock?.oneOf ?? all.ContentBlock?.anyOf ?? []).map((one) => one.$ref?.split("/").at(-1) ?? "").filter((name) => all[name]);
  return <>{list.map((name) => {
    const b = all[name];
    const kind = b.properties?.type?.const ?? b.properties?.type?.enum?.[0] ?? name;
    return (
      <details key={name} class="block">
        <summary><code>{String(kind)}</code> <span class="dim">{b.description}</span></summary>
        <table><tbody>{Object.entries(b.properties ?? {}).filter(([f]) => !["type", "start_timestamp", "stop_timestamp", "_meta"].includes(f)).map(([f, p]) => (
          <tr key={f}><th scope="row"><code>{f}</code>{b.required?.includes(f) && <span class="dim"> {t("required")}</span>}</th><td>{typeName(p)}</td><td>{p.description}</td></tr>
        ))}</tbody></table>
      </details>
    );
  })}</>;
}

function typeName(s: Schema): string {
  if (s.$ref) return s.$ref.split("/").at(-1)!;
  if (s.anyOf ?? s.oneOf) return (s.anyOf ?? s.oneOf)!.map(typeName).join(` ${t("or")} `);
  if (s.items) return t("list of {kind}", { kind: typeName(s.items) });
  if (s.const !== undefined) return JSON.stringify(s.const);
  return Array.isArray(s.type) ? s.type.join(` ${t("or")} `) : s.type ?? "any";
}

function Reference() {
  const box = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState("");
  useEffect(() => { spec().then((s) => show(s, box.current!)).catch((e) => setFailed(e.message)); }, [needsKey.value]);
  return <main id="main" class="reference">{failed && <p class="bad-line" role="alert">{failed}</p>}<div ref={box} /></main>;
}

function Key() {
  const [value, setValue] = useState("");
  return (
    <form class="docs-key" onSubmit={(e) => { e.preventDefault(); setKey(value); needsKey.value = false; }}>
      <label>{t("This service asks for a key. It is kept until this tab is closed.")} <input type="password" autocomplete="off" value={value} onInput={(e) => setValue(e.currentTarget.value)} placeholder={t("Key, or user:password")} /></label>
      <button class="primary" disabled={!value.trim()}>{t("Use it")}</button>
    </form>
  );
}

render(<Docs />, document.getElementById("app")!);
