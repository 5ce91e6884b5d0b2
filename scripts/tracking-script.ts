/**
 * Owns: building the script tag (src/tracking/script.ts) into the module that serves it, and the figures of the build.
 * Not: what the script does; how it is served (convex/model/script.ts).
 *
 *   node scripts/tracking-script.ts [--json]
 *
 * prints what it weighs, and its integrity values; exits non-zero when the core is over its budget. `npm run codegen`
 * writes the module, and `npm run check` compares it (generated.ts).
 */
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { format, resolveConfig } from "prettier";
import { minify } from "terser";
import { report, type Row } from "../bench/report.ts";
import { ROOT } from "./checkout.ts";

const SCRIPT_SOURCE = "src/tracking/script.ts";

/** Where the built texts lie: in convex/, so that they are there wherever the functions are. */
export const SCRIPT_MODULE = "convex/model/scriptTexts.ts";

/** Bytes of the core, gzipped: what every page of a site loads at least. */
export const MAX_CORE_BYTES = 1_000;

/** Which parts of the script a build has. */
export const BUILDS = {
  /** A tab that knows of no other, and a network that is there. */
  core: { WITH_TABS: "false", WITH_OFFLINE: "false" },
  whole: { WITH_TABS: "true", WITH_OFFLINE: "true" },
} as const;

export type ScriptBuild = keyof typeof BUILDS;

/**
 * Properties of our own objects, which are given short names. None of them is one of a browser's objects, nor of a
 * message: those keep theirs.
 */
const OUR_PROPERTIES =
  /^(look|leave|currentPath|isVisible|describe|hasOptedOut|say|waitMs|read|write|add|flush|storage)$/;

/** The text of one build, one line. */
export async function buildScript(name: ScriptBuild, root = ROOT): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, SCRIPT_SOURCE)],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    define: BUILDS[name],
    mangleProps: OUR_PROPERTIES,
    // The checkout's own would add "use strict", which modules are anyway.
    tsconfigRaw: "{}",
    write: false,
  });
  const { code = "" } = await minify(outputFiles[0]?.text ?? "", {
    ecma: 2020,
    toplevel: true,
    compress: {
      passes: 3,
      hoist_funs: true,
      unsafe: true,
      unsafe_arrows: true,
      unsafe_methods: true,
      booleans_as_integers: true,
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

/** What the builds weigh; only the core has a budget. */
export function sizeRows({ core, whole }: Record<ScriptBuild, string>): Row[] {
  const unit = "bytes gzipped";
  return [
    { name: "script, core", value: gzippedBytes(core), unit, target: MAX_CORE_BYTES },
    { name: "script, whole", value: gzippedBytes(whole), unit, target: null },
  ];
}

/** The source of SCRIPT_MODULE. */
export async function scriptModule(root = ROOT): Promise<string> {
  const entries = await Promise.all(
    (Object.keys(BUILDS) as ScriptBuild[]).map(async (name) => {
      const text = await buildScript(name, root);
      const fields = { text, integrity: integrityOf(text) };
      return `${name}: ${JSON.stringify(fields)}`;
    }),
  );
  const header = `/** Owns: the built script tag. Made of ${SCRIPT_SOURCE} by npm run codegen; not to be edited. */`;
  const source = `${header} export const SCRIPT_TEXTS = {${entries.join(",")}} as const;`;
  const path = join(root, SCRIPT_MODULE);
  return await format(source, { ...(await resolveConfig(path)), filepath: path });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
  const texts = { core: await buildScript("core"), whole: await buildScript("whole") };
  for (const [name, text] of Object.entries(texts))
    if (!values.json) console.log(`${name}: ${integrityOf(text)}`);
  process.exitCode = report(sizeRows(texts), values.json);
}
