// Tables: a question to the sheets of a collection or to a SQLite file, answered as a
// table with the statement that was run.
import { useEffect, useRef, useState } from "preact/hooks";
import { post, type Block } from "../api";
import { label } from "../ask/view";
import { collections, docsOf, documents, loadCollections, nameOf } from "../state";
import { Chooser, DropArea } from "../library/add";
import { Progress } from "../library/progress";
import { t } from "../i18n";
import { Icon } from "../icons";
import { parseCSV, ResultTable, type Rows } from "./table";

interface Answer { question: string; sql: string[]; tables: { data: Rows; name: string }[]; text: string; failed: boolean; note: string }
interface Database { name: string; value: string; size: number }

const sheets = /^(csv|tsv|psv|tab|xlsx?|xlsm|xltx|xlsb|ods|ots|numbers|fods|sxc)$/;

export function TablesView() {
  const [text, setText] = useState("");
  const [collection, setCollection] = useState("");
  const [chosen, setChosen] = useState("");
  const [database, setDatabase] = useState<Database | null>(null);
  const [answers, setAnswers] = useState<Answer[]>([]);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");
  const file = useRef<HTMLInputElement>(null);
  useEffect(() => { for (const c of collections.value) void docsOf(c.name).catch(() => {}); }, [collections.value]);
  const withSheets = collections.value.filter((c) => documents.value[c.name]?.some((d) => sheets.test(d.doc_metadata.file_type)));
  const at = collection || withSheets[0]?.name || "";
  const list = (documents.value[at] ?? []).filter((d) => sheets.test(d.doc_metadata.file_type));
  const artifact = list.find((d) => d.artifact === chosen)?.artifact ?? list[0]?.artifact ?? "";
  const openFile = async (f: File) => {
    const url = await new Promise<string>((done) => { const r = new FileReader(); r.onload = () => done(String(r.result)); r.readAsDataURL(f); });
    setDatabase({ name: f.name.replace(/[^\w.-]/g, "_"), value: url.split(",")[1] ?? "", size: f.size });
    setAnswers([]);
  };
  const ask = async (e: Event) => {
    e.preventDefault();
    if (!text.trim() || busy) return;
    setBusy(true);
    setFailed("");
    try {
      const r = database
        ? await post<{ content: Block[]; is_error: boolean }>("v1/tools/database-query", {
          query: text, artifacts: [{ type: "file", value: database.value, file_name: database.name }, { type: "sql_database", connection_string: `sqlite:///${database.name}` }],
        })
        : await post<{ content: Block[]; is_error: boolean }>("v1/tools/tabular-data-analysis", { query: text, context_filter: { collection: at, artifacts: [artifact] } });
      setAnswers([read(text, r), ...answers]);
    } catch (e) {
      setFailed((e as Error).message);
    }
    setBusy(false);
  };
  return (
    <DropArea collection={at} onAdded={() => void loadCollections()}>
      <div class="data-view">
        <h1 class="display">{t("Tables")}</h1>
        {!list.length && !database ? (
          <>
            <p class="lead">{t("Ask a sheet, a CSV file or a SQLite file; the answer is a table, with the statement that made it.")}</p>
            <div class="drop-zone"><Icon name="table" size={22} /><p><b>{t("Drop sheets here")}</b></p><Chooser collection={at} /><button type="button" class="quiet" onClick={() => file.current?.click()}>{t("Open a SQLite file")}</button></div>
            <Progress />
          </>
        ) : (
          <form class="search-form" onSubmit={ask}>
            <div class="search-line">
              <input id="question" value={text} autofocus onInput={(e) => setText(e.currentTarget.value)} placeholder={t("What is the total amount per region?")} aria-label={t("Question")} />
              <button class="primary" disabled={!text.trim() || busy} aria-busy={busy}>{t("Ask")}</button>
            </div>
            <div class="options">
              {database ? <span class="chip-static"><Icon name="file" size={14} />{database.name}<button type="button" class="icon-button" aria-label={t("Close")} onClick={() => setDatabase(null)}><Icon name="close" size={13} /></button></span> : <>
                {withSheets.length > 1 && <select value={at} onChange={(e) => { setCollection(e.currentTarget.value); setChosen(""); }} aria-label={t("Collection")}>{withSheets.map((c) => <option key={c.name} value={c.name}>{label(c.name)}</option>)}</select>}
                <select value={artifact} onChange={(e) => setChosen(e.currentTarget.value)} aria-label={t("Sheet")}>{list.map((d) => <option key={d.artifact} value={d.artifact}>{nameOf(d)}</option>)}</select>
                <button type="button" class="quiet" onClick={() => file.current?.click()}>{t("Open a SQLite file")}</button>
              </>}
            </div>
          </form>
        )}
        <input ref={file} class="sqlite" type="file" hidden accept=".db,.sqlite,.sqlite3" aria-label={t("Open a SQLite file")} onChange={(e) => { const f = e.currentTarget.files?.[0]; if (f) void openFile(f); e.currentTarget.value = ""; }} />
        {failed && <p class="bad-line" role="alert"><Icon name="warn" size={14} />{failed}</p>}
        <div aria-live="polite" class="answers">
          {answers.map((a, i) => (
            <article class="table-answer" key={answers.length - i}>
              <h2>{a.question}</h2>
              {a.note && <p class={a.failed ? "warn-line" : "note-text"}>{a.failed && <Icon name="warn" size={14} />}{a.note}</p>}
              {a.tables.map((one) => <ResultTable key={one.name} data={one.data} name={one.name} />)}
              {a.sql.length > 0 && <details class="sql" open={i === 0}><summary>{t("The statement")}</summary>{a.sql.map((s) => <pre key={s} tabIndex={0}>{s}</pre>)}</details>}
            </article>
          ))}
        </div>
      </div>
    </DropArea>
  );
}

/** read takes the statement, the tables and the sentence from the answer of a tool. */
function read(question: string, r: { content: Block[]; is_error: boolean }): Answer {
  const out: Answer = { question, sql: [], tables: [], text: "", failed: r.is_error, note: "" };
  const notes: string[] = [];
  for (const b of r.content) {
    if (b.type === "binary" && b.source?.media_type === "text/csv" && b.source.data) {
      const csv = new TextDecoder().decode(Uint8Array.from(atob(b.source.data), (c) => c.charCodeAt(0)));
      out.tables.push({ data: parseCSV(csv), name: (b.filename ?? "result.csv").replace(/\.csv$/, "") });
    } else if (b.type === "text") {
      const text = b.text ?? "";
      for (const m of text.matchAll(/```sql\n([\s\S]*?)```/g)) out.sql.push(m[1].trim());
      const rest = text.replace(/```sql\n[\s\S]*?```/g, "").replace(/^\|.*\|$/gm, "").replace(/^\d+ rows?\.$/m, "").trim();
      if (rest) notes.push(rest);
    }
  }
  // The sentence repeats what a table of several rows says.
  out.note = out.failed || !out.tables.some((one) => one.data.rows.length > 1) ? notes.join("\n") : "";
  return out;
}
