// Look inside: whether the service is ready, what it is made of, and what it counted.
import { useEffect, useState } from "preact/hooks";
import type { FunctionComponent } from "preact";
import { Failure, get, send } from "../api";
import { extensions, href, may, models, route } from "../state";
import { n, t, type Text } from "../i18n";
import { Icon } from "../icons";
import { Keys, Requests, Settings, Work } from "./admin";
import { Files } from "./files";
import { Skills } from "./skills";

interface Ready {
  status: string; checks: Record<string, string>; damaged?: Record<string, number>;
  index_rebuilding?: { done: number; of: number; failed: number }; vectors_pending?: { have: number; of: number };
}
interface Sample { name: string; labels: Record<string, string>; value: number }

interface Tab { to: string; text: Text; view: FunctionComponent; admin?: boolean }
const tabs: Tab[] = [
  { to: "state", text: "State", view: State }, { to: "requests", text: "Requests", view: Requests, admin: true },
  { to: "work", text: "Work", view: Work, admin: true }, { to: "files", text: "Files", view: Files }, { to: "skills", text: "Skills", view: Skills },
  { to: "keys", text: "Keys", view: Keys, admin: true }, { to: "settings", text: "Settings", view: Settings, admin: true },
];

export function InsideView() {
  // What the key may not see is not shown, and not asked for: /ready tells keys with
  // limits of no driver.
  const [admin, setAdmin] = useState(false);
  useEffect(() => {
    const ask = async () => { if (may("inside") && Object.keys((await look()).checks).length) await get("v1/admin/keys", { limit: 1 }).then(() => setAdmin(true)); };
    void ask().catch(() => {});
  }, []);
  const shown = tabs.filter((tab) => (admin || !tab.admin) && (tab.to === "state" ? may("inside") : may(tab.to)));
  const { to, view: View } = shown.find((tab) => tab.to === route.value[1]) ?? shown[0];
  return (
    <div class={`data-view${to === "state" ? "" : " wide"}`}>
      <h1 class="display">{t("Look inside")}</h1>
      <nav class="tabs" aria-label={t("Look inside")}>
        {shown.map((tab) => <a key={tab.to} href={href("inside", tab.to)} aria-current={tab.to === to ? "page" : undefined}>{t(tab.text)}</a>)}
      </nav>
      <View />
    </div>
  );
}

/** look asks whether the service is ready; what is not is no failure of the question. */
const look = () => get<Ready>("ready").catch((e): Ready => {
  if (e instanceof Failure && e.status === 503) return { status: e.message, checks: (e.details as { checks?: Record<string, string> })?.checks ?? {} };
  throw e;
});

function State() {
  const [ready, setReady] = useState<Ready | null>(null);
  const [samples, setSamples] = useState<Sample[]>([]);
  const [failed, setFailed] = useState("");
  useEffect(() => {
    let here = true;
    const again = async () => {
      try {
        const r = await look();
        const m = Object.keys(r.checks).length ? await send("metrics").then((res) => res.text(), () => "") : "";
        if (here) { setReady(r); setSamples(parse(m)); setFailed(""); }
      } catch (e) { if (here) setFailed((e as Error).message); }
    };
    void again();
    const timer = setInterval(again, 5000);
    return () => { here = false; clearInterval(timer); };
  }, []);
  const groups = [...new Set(samples.map((s) => s.labels.group).filter(Boolean))];
  const sum = (name: RegExp, f: (l: Record<string, string>) => boolean) => samples.filter((s) => name.test(s.name) && f(s.labels)).reduce((a, s) => a + s.value, 0);
  return (
    <>
      {failed && <p class="bad-line" role="alert"><Icon name="warn" size={14} />{failed}</p>}
      <section>
        <h2>{t("State")}</h2>
        {ready && <ul class="checks">
          {Object.entries(ready.checks).filter(([k]) => !ready.damaged?.[k]).map(([k, v]) => <li key={k} class={v === "ok" ? "good" : "bad"}><Icon name={v === "ok" ? "check" : "warn"} size={15} />{k}: {v}</li>)}
          {ready.index_rebuilding && <li><Icon name="again" size={15} />{t("The index is being rebuilt: {a} of {b}", { a: n(ready.index_rebuilding.done), b: n(ready.index_rebuilding.of) })}</li>}
          {ready.vectors_pending && <li><Icon name="again" size={15} />{t("Passages that can be found by meaning: {a} of {b}", { a: n(ready.vectors_pending.have), b: n(ready.vectors_pending.of) })}</li>}
          {Object.entries(ready.damaged ?? {}).map(([k, v]) => <li key={k} class="bad"><Icon name="warn" size={15} />{t("Damaged in {name}: {n}", { name: k, n: n(v) })}</li>)}
        </ul>}
      </section>
      <section>
        <h2>{t("Models")}</h2>
        <div class="sheet-box" tabIndex={0} role="region" aria-label={t("Models")}><table class="sheet">
          <thead><tr><th scope="col">{t("Name")}</th><th scope="col">{t("What for")}</th><th scope="col" class="num">{t("Dimensions")}</th><th scope="col" class="num">{t("Answer tokens")}</th></tr></thead>
          <tbody>{models.value.map((m) => <tr key={m.id}><td>{m.display_name}</td><td>{m.embed_dim ? t("embedding") : t("chat")}</td><td class="num">{m.embed_dim ? n(m.embed_dim) : ""}</td><td class="num">{m.max_tokens ? n(m.max_tokens) : ""}</td></tr>)}</tbody>
        </table></div>
      </section>
      {groups.length > 0 && <section>
        <h2>{t("Requests since the start")}</h2>
        <div class="sheet-box" tabIndex={0} role="region" aria-label={t("Requests since the start")}><table class="sheet">
          <thead><tr><th scope="col">{t("Group")}</th><th scope="col" class="num">{t("Requests")}</th><th scope="col" class="num">{t("Errors")}</th><th scope="col" class="num">{t("Mean time")}</th></tr></thead>
          <tbody>{groups.map((g) => {
            const total = sum(/requests_total$/, (l) => l.group === g) || sum(/_count$/, (l) => l.group === g);
            const bad = sum(/requests_total$/, (l) => l.group === g && /^[5]/.test(l.status ?? l.code ?? ""));
            const seconds = sum(/seconds_sum$/, (l) => l.group === g);
            const counted = sum(/seconds_count$/, (l) => l.group === g);
            return <tr key={g}><td>{g}</td><td class="num">{n(total)}</td><td class="num">{n(bad)}</td><td class="num">{counted ? `${n((seconds / counted) * 1000, 1)} ms` : ""}</td></tr>;
          })}</tbody>
        </table></div>
      </section>}
      <section>
        <h2>{t("Kinds of files that can be read")}</h2>
        <p class="kinds">{[...extensions.value].sort().join("  ")}</p>
      </section>
    </>
  );
}

/** parse reads the text format of Prometheus. */
function parse(text: string): Sample[] {
  return text.split("\n").filter((l) => l && !l.startsWith("#")).flatMap((l) => {
    const m = /^(\w+)(?:\{(.*)\})?\s+(\S+)$/.exec(l);
    if (!m) return [];
    const labels = Object.fromEntries([...(m[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map((p) => [p[1], p[2]]));
    return [{ name: m[1], labels, value: Number(m[3]) }];
  });
}
