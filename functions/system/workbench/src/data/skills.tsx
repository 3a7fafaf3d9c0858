// Skills: bundles with a SKILL.md that chats may use, with their versions.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, remove, send } from "../api";
import { picked } from "../library/queue";
import { notify } from "../state";
import { t, when } from "../i18n";
import { Icon } from "../icons";
import { save } from "./files";
import { usePaged } from "./paged";
import { Failed, Sheet, type Page } from "./sheet";

interface Skill {
  id: string;
  display_title: string;
  latest_version: string | null;
  created_at: string;
  updated_at: string;
  loading: "lazy" | "eager";
  readonly: boolean;
}
interface Version {
  id: string;
  version: string;
  name: string;
  description: string;
  created_at: string;
}

const path = (...parts: string[]) => ["v1/skills", ...parts.map(encodeURIComponent)].join("/");

export function Skills() {
  const [collection, setCollection] = useState("default");
  const { list, failed, tell, load, more } = usePaged<Skill>("v1/skills", "collection", collection);
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState("");
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const into = useRef(""); // the skill of which the files are a new version
  const take = async (e: Event) => {
    const input = e.currentTarget as HTMLInputElement;
    const form = new FormData();
    for (const { file, path } of picked(input.files!)) form.append("files", file, path);
    input.value = "";
    if (!form.has("files")) return;
    form.set("collection", collection);
    setBusy(true);
    try {
      await send(into.current ? path(into.current, "versions") : "v1/skills", { method: "POST", body: form });
      setOpen("");
      await load();
    } catch (e) {
      tell(e);
    }
    setBusy(false);
  };
  const add = (input: { current: HTMLInputElement | null }, skill = "") => {
    into.current = skill;
    input.current?.click();
  };
  const drop = async (what: string, name: string) => {
    try {
      await remove(`${what}?${new URLSearchParams({ collection })}`);
      notify(t("{name} was deleted.", { name }));
      setOpen("");
      await load();
    } catch (e) {
      tell(e);
    }
  };
  return (
    <section>
      <p class="dim">
        {t("A skill is a folder or a zip archive with a SKILL.md. Chats whose skills tool names the collection load it when they need it.")}
      </p>
      <div class="section-line">
        <label class="inline-field">
          <span>{t("Collection")}</span>
          <input value={collection} maxLength={255} onInput={(e) => setCollection(e.currentTarget.value)} />
        </label>
        <span class="button-row">
          <button class="button" disabled={!collection.trim() || busy} aria-busy={busy} onClick={() => add(files)}>
            <Icon name="upload" size={14} />
            {t("Add a skill")}
          </button>
          <button class="button" disabled={!collection.trim() || busy} onClick={() => add(folder)}>
            <Icon name="folder" size={14} />
            {t("Folder")}
          </button>
        </span>
        <input ref={files} class="skill-files" type="file" multiple hidden aria-label={t("Add a skill")} onChange={take} />
        <input ref={folder} type="file" hidden aria-label={t("Folder")} onChange={take} {...{ webkitdirectory: true }} />
      </div>
      <Failed text={failed} />
      {list && (
        <Sheet name="Skills" class="skills" empty="This collection has no skills." head={[["Name"], ["Loaded"], ["Changed"], [""]]}>
          {list.map((s) => (
            <tr key={s.id}>
              <td>
                <b>{s.display_title}</b>
                <br />
                <button class="quiet versions-button" aria-expanded={open === s.id} onClick={() => setOpen(open === s.id ? "" : s.id)}>
                  {t("Versions")}
                </button>
                {open === s.id && <Versions skill={s} collection={collection} drop={drop} tell={tell} />}
              </td>
              <td>{s.loading === "eager" ? t("always") : t("when needed")}</td>
              <td class="tight">{when(s.updated_at)}</td>
              <td class="tight row-acts">
                {!s.readonly && (
                  <button
                    class="icon-button"
                    title={t("New version")}
                    aria-label={t("New version of {name}", { name: s.display_title })}
                    onClick={() => add(files, s.id)}
                  >
                    <Icon name="upload" size={15} />
                  </button>
                )}
                <button
                  class="icon-button"
                  title={t("Delete")}
                  aria-label={t("Delete {name}", { name: s.display_title })}
                  onClick={() => void drop(path(s.id), s.display_title)}
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

interface VersionsProps {
  skill: Skill;
  collection: string;
  drop: (path: string, name: string) => Promise<void>;
  tell: (e: unknown) => void;
}

function Versions({ skill, collection, drop, tell }: VersionsProps) {
  const [list, setList] = useState<Version[]>([]);
  useEffect(() => {
    get<Page<Version>>(path(skill.id, "versions"), { collection, limit: 100 }).then((r) => setList(r.data), tell);
  }, [skill.updated_at]);
  return (
    <ul class="versions">
      {list.map((v) => (
        <li key={v.id}>
          <span>
            <code>{v.name}</code> {v.description}
            <br />
            <span class="dim">
              {when(v.created_at)}
              {v.version === skill.latest_version ? ` · ${t("in use")}` : ""}
            </span>
          </span>
          <button
            class="icon-button"
            title={t("Download")}
            aria-label={t("Download {name}", { name: `${v.name} ${v.version}` })}
            onClick={() =>
              save(`${path(skill.id, "versions", v.version, "content")}?${new URLSearchParams({ collection })}`, `${v.name}.zip`).catch(
                tell,
              )
            }
          >
            <Icon name="download" size={15} />
          </button>
          {list.length > 1 && (
            <button
              class="icon-button"
              title={t("Delete")}
              aria-label={t("Delete {name}", { name: `${v.name} ${v.version}` })}
              onClick={() => void drop(path(skill.id, "versions", v.version), `${v.name} ${v.version}`)}
            >
              <Icon name="trash" size={15} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
