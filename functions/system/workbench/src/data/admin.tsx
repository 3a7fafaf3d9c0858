// What only keys without limits may see: requests, work that runs later, keys with what
// they used, and the settings in force.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, post, remove } from "../api";
import { notify } from "../state";
import { locale, n, t, when, type Text } from "../i18n";
import { Icon } from "../icons";
import { Failed, Sheet, type Page } from "./sheet";

interface Request { id: string; at: string; method: string; path: string; status: number; took_ms: number; key_id: string | null }
interface Task { task_id: string; kind: string; task_state: string; percentage: number; error: string | null; collection: string; accepted_at: string }
interface Stream { accepted_at: string; message: { message_id: string; status: string; error_message: string | null; completed_at: string | null; created_at: string } }
interface Key {
  id: string; name: string; hint: string; status: string; collections: string[]; groups: string[]; tenant: string | null;
  requests_per_minute: number | null; tokens_per_day: number | null; expires_at: string | null; created_at: string; key?: string;
}
interface Day { key_id: string; date: string; requests: number; refused: number; input_tokens: number; output_tokens: number }
interface Setting { name: string; value: string; given: boolean; meaning: string }

/** useList asks for a list now and every few seconds; seconds 0 asks once. */
function useList<T>(ask: () => Promise<T>, seconds: number, again: unknown = 0) {
  const [value, setValue] = useState<T | null>(null);
  const [failed, setFailed] = useState("");
  useEffect(() => {
    let here = true;
    const look = () => ask().then((v) => { if (here) { setValue(v); setFailed(""); } }, (e) => { if (here) setFailed((e as Error).message); });
    void look();
    const timer = seconds ? setInterval(look, seconds * 1000) : 0;
    return () => { here = false; clearInterval(timer); };
  }, [again]);
  return { value, failed };
}

export function Requests() {
  const { value, failed } = useList(() => get<Page<Request>>("v1/admin/requests", { limit: 200 }), 3);
  return (
    <section>
      <Failed text={failed} />
      {value && <Sheet name="Requests" class="requests" empty="Nothing yet." head={[["Time"], ["Request"], ["Answer", true], ["Took", true], ["Key"]]}>
        {value.data.map((r) => <tr key={r.id} title={r.id}>
          <td class="tight">{clock(r.at)}</td><td class="path">{r.method} {r.path}</td>
          <td class={`num${r.status >= 500 ? " bad" : ""}`}>{r.status}</td><td class="num">{n(r.took_ms, 1)} ms</td><td class="tight dim">{short(r.key_id)}</td>
        </tr>)}
      </Sheet>}
    </section>
  );
}

const clock = (iso: string) => new Date(iso).toLocaleTimeString(locale());
const short = (id: string | null) => (id ? id.replace(/^(key|oidc)_/, "").slice(0, 8) : "");

const states: Record<string, Text> = {
  PENDING: "waiting", STARTED: "under way", RETRY: "waiting", SUCCESS: "done", FAILURE: "failed", REVOKED: "overtaken",
  pending: "waiting", processing: "under way", completed: "done", failed: "failed", cancelled: "cancelled", error: "failed",
};
const said = (state: string) => (states[state] ? t(states[state]) : state);

export function Work() {
  const tasks = useList(() => get<Page<Task>>("v1/admin/tasks", { limit: 100 }), 3);
  const streams = useList(() => get<Page<Stream>>("v1/admin/streams", { limit: 100 }), 3);
  return <>
    <section>
      <h2>{t("Ingests and deletions")}</h2>
      <Failed text={tasks.failed} />
      {tasks.value && <Sheet name="Ingests and deletions" empty="Nothing in the last seven days." head={[["Accepted"], ["What"], ["Collection"], ["State"]]}>
        {tasks.value.data.map((one) => <tr key={one.task_id} title={one.task_id}>
          <td class="tight">{when(one.accepted_at)}</td><td>{one.kind === "delete" ? t("Delete") : t("Ingest")}</td><td>{one.collection}</td>
          <td class={one.error ? "bad" : undefined}>{said(one.task_state)}{one.task_state === "STARTED" && one.percentage ? ` ${n(one.percentage)} %` : ""}{one.error ? `: ${one.error}` : ""}</td>
        </tr>)}
      </Sheet>}
    </section>
    <section>
      <h2>{t("Async messages")}</h2>
      <Failed text={streams.failed} />
      {streams.value && <Sheet name="Async messages" empty="Nothing in the last seven days." head={[["Accepted"], ["Message"], ["State"]]}>
        {streams.value.data.map(({ accepted_at, message }) => <tr key={accepted_at + message.message_id}>
          <td class="tight">{when(accepted_at)}</td><td class="path">{message.message_id}</td>
          <td class={message.error_message ? "bad" : undefined}>{said(message.status)}{message.error_message ? `: ${message.error_message}` : ""}</td>
        </tr>)}
      </Sheet>}
    </section>
  </>;
}

