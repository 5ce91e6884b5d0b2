/**
 * Owns: a query that is not pushed but sent to be run once: `npx convex run --inline-query`.
 * Not: running it (calls.ts).
 */
import { build } from "esbuild";
import { DeployError, FunctionError } from "../errors.ts";
import { bundleModules } from "../functions/bundle.ts";
import type { ComponentInstance } from "../functions/component-instance.ts";
import { registerFunction } from "../functions/registered-function.ts";
import type { RegisteredFunction } from "../functions/registered-function.ts";

const MODULE = "testQuery";
const WRAPPERS = "_deps/wrappers.js";
/** What the CLI writes for the functions that make a query. */
const WRAPPERS_ON_CONVEX = /convex:\/_system\/repl\/wrappers\.js/g;
const WRAPPERS_SOURCE =
  'export { queryGeneric as query, internalQueryGeneric as internalQuery } from "convex/server";';

/** Evaluated with what functions of the instance see, and read-only as any query. Throws a FunctionError. */
export async function compileInlineQuery(
  instance: ComponentInstance,
  source: string,
): Promise<RegisteredFunction> {
  try {
    return await compile(instance, source);
  } catch (error) {
    if (error instanceof DeployError) throw new FunctionError(error.message, { cause: error });
    throw error;
  }
}

async function compile(instance: ComponentInstance, source: string): Promise<RegisteredFunction> {
  const modules = [
    {
      path: `${MODULE}.js`,
      source: source.replaceAll(WRAPPERS_ON_CONVEX, `./${WRAPPERS}`),
      sourceMap: null,
    },
    { path: WRAPPERS, source: await wrappersSource(), sourceMap: null },
  ];
  const exported = await instance.evaluateBeside((globalNames) =>
    bundleModules("inline query", modules, globalNames),
  );
  const path = `${MODULE}:default`;
  const value = exported.get(MODULE)?.()["default"];
  const registered = registerFunction(instance, path, value, instance.tableOf);
  if (registered?.kind === "query") return registered;
  throw new FunctionError(
    "An inline query must be a query, or a module with one as its default export.",
  );
}

let wrappers: Promise<string> | null = null;

function wrappersSource(): Promise<string> {
  wrappers ??= bundleWrappers();
  return wrappers;
}

async function bundleWrappers(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: WRAPPERS_SOURCE, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "esnext",
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}
