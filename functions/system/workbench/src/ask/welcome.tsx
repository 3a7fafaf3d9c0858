// The first screen: bring documents, or try the sample.
import { useState } from "preact/hooks";
import { ask, begin, setScope } from "./conversation";
import { Chooser, DropArea } from "../library/add";
import { Progress } from "../library/progress";
import { addText, progress, settled } from "../library/queue";
import { loadCollections, notify, standard } from "../state";
import { language, t } from "../i18n";
import { Icon } from "../icons";

export const sample = "sample";

/** trySample ingests the handbook that comes with the page, in its language, and opens it to be asked. */
export async function trySample(question = "") {
  const german = language.value === "de";
  const { default: text } = await (german ? import("../../sample/handbook.de.md?raw") : import("../../sample/handbook.md?raw"));
  addText(sample, german ? "handbuch.md" : "handbook.md", text);
  await settled();
  if (progress.value.failed) return notify(t("The sample could not be read."), { bad: true });
  await loadCollections();
  begin({ collections: [sample], artifacts: [] });
  setScope({ collections: [sample], artifacts: [] });
  if (question) void ask(question);
}

export function Welcome() {
  const [busy, setBusy] = useState(false);
  const start = () => { setBusy(true); void trySample().catch(() => {}).finally(() => setBusy(false)); };
  return (
    <DropArea collection={standard}>
      <div class="welcome">
        <div class="welcome-main">
          <h1 class="display">{t("Ask your documents.")}</h1>
          <p class="lead">{t("Every answer quotes them, and every quotation opens at the place where it stands.")}</p>
          <div class="drop-zone">
            <Icon name="upload" size={22} />
            <p><b>{t("Drop files or a folder here")}</b><br /><span class="dim">{t("PDF, Word, slides, sheets, web pages, e-mail, Markdown, code and 60 more kinds")}</span></p>
            <Chooser collection={standard} />
          </div>
          <Progress />
          <div class="or"><span>{t("or")}</span></div>
          <button class="sample-card" onClick={start} disabled={busy} aria-busy={busy}>
            <span class="sample-icon"><Icon name="book" size={22} /></span>
            <span><b>{t("Try the sample handbook")}</b><br /><span class="dim">{t("The staff handbook of a company that does not exist: leave, travel, expenses, security.")}</span></span>
            <Icon name="right" />
          </button>
        </div>
      </div>
    </DropArea>
  );
}
