// Texts are written in English where they stand; German is a table from these, loaded
// only when it is chosen. A text without a German one is a compile error.
import { signal } from "@preact/signals";
import type { German } from "./de";

export type Language = "en" | "de";
export type Text = keyof German;

function preferred(): Language {
  const kept = localStorage.getItem("lectern.language");
  return kept === "en" || kept === "de" ? kept : navigator.language.startsWith("de") ? "de" : "en";
}

export const language = signal<Language>("en");
let table: Partial<Record<string, string>> = {};

export async function speak(to: Language = preferred()) {
  table = to === "de" ? (await import("./de")).german : {};
  document.documentElement.lang = to;
  language.value = to;
}

export function chooseLanguage(to: Language) {
  localStorage.setItem("lectern.language", to);
  void speak(to);
}

/** t returns a text in the language of the page; {name} is replaced by a value. */
export function t(text: Text, values?: Record<string, string | number>): string {
  void language.value; // whoever shows a text is drawn again when the language changes
  const out = table[text] ?? text;
  return values ? out.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all)) : out;
}

/** locale is the reader's own, where it is one of the language of the page. */
export function locale(): string {
  return navigator.languages.find((one) => one.startsWith(language.value)) ?? language.value;
}

/** n writes a number as the language does. */
export function n(value: number, digits = 0): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value);
}

export function bytes(size: number): string {
  if (size < 1000) return `${n(size)} B`;
  if (size < 1_000_000) return `${n(size / 1000, size < 10_000 ? 1 : 0)} kB`;
  return `${n(size / 1_000_000, 1)} MB`;
}

export function when(iso: string | number): string {
  const d = new Date(iso);
  if (isNaN(d.getTime())) return "";
  const today = new Date().toDateString() === d.toDateString();
  return new Intl.DateTimeFormat(locale(), today ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short", year: "numeric" }).format(d);
}

/** duration writes seconds as people say them: 8 s, 2 min, 1 h 5 min. */
export function duration(seconds: number): string {
  if (seconds < 0.95) return `${n(seconds * 1000)} ms`;
  if (seconds < 10) return `${n(seconds, 1)} s`;
  if (seconds < 90) return `${n(seconds)} s`;
  if (seconds < 5400) return `${n(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${n((seconds % 3600) / 60)} min`;
}
