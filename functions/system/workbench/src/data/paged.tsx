// A list of something that is named by the person, read page by page.
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { t } from "../i18n";
import type { Page } from "./sheet";

const settles = 250; // milliseconds after the last letter of the name

/** usePaged reads the list at a path that belongs to an owner, and again when that is another. */
export function usePaged<T>(path: string, field: string, owner: string) {
  const [list, setList] = useState<T[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [failed, setFailed] = useState("");
  const tell = (e: unknown) => setFailed((e as Error).message);
  const load = async (page?: string) => {
    const r = await get<Page<T>>(path, { [field]: owner, limit: 100, page });
    setList((before) => (page ? [...(before ?? []), ...r.data] : r.data));
    setNext(r.has_more ? (r.next_page ?? null) : null);
    setFailed("");
  };
  useEffect(() => {
    setList(null);
    if (!owner.trim()) return;
    const timer = setTimeout(() => load().catch(tell), settles);
    return () => clearTimeout(timer);
  }, [owner]);
  const more = next && (
    <button class="quiet" onClick={() => load(next).catch(tell)}>
      {t("Show more")}
    </button>
  );
  return { list, failed, setFailed, tell, load, more };
}
