// A button that opens a small panel below it, closed by Escape and by a click elsewhere.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";

interface Props { label: ComponentChildren; title?: string; class?: string; align?: "left" | "right"; up?: boolean; children: (close: () => void) => ComponentChildren }

export function Menu({ label, title, class: kind, align = "left", up, children }: Props) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (e: Event) => { if (!box.current?.contains(e.target as Node)) setOpen(false); };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [open]);
  const close = () => { setOpen(false); button.current?.focus(); };
  return (
    <div class="menu" ref={box} onKeyDown={(e) => {
      if (e.key === "Escape" && open) { e.stopPropagation(); close(); }
      if (open && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
        const all = [...box.current!.querySelectorAll<HTMLElement>(".menu-panel button, .menu-panel input, .menu-panel a")];
        const at = all.indexOf(document.activeElement as HTMLElement);
        all[(at + (e.key === "ArrowDown" ? 1 : -1) + all.length) % all.length]?.focus();
        e.preventDefault();
      }
    }}>
      <button ref={button} type="button" class={kind ?? "chip"} title={title} aria-label={kind === "icon-button" ? title : undefined} aria-expanded={open} aria-haspopup="true" onClick={() => setOpen(!open)}>{label}</button>
      {open && <div class={`menu-panel ${align}${up ? " up" : ""}`}>{children(close)}</div>}
    </div>
  );
}
