// Tables of what the service lists.
import type { ComponentChildren } from "preact";
import { t, type Text } from "../i18n";
import { Icon } from "../icons";

export interface Page<T> {
  data: T[];
  has_more: boolean;
  next_page?: string | null;
  last_id?: string | null;
}

/** Failed says what went wrong, if anything did. */
export const Failed = ({ text }: { text: string }) =>
  text ? (
    <p class="bad-line" role="alert">
      <Icon name="warn" size={14} />
      {text}
    </p>
  ) : null;

interface SheetProps {
  name: Text;
  head: [Text | "", boolean?][];
  empty?: Text;
  class?: string;
  children: ComponentChildren[];
}

/** Sheet is a table in a box that scrolls. */
export function Sheet({ name, head, empty, class: kind = "", children }: SheetProps) {
  if (!children.length && empty) return <p class="dim">{t(empty)}</p>;
  return (
    <div class="sheet-box" tabIndex={0} role="region" aria-label={t(name)}>
      <table class={`sheet ${kind}`}>
        <thead>
          <tr>
            {head.map(([text, num], i) => (
              <th scope="col" key={i} class={num ? "num" : undefined}>
                {text ? t(text) : <span class="hidden">{t("Actions")}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
