/**
 * Owns: bundling small apps, given as text, the way the official CLI pushes them, with real components from npm.
 * Not: the CLI itself; tests of push/ use that.
 */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { BuildOptions, Plugin } from "esbuild";
import type { DefinitionSource, DeployRequest, ModuleSource } from "../application.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const COMMON: BuildOptions = {
  bundle: true,
  write: false,
  format: "esm",
  platform: "browser",
  target: "esnext",
  conditions: ["convex", "module"],
  outdir: "/out",
  sourcemap: "external",
  logLevel: "silent",
};

/** File name below convex/ → source text. "convex.config.ts", "schema.ts", "http.ts" and so on as in a real app. */
export type AppFiles = Readonly<Record<string, string>>;

export function bundleApp(files: AppFiles): Promise<DeployRequest> {
  const bundled = BUNDLED.get(files) ?? bundleAfresh(files);
  BUNDLED.set(files, bundled);
  return bundled;
}

/** Tests push the same few apps again and again. */
const BUNDLED = new WeakMap<AppFiles, Promise<DeployRequest>>();

async function bundleAfresh(files: AppFiles): Promise<DeployRequest> {
  const isModule = (name: string): boolean =>
    !["schema.ts", "convex.config.ts", "auth.config.ts"].includes(name);
  const appFiles = inlineFiles(files);
  const dependencies = new Set<string>();
  const one = async (name: string): Promise<ModuleSource | null> =>
    name in files ? ((await bundle([name], [appFiles]))[0] ?? null) : null;
  const app: DefinitionSource = {
    definitionPath: "",
    definition:
      "convex.config.ts" in files
        ? ((await bundle(["convex.config.ts"], [componentImports(dependencies), appFiles]))[0] ??
          null)
        : null,
    schema: await one("schema.ts"),
    auth: await one("auth.config.ts"),
    modules: await bundle(Object.keys(files).filter(isModule), [appFiles], true),
    dependencies: [...dependencies],
  };
  return { definitions: [app, ...(await bundleComponents([...dependencies]))] };
}

/** Components from npm and those that they use, by their folders. */
export async function bundleComponents(
  paths: readonly string[],
  known = new Set<string>(),
): Promise<DefinitionSource[]> {
  const sources: DefinitionSource[] = [];
  for (const path of paths) {
    if (known.has(path)) continue;
    known.add(path);
    const folder = join(ROOT, path);
    const dependencies = new Set<string>();
    const names = readdirSync(folder).filter((name) => /^[^.]+\.js$/.test(name));
    const isModule = (name: string): boolean => name !== "schema.js";
    const config = await bundle(
      [join(folder, "convex.config.js")],
      [componentImports(dependencies)],
    );
    const schema = names.includes("schema.js") ? await bundle([join(folder, "schema.js")], []) : [];
    const modules = names.filter(isModule).map((name) => join(folder, name));
    sources.push({
      definitionPath: path,
      definition: config[0] ?? null,
      schema: schema[0] ?? null,
      auth: null,
      modules: await bundle(modules, [], true),
      dependencies: [...dependencies],
    });
    sources.push(...(await bundleComponents([...dependencies], known)));
  }
  return sources;
}

async function bundle(
  entryPoints: string[],
  plugins: Plugin[],
  splitting = false,
): Promise<ModuleSource[]> {
  if (entryPoints.length === 0) return [];
  const { outputFiles = [] } = await build({
    ...COMMON,
    entryPoints: entryPoints.map((path) => ({
      in: path,
      out: path.startsWith("/")
        ? (path.split("/").at(-1) ?? "").replace(/\.js$/, "")
        : path.replace(/\.ts$/, ""),
    })),
    splitting,
    chunkNames: "_deps/[hash]",
    plugins,
  });
  return outputFiles
    .filter((file) => file.path.endsWith(".js"))
    .map((file) => ({
      path: file.path.slice("/out/".length),
      source: file.text,
      sourceMap: outputFiles.find((map) => map.path === `${file.path}.map`)?.text ?? null,
    }));
}

function inlineFiles(files: AppFiles): Plugin {
  return {
    name: "inline-files",
    setup(plugin) {
      plugin.onResolve({ filter: /^[^/].*/ }, ({ path, kind, namespace, importer }) => {
        if (kind === "entry-point") return { path: `convex/${path}`, namespace: "inline" };
        if (namespace !== "inline" || !path.startsWith(".")) return null;
        const file = join(dirname(importer), path).replace(/(\.ts|\.js)?$/, ".ts");
        return { path: file, namespace: "inline" };
      });
      plugin.onLoad({ filter: /.*/, namespace: "inline" }, ({ path }) => ({
        contents: files[path.slice("convex/".length)] ?? "",
        loader: "ts",
        resolveDir: ROOT,
      }));
    },
  };
}

/** The import of a component's convex.config becomes a reference to its definition, as the CLI writes it. */
export function componentImports(found: Set<string>): Plugin {
  return {
    name: "component-imports",
    setup(plugin) {
      plugin.onResolve({ filter: /\/convex\.config(\.js)?$/ }, ({ path, kind, importer }) => {
        if (kind === "entry-point") return null;
        // A component may have brought the components that it uses in versions of their own.
        const { resolve } = createRequire(isAbsolute(importer) ? importer : import.meta.url);
        const file = resolve(path.endsWith(".js") ? path : `${path}.js`);
        const definitionPath = relative(ROOT, dirname(file));
        found.add(definitionPath);
        const encoded = Buffer.from(definitionPath).toString("base64url");
        return { path: `./_componentDeps/${encoded}`, external: true };
      });
    },
  };
}
