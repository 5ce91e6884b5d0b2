/** Owns: convex/ bundled for the engine as the official CLI does it, with the test-only functions beside it. Not: pushing. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import type { DefinitionSource, DeployRequest, ModuleSource } from "../../engine/application.ts";
import { bundleComponents, componentImports } from "../../engine/application/test-app.helpers.ts";
import { ROWS_MODULE } from "./rows.helpers.ts";

const FOLDER = fileURLToPath(new URL("../../convex", import.meta.url));
const ROWS_FILE = fileURLToPath(new URL("./rows.helpers.ts", import.meta.url));

/** The CLI skips files with two dots, and bundles these apart. */
const NO_MODULES = new Set(["schema", "convex.config", "auth.config"]);

let bundled: Promise<DeployRequest> | undefined;

/** Bundled once: every runtime of a test file deploys the same. */
export function bundleConvexFolder(): Promise<DeployRequest> {
  bundled ??= bundleAfresh();
  return bundled;
}

async function bundleAfresh(): Promise<DeployRequest> {
  return bundleApp({
    modules: [...convexModules(), { in: ROWS_FILE, out: ROWS_MODULE }],
    schema: fileNamed("schema"),
    config: fileNamed("convex.config"),
  });
}

/** A file, and the path under which it is deployed. */
export type EntryPoint = { in: string; out: string };

/** Every module of convex/. */
export function convexModules(): EntryPoint[] {
  const names = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => /^[^.]+\.ts$/.test(file) && !file.startsWith("_generated"))
    .map((file) => file.replace(/\.ts$/, ""))
    .filter((name) => !NO_MODULES.has(name));
  return names.map(fileNamed);
}

/** An app whose components come from npm; one that is made of other files than those of convex/ alone. */
export async function bundleApp(files: {
  modules: EntryPoint[];
  schema: EntryPoint;
  config: EntryPoint;
}): Promise<DeployRequest> {
  const modules = await bundle(files.modules);
  const [schema = null] = await bundle([files.schema]);
  const components = new Set<string>();
  const [definition = null] = await bundle([files.config], [componentImports(components)]);
  const dependencies = [...components];
  const app: DefinitionSource = {
    definitionPath: "",
    dependencies,
    definition,
    schema,
    modules,
    auth: null,
  };
  return { definitions: [app, ...(await bundleComponents(dependencies))] };
}

/** A file of convex/. */
export function fileNamed(name: string): EntryPoint {
  return { in: join(FOLDER, `${name}.ts`), out: name };
}

async function bundle(entryPoints: EntryPoint[], plugins: Plugin[] = []): Promise<ModuleSource[]> {
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    write: false,
    splitting: entryPoints.length > 1,
    format: "esm",
    platform: "browser",
    target: "esnext",
    conditions: ["convex", "module"],
    outdir: "/out",
    chunkNames: "_deps/[hash]",
    logLevel: "silent",
    plugins,
  });
  return outputFiles.map((file) => ({
    path: relative("/out", file.path),
    source: file.text,
    sourceMap: null,
  }));
}
