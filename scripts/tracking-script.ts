/**
 * Owns: building the script tag (src/tracking/script.ts) into the module that serves it, and the figures of the build.
 * Not: what the script does; how it is served (convex/model/script.ts).
 *
 *   node scripts/tracking-script.ts [--json] [--parts "outbound vitals"]
 *
 * prints what it weighs, and its integrity values, also of the combination of parts that is asked for; exits non-zero
 * when the core is over its budget. `npm run codegen` writes the module, and `npm run check` compares it (generated.ts).
 */
import { build, type BuildOptions } from "esbuild";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { format, resolveConfig } from "prettier";
import { minify } from "terser";
import { report, type Row } from "../bench/report.ts";
import { SCRIPT_PARTS, textOf, type ScriptPart, type ScriptTexts } from "../domain/script-parts.ts";
import { ROOT } from "./checkout.ts";

const SCRIPT_SOURCE = "src/tracking/script.ts";
const PARTS_FOLDER = "src/tracking/parts";

/** Where the built texts lie: in convex/, so that they are there wherever the functions are. */
export const SCRIPT_MODULE = "convex/model/scriptTexts.ts";

/** Bytes of the core, gzipped: what every page of a site loads at least. */
export const MAX_CORE_BYTES = 1_000;

/** What a build has. */
export const BUILDS = {
  /** A tab that knows of no other, and a network that is there. */
  core: flags(false, false, false),
  whole: flags(true, true, false),
  /** The whole with the place for parts: `PARTS` stands where they are called. */
  open: flags(true, true, true),
} as const;

export type ScriptBuild = keyof typeof BUILDS;

function flags(withTabsAndQueue: boolean, withEvents: boolean, withParts: boolean) {
  return {
    WITH_TABS: `${withTabsAndQueue}`,
    WITH_OFFLINE: `${withTabsAndQueue}`,
    WITH_EVENTS: `${withEvents}`,
    WITH_PARTS: `${withParts}`,
  };
}

/** What parts and script call each other by: one short name each, the same in all builds. */
const SEAM = {
  sendEvent: "e",
  sendReport: "r",
  onView: "v",
  currentPath: "p",
  listen: "l",
  reportFields: "f",
  takenClick: "t",
  ownHosts: "o",
  commands: "c",
  inMemory: "m",
  look: "k",
};

/**
 * Properties of our own objects, which are given short names. None of them is one of a browser's objects, nor of a
 * message: those keep theirs.
 */
const SCRIPT_PROPERTIES = named(
  "leave|isVisible|describe|hasOptedOut|say|waitMs|read|write|add|flush|release|storage",
  "pageSeen|newId|send",
);

/** The same for the parts; web-vitals is among them. */
const PART_PROPERTIES = named("note|readMs|restart|begin|seen|say|keysFrom");

function named(...names: string[]): RegExp {
  return new RegExp(`^(${[...Object.keys(SEAM), ...names].join("|")})$`);
}

/** Where each part comes from, and its name there. */
const PART_SOURCES: Record<ScriptPart, readonly [file: string, name: string]> = {
  downloads: ["downloads", "downloads"],
  outbound: ["outbound", "outbound"],
  forms: ["forms", "forms"],
  "404": ["not-found", "notFound"],
  tagged: ["tagged", "tagged"],
  vitals: ["vitals", "vitals"],
  human: ["human", "human"],
  engagement: ["engagement", "engagement"],
  optout: ["opt-out", "optOut"],
};

/** What the licence of others' code in a part asks to be said with it. */
const NOTICES: Partial<Record<ScriptPart, string>> = {
  vitals: "/*! web-vitals, (c) Google LLC, Apache-2.0 */",
};

/** The text of one build, one line. */
export async function buildScript(name: ScriptBuild, root = ROOT): Promise<string> {
  const source = { entryPoints: [join(root, SCRIPT_SOURCE)] };
  return await bundled(
    source,
    { define: BUILDS[name], mangleProps: SCRIPT_PROPERTIES, areBooleansOurs: true },
    root,
  );
}

