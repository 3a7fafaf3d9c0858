// Files of a session, which a chat names as its container: list, upload, download, delete.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, patiently, remove, send } from "../api";
import { dropped, large, sendLarge } from "../library/queue";
import { download, notify } from "../state";
import { bytes, t, when } from "../i18n";
import { Icon } from "../icons";
import { usePaged } from "./paged";
import { Failed, Sheet } from "./sheet";

interface Stored {
  id: string;
  created_at: string;
  expires_at?: string;
  mime_type: string;
  size_bytes: number;
}

const keptName = "lectern.session";

/** at is the path of a file; ids are relative paths. */
const at = (id: string, what: string, query: Record<string, string>) =>
  `v1/files/${id.split("/").map(encodeURIComponent).join("/")}${what}?${new URLSearchParams(query)}`;

/** save downloads what needs a key, which a link cannot carry. */
export async function save(path: string, name: string) {
  const res = await send(path);
  download(name, await res.blob(), res.headers.get("Content-Type") ?? "");
}

export function Files() {
  const [session, setSession] = useState(() => sessionStorage.getItem(keptName) ?? "default");
  const { list, failed, setFailed, tell, load, more } = usePaged<Stored>("v1/files", "scope_id", session);
  const [busy, setBusy] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => sessionStorage.setItem(keptName, session), [session]);
  const upload = async (files: { file: File; path: string }[]) => {
    setFailed("");
    for (const { file, path } of files) {
      setBusy(path);
      try {
        if (file.size > large) {
          const up = await patiently(() => sendLarge(file, { scope_id: session, path: `uploads/${path}` }));
          await patiently(() => arrived(up.file_id));
        } else {
          const form = new FormData();
          form.set("scope_id", session);
          form.set("path", `uploads/${path}`);
          form.set("file", file);
          await patiently(() => send("v1/files", { method: "POST", body: form }));
        }
      } catch (e) {
        tell(e);
      }
    }
    setBusy("");
    await load().catch(tell);
  };
  // A store of its own tells the service of what it took some moments later.
  const arrived = async (id: string) => {
    for (let wait = 100; wait < 5000; wait *= 2) {
      if (
        await get(at(id, "", { scope_id: session })).then(
          () => true,
          () => false,
        )
      )
        return;
      await new Promise((go) => setTimeout(go, wait));
    }
  };
  const drop = async (f: Stored) => {
    try {
      await remove(at(f.id, "", { scope_id: session }));
      notify(t("{name} was deleted.", { name: f.id }));
      await load();
    } catch (e) {
      tell(e);
    }
  };
  return (
    <section
      onDragOver={(e) => e.preventDefault()}
      onDrop={(e) => {
        e.preventDefault();
        void dropped(e.dataTransfer!).then(upload);
      }}
    >
      <p class="dim">{t("What a chat that names the session as its container can read, and what it has written there.")}</p>
      <div class="section-line">
        <label class="inline-field">
          <span>{t("Session")}</span>
          <input value={session} maxLength={255} onInput={(e) => setSession(e.currentTarget.value)} />
        </label>
        <button class="button" disabled={!session.trim() || !!busy} aria-busy={!!busy} onClick={() => input.current?.click()}>
          <Icon name="upload" size={14} />
          {t("Upload files")}
        </button>
        <input
          ref={input}
          class="session-files"
          type="file"
          multiple
          hidden
          aria-label={t("Upload files")}
          onChange={(e) => {
            const all = [...(e.currentTarget.files ?? [])].map((file) => ({ file, path: file.name }));
            e.currentTarget.value = "";
            void upload(all);
          }}
        />
      </div>
      <p class="dim" role="status">
        {busy ? t("Sending {name} …", { name: busy }) : ""}
      </p>
      <Failed text={failed} />
      {list && (
        <Sheet name="Files" class="files" empty="This session has no files." head={[["Name"], ["Kind"], ["Size", true], ["Added"], [""]]}>
          {list.map((f) => (
            <tr key={f.id}>
              <td class="path">{f.id}</td>
              <td class="dim">{f.mime_type.split(";")[0]}</td>
              <td class="num tight">{bytes(f.size_bytes)}</td>
              <td class="tight" title={f.expires_at && t("until {day}", { day: when(f.expires_at) })}>
                {when(f.created_at)}
              </td>
              <td class="tight row-acts">
                <button
                  class="icon-button"
                  title={t("Download")}
                  aria-label={t("Download {name}", { name: f.id })}
                  onClick={() => save(at(f.id, "/content", { scope_id: session }), f.id.split("/").at(-1)!).catch(tell)}
                >
                  <Icon name="download" size={15} />
                </button>
                <button
                  class="icon-button"
                  title={t("Delete")}
                  aria-label={t("Delete {name}", { name: f.id })}
                  onClick={() => void drop(f)}
                >
                  <Icon name="trash" size={15} />
                </button>
              </td>
            </tr>
          ))}
        </Sheet>
      )}
      {more}
    </section>
  );
}