async function all<T>(path: string, query: Record<string, string | number> = {}): Promise<T[]> {
  const out: T[] = [];
  for (let after: string | undefined; ;) {
    const page = await get<Page<T>>(path, { ...query, limit: 100, after_id: after });
    out.push(...page.data);
    if (!page.has_more || !page.last_id) return out;
    after = page.last_id;
  }
}

export function Keys() {
  const [round, setRound] = useState(0);
  const [making, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<Key | null>(null);
  const keys = useList(() => all<Key>("v1/admin/keys"), 0, round);
  const used = useList(() => all<Day>("v1/admin/usage"), 10, round);
  const days = used.value ?? [];
  const sum = (id: string, f: (d: Day) => number) => days.filter((d) => d.key_id === id).reduce((a, d) => a + f(d), 0);
  const revoke = async (k: Key) => {
    setLeaving(null);
    try { await remove(`v1/admin/keys/${k.id}`); setRound(round + 1); } catch (e) { notify((e as Error).message, { bad: true }); }
  };
  const list = keys.value ?? [];
  const others = [...new Set(days.map((d) => d.key_id))].filter((id) => !list.some((k) => k.id === id));
  return (
    <section>
      <div class="section-line"><h2>{t("Keys")}</h2><button class="button" onClick={() => setMaking(true)}><Icon name="plus" size={15} />{t("Make a key")}</button></div>
      <Failed text={keys.failed || used.failed} />
      {keys.value && <Sheet name="Keys" empty={others.length ? undefined : "No key was made yet."}
        head={[["Name"], ["Ends in"], ["State"], ["Collections"], ["Limits"], ["Requests, 7 days", true], ["Tokens, 7 days", true], [""]]}>
        {[...list.map((k) => <tr key={k.id} title={k.id}>
          <td>{k.name}</td><td class="path">…{k.hint}</td><td>{k.status === "active" ? t("active") : k.status === "revoked" ? t("revoked") : t("expired")}</td>
          <td>{k.collections[0] === "*" ? t("all") : k.collections.join(", ")}</td>
          <td class="dim">{[k.requests_per_minute && t("{n} requests a minute", { n: n(k.requests_per_minute) }), k.tokens_per_day && t("{n} tokens a day", { n: n(k.tokens_per_day) }), k.groups[0] !== "*" && k.groups.join(", "), k.expires_at && t("until {day}", { day: when(k.expires_at) })].filter(Boolean).join("; ")}</td>
          <td class="num">{n(sum(k.id, (d) => d.requests))}</td><td class="num">{n(sum(k.id, (d) => d.input_tokens + d.output_tokens))}</td>
          <td>{k.status !== "revoked" && <button class="icon-button" title={t("Revoke")} aria-label={t("Revoke {name}", { name: k.name })} onClick={() => setLeaving(k)}><Icon name="trash" size={15} /></button>}</td>
        </tr>), ...others.map((id) => <tr key={id} title={id}>
          <td class="dim">{id.startsWith("oidc_") ? t("signed in") : t("of the settings")}</td><td class="path">{short(id)}</td><td /><td /><td />
          <td class="num">{n(sum(id, (d) => d.requests))}</td><td class="num">{n(sum(id, (d) => d.input_tokens + d.output_tokens))}</td><td />
        </tr>)]}
      </Sheet>}
      {leaving && <dialog ref={(d: HTMLDialogElement | null) => { if (d && !d.open) d.showModal(); }} onCancel={(e) => { e.preventDefault(); setLeaving(null); }} aria-labelledby="revoke-title">
        <form onSubmit={(e) => { e.preventDefault(); void revoke(leaving); }}>
          <h2 id="revoke-title">{t("Revoke {name}", { name: leaving.name })}</h2>
          <p>{t("Who uses this key is shut out within 30 seconds. It does not come back.")}</p>
          <div class="dialog-acts"><button type="button" class="button" onClick={() => setLeaving(null)}>{t("Cancel")}</button><button class="primary">{t("Revoke")}</button></div>
        </form>
      </dialog>}
      {making && <Make done={(made) => { setMaking(false); if (made) setRound(round + 1); }} />}
    </section>
  );
}

function Make({ done }: { done: (made: boolean) => void }) {
  const [name, setName] = useState("");
  const [collections, setCollections] = useState("");
  const [perMinute, setPerMinute] = useState("");
  const [perDay, setPerDay] = useState("");
  const [made, setMade] = useState<Key | null>(null);
  const [failed, setFailed] = useState("");
  const box = useRef<HTMLDialogElement>(null);
  const make = async (e: Event) => {
    e.preventDefault();
    try {
      setMade(await post<Key>("v1/admin/keys", {
        name, collections: collections.split(",").map((c) => c.trim()).filter(Boolean),
        ...(perMinute ? { requests_per_minute: Number(perMinute) } : {}), ...(perDay ? { tokens_per_day: Number(perDay) } : {}),
      }));
      setFailed("");
    } catch (e) { setFailed((e as Error).message); }
  };
  const copy = () => navigator.clipboard.writeText(made!.key!).then(() => notify(t("Copied.")), () => {});
  return (
    <dialog ref={(d: HTMLDialogElement | null) => { if (d && !box.current) { box.current = d; d.showModal(); } }} onCancel={(e) => { e.preventDefault(); done(!!made); }} aria-labelledby="make-title">
      {made ? <form onSubmit={(e) => { e.preventDefault(); done(true); }}>
        <h2 id="make-title">{t("The key of {name}", { name: made.name })}</h2>
        <p class="dim">{t("It is shown only now. Keep it where only its owner can read it.")}</p>
        <div class="key-line"><code class="made-key">{made.key}</code><button type="button" class="icon-button" title={t("Copy")} aria-label={t("Copy")} onClick={copy}><Icon name="copy" /></button></div>
        <div class="dialog-acts"><button class="primary">{t("Close")}</button></div>
      </form> : <form onSubmit={make}>
        <h2 id="make-title">{t("Make a key")}</h2>
        <label class="field"><span>{t("Name")}</span><input value={name} required maxLength={255} autofocus onInput={(e) => setName(e.currentTarget.value)} /></label>
        <label class="field"><span>{t("Collections, with commas; * for all")}</span><input value={collections} required onInput={(e) => setCollections(e.currentTarget.value)} /></label>
        <label class="field"><span>{t("Requests a minute, at most")}</span><input type="number" min={1} value={perMinute} placeholder={t("unlimited")} onInput={(e) => setPerMinute(e.currentTarget.value)} /></label>
        <label class="field"><span>{t("Tokens a day, at most")}</span><input type="number" min={1} value={perDay} placeholder={t("unlimited")} onInput={(e) => setPerDay(e.currentTarget.value)} /></label>
        <Failed text={failed} />
        <div class="dialog-acts"><button type="button" class="button" onClick={() => done(false)}>{t("Cancel")}</button><button class="primary" disabled={!name.trim() || !collections.trim()}>{t("Make")}</button></div>
      </form>}
    </dialog>
  );
}

export function Settings() {
  const { value, failed } = useList(() => get<{ data: Setting[] }>("v1/admin/settings"), 0);
  return (
    <section>
      <Failed text={failed} />
      {value && <Sheet name="Settings" class="settings" head={[["Name"], ["Value"], ["Meaning"]]}>
        {value.data.map((s) => <tr key={s.name}><td class="path">{s.name}</td><td class={`path${s.given ? " given" : " dim"}`}>{s.value}</td><td class="dim">{s.meaning.split("`").map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part))}</td></tr>)}
      </Sheet>}
    </section>
  );
}
