// Ways to bring documents in: dropping, choosing files and folders, pasting text or an address.
import { useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { addAddress, addFiles, addText, dropped, picked } from "./queue";
import { standard } from "../state";
import { t } from "../i18n";
import { Icon } from "../icons";

interface Props { collection: string; onAdded?: () => void; compact?: boolean; children?: ComponentChildren }

export function Chooser({ collection, onAdded, compact }: Props) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [paste, setPaste] = useState(false);
  const take = (e: Event) => {
    const input = e.currentTarget as HTMLInputElement;
    if (input.files?.length) { addFiles(collection || standard, picked(input.files)); onAdded?.(); }
    input.value = "";
  };
  return (
    <>
      <div class="chooser">
        <button type="button" class={compact ? "button" : "primary"} onClick={() => files.current?.click()}><Icon name="upload" />{t("Choose files")}</button>
        <button type="button" class="button" onClick={() => folder.current?.click()}><Icon name="folder" />{t("Folder")}</button>
        <button type="button" class="button" onClick={() => setPaste(true)}><Icon name="paste" />{t("Text or address")}</button>
        <input ref={files} class="files" type="file" multiple hidden onChange={take} aria-label={t("Choose files")} />
        <input ref={folder} type="file" hidden onChange={take} aria-label={t("Folder")} {...{ webkitdirectory: true }} />
      </div>
      {paste && <Paste collection={collection || standard} done={(added) => { setPaste(false); if (added) onAdded?.(); }} />}
    </>
  );
}

function Paste({ collection, done }: { collection: string; done: (added: boolean) => void }) {
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const box = useRef<HTMLDialogElement>(null);
  const address = /^https?:\/\/\S+$/.test(text.trim());
  const add = (e: Event) => {
    e.preventDefault();
    if (!text.trim()) return;
    if (address) addAddress(collection, text.trim());
    else addText(collection, name.trim() || text.trim().split("\n")[0].replace(/^#+\s*/, "").slice(0, 60), text);
    done(true);
  };
  return (
    <dialog ref={(d: HTMLDialogElement | null) => { if (d && !box.current) { box.current = d; d.showModal(); } }} onClose={() => done(false)} aria-label={t("Add text or an address")}>
      <form onSubmit={add}>
        <h2>{t("Add text or an address")}</h2>
        <textarea rows={9} value={text} autofocus aria-label={t("Text, Markdown, or one address")} placeholder={t("Text, Markdown, or one address")} onInput={(e) => setText(e.currentTarget.value)} />
        {!address && <label class="field"><span>{t("Name")}</span><input value={name} onInput={(e) => setName(e.currentTarget.value)} placeholder={t("the first line")} /></label>}
        <div class="dialog-acts">
          <button type="button" class="button" onClick={() => done(false)}>{t("Cancel")}</button>
          <button type="submit" class="primary" disabled={!text.trim()}>{address ? t("Read the page") : t("Add")}</button>
        </div>
      </form>
    </dialog>
  );
}

/** DropArea takes files that are dropped anywhere on what it holds. */
export function DropArea({ collection, onAdded, children }: Props) {
  const [over, setOver] = useState(0);
  const has = (e: DragEvent) => e.dataTransfer?.types.includes("Files");
  return (
    <div class={`drop-area${over > 0 ? " over" : ""}`}
      onDragEnter={(e) => { if (has(e)) { e.preventDefault(); setOver((k) => k + 1); } }}
      onDragOver={(e) => { if (has(e)) e.preventDefault(); }}
      onDragLeave={(e) => { if (has(e)) setOver((k) => k - 1); }}
      onDrop={(e) => {
        if (!has(e)) return;
        e.preventDefault();
        setOver(0);
        void dropped(e.dataTransfer!).then((list) => { if (list.length) { addFiles(collection || standard, list); onAdded?.(); } });
      }}>
      {children}
    </div>
  );
}
