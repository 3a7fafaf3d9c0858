// The reference: the true openapi.json in Redoc, which is loaded when it is opened.
import redocAddress from "redoc/bundles/redoc.standalone.js?url";
import { samples, type Operation } from "./samples";
import { key } from "../api";

interface Spec { paths: Record<string, Record<string, Operation>>; tags?: { name: string }[]; "x-tagGroups"?: unknown; info: Record<string, unknown>; components: { schemas: Record<string, Schema> } }
export interface Schema {
  $ref?: string; type?: string | string[]; description?: string; const?: unknown; enum?: unknown[]; default?: unknown; properties?: Record<string, Schema>; required?: string[];
  items?: Schema; anyOf?: Schema[]; oneOf?: Schema[]; title?: string;
}
export type { Spec };

const here = new URL(".", document.baseURI).href;

const tasks: [RegExp, string][] = [
  [/^\/v1\/messages\/async/, "Answers in the background"], [/^\/v1\/(messages|complete)/, "Ask"], [/^\/v1\/(chat|responses)/, "Ask, OpenAI's wires"], [/^\/v1\/artifacts/, "Documents"],
  [/^\/v1\/collections/, "Collections"], [/^\/v1\/primitives/, "Search"], [/^\/v1\/tools/, "Tools"], [/^\/v1\/(models|embeddings)/, "Models"], [/^\/v1\/(files|blobs)/, "Files"],
  [/^\/v1\/skills/, "Skills"], [/^\/mcp/, "MCP"],
];
const order = ["Ask", "Ask, OpenAI's wires", "Answers in the background", "Documents", "Collections", "Search", "Tools", "Models", "Files", "Skills", "MCP", "Operation"];

/** grouped returns the description with its operations grouped by task. */
export function grouped(spec: Spec): Spec {
  const out: Spec = structuredClone(spec);
  const used = new Set<string>();
  for (const [path, methods] of Object.entries(out.paths)) {
    const tag = tasks.find(([r]) => r.test(path))?.[1] ?? "Operation";
    used.add(tag);
    for (const [method, op] of Object.entries(methods)) {
      op.tags = [tag];
      op["x-codeSamples"] = samples(method.toUpperCase(), path, op, spec.components.schemas, here, !!key());
    }
  }
  // Blocks hold blocks, and the viewer would follow every way through them: within a block it is told of blocks in words.
  for (const [name, schema] of Object.entries(out.components.schemas)) {
    if (/Block(Input)?$|Source(Input)?$/.test(name) && !/^ContentBlock(Input)?$/.test(name)) cut(schema);
  }
  const first = (path: string) => (path === "/v1/messages" || path === "/v1/artifacts/ingest" ? 0 : 1);
  out.paths = Object.fromEntries(Object.entries(out.paths).sort(([a], [b]) => first(a) - first(b)));
  out.tags = order.filter((name) => used.has(name)).map((name) => ({ name }));
  return out;
}

function cut(v: unknown) {
  if (typeof v !== "object" || v === null) return;
  const o = v as Record<string, unknown>;
  if (typeof o.$ref === "string" && /\/ContentBlock(Input)?$/.test(o.$ref)) {
    delete o.$ref;
    Object.assign(o, { type: "object", title: "content block", description: "a content block" });
    return;
  }
  for (const one of Object.values(o)) cut(one);
}

type Redoc = { init(spec: unknown, options: unknown, at: HTMLElement, done: (e?: Error) => void): void };

function load(): Promise<Redoc> {
  const known = (window as unknown as { Redoc?: Redoc }).Redoc;
  if (known) return Promise.resolve(known);
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = redocAddress;
    script.onload = () => done((window as unknown as { Redoc: Redoc }).Redoc);
    script.onerror = () => failed(new Error("The viewer could not be loaded."));
    document.head.append(script);
  });
}

export async function show(spec: Spec, at: HTMLElement) {
  const redoc = await load();
  const look = getComputedStyle(document.documentElement);
  const c = (name: string) => look.getPropertyValue(name).trim();
  const dark = document.documentElement.dataset.theme === "dark";
  await new Promise<void>((done, failed) => redoc.init(grouped(spec), {
    disableSearch: true, scrollYOffset: 54, generatedSamplesMaxDepth: 2, hideDownloadButtons: true, nativeScrollbars: true, expandResponses: "200", jsonSamplesExpandLevel: 3, requiredPropsFirst: true, hideHostname: true,
    theme: {
      spacing: { sectionVertical: 24 },
      colors: {
        primary: { main: c("--accent") }, text: { primary: c("--ink"), secondary: c("--dim") }, border: { dark: c("--line-strong"), light: c("--line") },
        success: { main: c("--good") }, error: { main: c("--bad") }, warning: { main: c("--warn") },
        ...(dark ? { gray: { 50: "#181e1c", 100: "#222a28" }, responses: {
          success: { color: c("--good"), backgroundColor: "#16271f" }, error: { color: c("--bad"), backgroundColor: "#2c1b1a" },
          redirect: { color: c("--warn"), backgroundColor: "#2c2413" }, info: { color: "#8fb8e8", backgroundColor: "#16202c" },
        } } : {}),
      },
      typography: { fontSize: "15px", lineHeight: "1.5", fontFamily: c("--sans"), headings: { fontFamily: c("--serif"), fontWeight: "600" }, code: { fontFamily: c("--mono"), fontSize: "13px", color: c("--accent"), backgroundColor: c("--sunken") }, links: { color: c("--accent") } },
      sidebar: { backgroundColor: c("--side"), textColor: c("--ink"), width: "260px" },
      schema: { nestedBackground: c("--sunken"), typeNameColor: c("--dim"), linesColor: c("--line-strong") },
      rightPanel: { backgroundColor: dark ? "#0b0f0e" : "#1d2725", width: "38%" },
    },
  }, at, (e) => (e ? failed(e) : done())));
}
