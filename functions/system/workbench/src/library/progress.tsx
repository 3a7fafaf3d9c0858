// How far the documents on their way in are, and what failed.
import { useEffect, useState } from "preact/hooks";
import { batchStarted, clearJobs, jobs, progress, stopAll, tryAgain, type Job } from "./queue";
import { download } from "../state";
import { duration, n, t, type Text } from "../i18n";
import { Icon } from "../icons";

export function Progress() {
  const p = progress.value;
  const [, tick] = useState(0);
  useEffect(() => {
    if (!p.running) return;
    const timer = setInterval(() => tick((k) => k + 1), 1000);
    return () => clearInterval(timer);
  }, [p.running]);
  if (!p.of) return null;
  const failed = jobs.value.filter((j) => j.state === "failed");
  const reading = jobs.value.filter((j) => j.state === "reading");
  const seconds = p.running ? (Date.now() - batchStarted.value) / 1000 : p.seconds;
  const list = () => download("failures.csv", ["document,reason,code", ...failed.map((j) => [j.artifact, j.error, j.code].map((v) => `"${String(v ?? "").replaceAll('"', '""')}"`).join(","))].join("\n"), "text/csv");
  return (
    <section class="progress" aria-label={t("Documents on their way in")}>
      <div class="progress-head">
        <b role="status">{p.running ? t("Reading {a} of {b}", { a: n(Math.min(p.of, p.ended + 1)), b: n(p.of) })
          : t(p.of - p.failed === 1 ? "{n} document read" : "{n} documents read", { n: n(jobs.value.filter((j) => j.state === "done").length) })}</b>
        {p.failed > 0 && <span class="bad">{t("{n} failed", { n: n(p.failed) })}</span>}
        <span class="dim">{duration(seconds)}{p.of > 1 && p.rate > 0 ? ` · ${t("{n} a second", { n: n(p.rate, 1) })}` : ""}{p.running && p.left !== undefined && seconds > 2 ? ` · ${t("about {time} left", { time: duration(p.left) })}` : ""}</span>
        <span class="grow" />
        {p.running ? <button class="button small" onClick={stopAll}><Icon name="stop" size={13} />{t("Stop")}</button>
          : <button class="icon-button" onClick={clearJobs} aria-label={t("Close")} title={t("Close")}><Icon name="close" size={14} /></button>}
      </div>
      {p.running && <progress max={p.of} value={p.ended + reading.reduce((s, j) => s + j.percent / 100, 0)} aria-label={t("Documents read")} />}
      {reading.map((j) => <p class="job" key={j.id}><span>{j.artifact}</span><span class="dim">{stepOf(j)}</span></p>)}
      {failed.length > 0 && (
        <div class="failures">
          <div class="failures-acts">
            <button class="button small" onClick={() => tryAgain(failed)}><Icon name="again" size={13} />{t("Try again")}</button>
            <button class="button small" onClick={list}><Icon name="download" size={13} />{t("List of failures")}</button>
          </div>
          {failed.slice(0, 50).map((j) => <p class="job" key={j.id}><span>{j.artifact}</span><span class="bad">{j.error}</span></p>)}
        </div>
      )}
      {!p.running && jobs.value.some((j) => j.state === "done") && <Log list={jobs.value} />}
    </section>
  );
}

const steps: Record<string, Text> = { sending: "sending", fetching: "fetching", reading: "reading", chunking: "splitting", splitting: "splitting", embedding: "indexing", indexing: "indexing", storing: "storing" };
const stepName = (s: string) => (steps[s] ? t(steps[s]) : s.replaceAll("_", " "));

function stepOf(j: Job): string {
  return [stepName(j.stages.at(-1)?.name ?? ""), j.pages ? t("{n} pages", { n: n(j.pages) }) : "", j.chunks ? t("{a} of {b} passages", { a: n(j.done ?? 0), b: n(j.chunks) }) : "",
    j.left ? t("about {time} left", { time: duration(j.left) }) : ""].filter(Boolean).join(" · ");
}

function Log({ list }: { list: Job[] }) {
  return (
    <details class="log">
      <summary>{t("Times")}</summary>
      {list.filter((j) => j.ended && j.started).slice(0, 200).map((j) => (
        <p class="job" key={j.id}><span>{j.artifact}</span>
          <span class="dim">{j.stages.map((s, i) => `${stepName(s.name)} ${duration(((j.stages[i + 1]?.at ?? j.ended!) - s.at) / 1000)}`).join(" · ")}</span></p>
      ))}
    </details>
  );
}