/** The text of one part: a function of what it may ask of the script. */
export async function buildPart(part: ScriptPart, root = ROOT): Promise<string> {
  const [file, name] = PART_SOURCES[part];
  const contents = `import { ${name} } from "./${file}.ts"; ${name}(CORE);`;
  const source = { stdin: { contents, resolveDir: join(root, PARTS_FOLDER) } };
  const options = { mangleProps: PART_PROPERTIES, areBooleansOurs: false };
  return `(CORE=>{${NOTICES[part] ?? ""}${await bundled(source, options, root)}})`;
}

/** Booleans may become 0 and 1 where none of them is in a message. */
async function bundled(
  source: BuildOptions,
  { areBooleansOurs, ...options }: BuildOptions & { areBooleansOurs: boolean },
  root: string,
): Promise<string> {
  const { outputFiles } = await build({
    ...source,
    ...options,
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    mangleCache: { ...SEAM },
    legalComments: "none",
    // The checkout's own would add "use strict", which modules are anyway.
    tsconfigRaw: "{}",
    write: false,
  });
  const { code = "" } = await minify(outputFiles?.[0]?.text ?? "", {
    ecma: 2020,
    toplevel: true,
    compress: {
      passes: 3,
      hoist_funs: true,
      unsafe: true,
      unsafe_arrows: true,
      unsafe_methods: true,
      booleans_as_integers: areBooleansOurs,
      keep_fargs: false,
      pure_getters: true,
    },
  });
  return code;
}

export function gzippedBytes(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}

/** What `<script integrity>` takes. */
export function integrityOf(text: string): string {
  return `sha384-${createHash("sha384").update(text).digest("base64")}`;
}

/** Everything that is built. */
export async function buildAll(root = ROOT): Promise<ScriptTexts> {
  const [core, whole, open, ...parts] = await Promise.all([
    buildScript("core", root),
    buildScript("whole", root),
    buildScript("open", root),
    ...SCRIPT_PARTS.map((part) => buildPart(part, root)),
  ]);
  const texts = Object.fromEntries(SCRIPT_PARTS.map((part, at) => [part, parts[at] ?? ""]));
  return { core, whole, open, parts: texts as Record<ScriptPart, string> };
}

/** What is served weighs, and what each part adds to the whole by itself; only the core has a budget. */
export function sizeRows(texts: ScriptTexts): Row[] {
  const unit = "bytes gzipped";
  const weightOf = (parts: string) => gzippedBytes(textOf(parts, texts));
  const whole = weightOf("");
  return [
    { name: "script, core", value: weightOf("none"), unit, target: MAX_CORE_BYTES },
    { name: "script, whole", value: whole, unit, target: null },
    ...SCRIPT_PARTS.map((part) => ({
      name: `part ${part}, more`,
      value: weightOf(part) - whole,
      unit,
      target: null,
    })),
    { name: "script, all parts", value: weightOf(SCRIPT_PARTS.join(" ")), unit, target: null },
  ];
}

/** The source of SCRIPT_MODULE. */
export async function scriptModule(root = ROOT): Promise<string> {
  const texts = await buildAll(root);
  const header = `/** Owns: the built script tag. Made of ${SCRIPT_SOURCE} by npm run codegen; not to be edited. */`;
  const source = `${header} export const SCRIPT_TEXTS = ${JSON.stringify(texts)};`;
  const path = join(root, SCRIPT_MODULE);
  return await format(source, { ...(await resolveConfig(path)), filepath: path });
}

/** The text that is served for `parts`, as an address has them, and what a page that pins it says. */
function printIntegrity(parts: string, texts: ScriptTexts): void {
  const query = parts === "" ? "" : `?parts=${parts.trim().replaceAll(/[\s,]+/g, "+")}`;
  console.log(`/s.js${query}: ${integrityOf(textOf(parts, texts))}`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      parts: { type: "string", multiple: true, default: [] },
    },
  });
  const texts = await buildAll();
  for (const parts of values.json ? [] : ["none", "", ...SCRIPT_PARTS, ...values.parts])
    printIntegrity(parts, texts);
  process.exitCode = report(sizeRows(texts), values.json);
}
