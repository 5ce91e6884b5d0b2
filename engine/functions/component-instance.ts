/**
 * Owns: one component as it is mounted: its evaluated modules, functions, schema and place in the tree.
 * Not: which components there are (deployment.ts), its tables (catalog/).
 */
import type { Catalog } from "../catalog/catalog.ts";
import { Schema } from "../catalog/schema.ts";
import type { SchemaJson } from "../catalog/schema.ts";
import { DeployError } from "../errors.ts";
import type { Bundle, LoadedModules } from "./bundle.ts";
import type { ComponentNode, DefinitionExport } from "./component-tree.ts";
import { runOutside } from "./execution.ts";
import { kindOfExport, registerFunction } from "./registered-function.ts";
import type { RegisteredFunction } from "./registered-function.ts";
import { runtimeGlobals } from "./runtime-globals.ts";
import type { RuntimeOptions } from "./runtime-globals.ts";

export type HttpHandler = { readonly invokeHttpAction: (request: Request) => Promise<Response> };
export type HttpRouter = {
  readonly lookup: (
    path: string,
    method: string,
  ) => readonly [handler: HttpHandler, method: string, path: string] | null;
  readonly getRoutes: () => readonly (readonly [
    path: string,
    method: string,
    handler: HttpHandler,
  ])[];
};

export class ComponentInstance {
  /** "" for the app. */
  readonly componentPath: string;
  readonly definitionPath: string;
  readonly parent: ComponentInstance | null;
  readonly definition: DefinitionExport;
  readonly bundle: Bundle;
  readonly schema: Schema;
  readonly #node: ComponentNode;
  readonly #modules: LoadedModules;
  readonly #catalog: Catalog;
  readonly #functions = new Map<string, RegisteredFunction | undefined>();

  constructor(
    node: ComponentNode,
    parent: ComponentInstance | null,
    bundle: Bundle,
    catalog: Catalog,
    runtime: RuntimeOptions,
  ) {
    this.componentPath = node.componentPath;
    this.definitionPath = node.definitionPath;
    this.definition = node.definition;
    this.parent = parent;
    this.bundle = bundle;
    this.#node = node;
    this.#catalog = catalog;
    const readEnvironment = (name: string): string | undefined =>
      this.environment(name, runtime.readEnvironment);
    this.#modules = bundle.evaluate(runtimeGlobals({ ...runtime, readEnvironment }));
    this.schema = new Schema(this.#loadSchema(), this.tableOf);
  }

  /** The name of the table that an id belongs to, among the component's own. */
  readonly tableOf = (id: string): string | null =>
    this.#catalog.tableOfId(this.componentPath, id)?.name ?? null;

  /** A component sees what its parent bound for it, nothing else. `readApp` reads the deployment's variables. */
  environment(name: string, readApp: (name: string) => string | undefined): string | undefined {
    if (this.parent === null) return readApp(name);
    const binding = this.#node.environment.get(name);
    if (binding === undefined) return undefined;
    return binding.type === "value"
      ? binding.value
      : this.parent.environment(binding.name, readApp);
  }

  /** By canonical path; undefined when there is none. */
  find(path: string): RegisteredFunction | undefined {
    if (this.#functions.has(path)) return this.#functions.get(path);
    const colon = path.lastIndexOf(":");
    const value = this.#load(path.slice(0, colon))?.[path.slice(colon + 1)];
    const found = registerFunction(this, path, value, this.tableOf);
    if (found !== undefined) this.#functions.set(path, found);
    return found;
  }

  functions(): RegisteredFunction[] {
    return this.modules().flatMap(({ path, exports }) =>
      Object.entries(exports)
        .filter(([, value]) => kindOfExport(value) !== null)
        .flatMap(([name]) => this.find(`${path}:${name}`) ?? []),
    );
  }

  /** All but the ones that the backend reads itself. Evaluates what is not evaluated yet. */
  modules(): { path: string; exports: Readonly<Record<string, unknown>> }[] {
    return this.bundle.modulePaths
      .filter((path) => path !== "schema" && path !== "auth.config")
      .map((path) => ({ path, exports: this.#load(path) ?? {} }));
  }

  get httpRouter(): HttpRouter | null {
    return (this.#load("http")?.["default"] as HttpRouter | undefined) ?? null;
  }

  /** The parsed default export of crons.ts: name → spec. */
  get crons(): Readonly<Record<string, unknown>> | null {
    const exported = this.#load("crons")?.["default"] as { export?: () => string } | undefined;
    if (exported?.export === undefined) return null;
    return JSON.parse(exported.export()) as Record<string, unknown>;
  }

  /** The `providers` of auth.config.ts. */
  get authProviders(): readonly unknown[] {
    const config = this.#load("auth.config")?.["default"] as { providers?: unknown[] } | undefined;
    return config?.providers ?? [];
  }

  #loadSchema(): SchemaJson | null {
    const schema = this.#load("schema")?.["default"] as { export?: () => string } | undefined;
    return schema?.export === undefined ? null : (JSON.parse(schema.export()) as SchemaJson);
  }

  #load(path: string): Readonly<Record<string, unknown>> | undefined {
    const load = this.#modules.get(path);
    if (load === undefined) return undefined;
    try {
      return runOutside(load);
    } catch (error) {
      const place = this.componentPath === "" ? "" : ` of component "${this.componentPath}"`;
      throw new DeployError(
        "not-loadable",
        `${path}.js${place} fails while it is loaded: ${String(error)}`,
        error,
      );
    }
  }
}
