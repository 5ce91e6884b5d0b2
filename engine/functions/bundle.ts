/**
 * Owns: turning the pushed ES modules of one definition into one compiled function that takes its globals as
 * parameters, so that user code needs no realm of its own and no `globalThis.Convex`.
 * Not: what the globals are (runtime-globals.ts), what the modules export (component-instance.ts).
 *
 * Compiled once per definition; `evaluate` runs it afresh for each component instance.
 */
import { posix } from "node:path";
import { compileFunction } from "node:vm";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import type { ModuleSource } from "../application.ts";
import { DeployError } from "../errors.ts";
import { StackMapper } from "./stack-mapper.ts";

/** What a module exports; evaluated at the first call. */
export type ModuleLoader = () => Readonly<Record<string, unknown>>;
export type LoadedModules = ReadonlyMap<string, ModuleLoader>;

export type Bundle = {
  /** Without ".js", without the chunks that modules share. */
  readonly modulePaths: readonly string[];
  readonly stacks: StackMapper;
  readonly evaluate: (
    globals: Readonly<Record<string, unknown>>,
    importDefinition?: (definitionPath: string) => unknown,
  ) => LoadedModules;
};

const NAMESPACE = "pushed";
const ENTRY = "/<entry>";
const SHARED_CHUNKS = "_deps/";
/** The CLI writes the import of another component's definition as this folder and the base64url of its path. */
const DEFINITIONS = /^\/?_componentDeps\//;

export async function bundleModules(
  name: string,
  modules: readonly ModuleSource[],
  globalNames: readonly string[],
): Promise<Bundle> {
  const sources = new Map(modules.map((module) => [`/${module.path}`, module]));
  const modulePaths = modules
    .map((module) => module.path)
    .filter((path) => !path.startsWith(SHARED_CHUNKS))
    .map((path) => path.replace(/\.js$/, ""));
  const { code, map } = await compileToCommonJs(name, sources, modulePaths);
  const filename = `convex-bundle-${name === "" ? "app" : name}.js`;
  const run = compile(code, filename, globalNames);
  return {
    modulePaths,
    stacks: new StackMapper(filename, map),
    evaluate: (globals, importDefinition = refuseDefinition) =>
      run(globals, (id) => importDefinition(id)),
  };
}

async function compileToCommonJs(
  name: string,
  sources: ReadonlyMap<string, ModuleSource>,
  modulePaths: readonly string[],
): Promise<{ code: string; map: string }> {
  const loaders = modulePaths.map(
    (path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${path}.js`)}),`,
  );
  try {
    const { outputFiles } = await build({
      entryPoints: [ENTRY],
      bundle: true,
      write: false,
      format: "cjs",
      platform: "neutral",
      target: "esnext",
      outfile: "/bundle.js",
      sourcemap: "external",
      sourcesContent: false,
      logLevel: "silent",
      banner: { js: '"use strict";' },
      plugins: [pushedModules(sources, `module.exports = {\n${loaders.join("\n")}\n};`)],
    });
    const text = (suffix: string): string =>
      outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? "";
    return { code: text(".js"), map: text(".map") };
  } catch (error) {
    throw new DeployError(
      "not-loadable",
      `The pushed code of ${name === "" ? "the app" : `component ${name}`} cannot be bundled: ${firstProblem(error)}`,
      error,
    );
  }
}

function pushedModules(sources: ReadonlyMap<string, ModuleSource>, entry: string): Plugin {
  return {
    name: "pushed-modules",
    setup(plugin) {
      plugin.onResolve({ filter: /.*/ }, ({ kind, path, importer }) => {
        if (kind === "entry-point") return { path, namespace: NAMESPACE };
        const target = posix.normalize(posix.join(posix.dirname(importer), path));
        if (DEFINITIONS.test(target)) return { path: definitionPathOf(target), external: true };
        if (path.startsWith(".") && sources.has(target))
          return { path: target, namespace: NAMESPACE };
        return {
          errors: [
            { text: `${importer.slice(1)} imports "${path}", which was not pushed with it.` },
          ],
        };
      });
      plugin.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => {
        const module = sources.get(path);
        return { contents: module === undefined ? entry : withInlineMap(module), loader: "js" };
      });
    },
  };
}

function definitionPathOf(target: string): string {
  return Buffer.from(posix.basename(target), "base64url").toString("utf8");
}

/** esbuild carries the map of its input on into the map of its output. */
function withInlineMap({ source, sourceMap }: ModuleSource): string {
  if (sourceMap === null) return source;
  const encoded = Buffer.from(sourceMap).toString("base64");
  return `${source}\n//# sourceMappingURL=data:application/json;base64,${encoded}`;
}

function firstProblem(error: unknown): string {
  if (typeof error === "object" && error !== null && "errors" in error) {
    const [first] = error.errors as { text: string }[];
    if (first !== undefined) return first.text;
  }
  return String(error);
}

type CompiledBundle = (
  globals: Readonly<Record<string, unknown>>,
  importDefinition: (definitionPath: string) => unknown,
) => LoadedModules;

function compile(code: string, filename: string, globalNames: readonly string[]): CompiledBundle {
  const parameters = ["module", "exports", "require", ...globalNames.filter(isFree)];
  let run: (...args: unknown[]) => unknown;
  try {
    run = compileFunction(code, parameters, { filename }) as typeof run;
  } catch (error) {
    throw new DeployError(
      "not-loadable",
      `The pushed code does not compile: ${String(error)}`,
      error,
    );
  }
  return (globals, importDefinition) => {
    const module: { exports: Record<string, ModuleLoader> } = { exports: {} };
    const values = globalNames.filter(isFree).map((name) => globals[name]);
    run(module, module.exports, importDefinition, ...values);
    return new Map(Object.entries(module.exports));
  };
}

/** The wrapper's own `require` hides Node's anyhow. */
function isFree(name: string): boolean {
  return name !== "require";
}

function refuseDefinition(definitionPath: string): never {
  throw new DeployError(
    "not-loadable",
    `Only convex.config.ts may import a component's definition; got "${definitionPath}".`,
  );
}
