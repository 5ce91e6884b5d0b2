/**
 * Owns: which components a deployment consists of: evaluating the pushed convex.config.ts files into a tree.
 * Not: the modules of a component (component-instance.ts).
 */
import type { DefinitionSource } from "../application.ts";
import { DeployError } from "../errors.ts";
import { bundleModules } from "./bundle.ts";

export type EnvironmentBinding =
  | { readonly type: "value"; readonly value: string }
  | { readonly type: "envVar"; readonly name: string };

/** What `defineApp()` and `defineComponent()` of npm's `convex` export for the backend. */
export type DefinitionExport = {
  readonly definitionType:
    | { readonly type: "app"; readonly httpPrefix?: string }
    | { readonly type: "childComponent"; readonly name: string };
  readonly childComponents: readonly {
    readonly name: string;
    readonly path: string;
    readonly env?: readonly (readonly [name: string, binding: EnvironmentBinding])[] | null;
  }[];
  readonly httpMounts: Readonly<Record<string, string>>;
  readonly exports: unknown;
  readonly envVars?: unknown;
};

export type ComponentNode = {
  readonly componentPath: string;
  readonly parentPath: string | null;
  readonly definitionPath: string;
  readonly definition: DefinitionExport;
  readonly environment: ReadonlyMap<string, EnvironmentBinding>;
};

const PLAIN_APP: DefinitionExport = {
  definitionType: { type: "app" },
  childComponents: [],
  httpMounts: {},
  exports: { type: "branch", branch: [] },
};

const CONFIG_GLOBALS = ["process", "console", "Convex"] as const;

/** The app first, parents before children. */
export async function readComponentTree(
  definitions: readonly DefinitionSource[],
): Promise<ComponentNode[]> {
  const exported = await new DefinitionReader(definitions).readAll();
  const nodes: ComponentNode[] = [];
  const visit = (node: ComponentNode): void => {
    nodes.push(node);
    for (const { name, path, env } of node.definition.childComponents) {
      const definition = exported.get(path);
      if (definition === undefined) throw notPushed(path);
      visit({
        componentPath: node.componentPath === "" ? name : `${node.componentPath}/${name}`,
        parentPath: node.componentPath,
        definitionPath: path,
        definition,
        environment: new Map(env ?? []),
      });
    }
  };
  visit({
    componentPath: "",
    parentPath: null,
    definitionPath: "",
    definition: exported.get("") ?? PLAIN_APP,
    environment: new Map(),
  });
  return nodes;
}

/** Definitions import each other, so a child is read before whoever mounts it. */
class DefinitionReader {
  readonly #sources: ReadonlyMap<string, DefinitionSource>;
  readonly #exported = new Map<string, DefinitionExport>();

  constructor(definitions: readonly DefinitionSource[]) {
    this.#sources = new Map(definitions.map((source) => [source.definitionPath, source]));
  }

  async readAll(): Promise<ReadonlyMap<string, DefinitionExport>> {
    for (const path of this.#sources.keys()) await this.#read(path);
    return this.#exported;
  }

  async #read(definitionPath: string, mountedBy: readonly string[] = []): Promise<void> {
    if (this.#exported.has(definitionPath)) return;
    const source = this.#sources.get(definitionPath);
    if (source === undefined) throw notPushed(definitionPath);
    if (mountedBy.includes(definitionPath)) {
      throw new DeployError(
        "not-loadable",
        `Components mount each other in a circle: ${[...mountedBy, definitionPath].join(" → ")}.`,
      );
    }
    for (const child of source.dependencies) {
      await this.#read(child, [...mountedBy, definitionPath]);
    }
    this.#exported.set(definitionPath, await this.#evaluate(source));
  }

  async #evaluate({ definitionPath, definition }: DefinitionSource): Promise<DefinitionExport> {
    if (definition === null) return PLAIN_APP;
    const module = { ...definition, path: "convex.config.js" };
    const bundle = await bundleModules(`${definitionPath}/config`, [module], CONFIG_GLOBALS);
    const load = bundle
      .evaluate({ process: { env: {} }, console, Convex: {} }, (path) => this.#imported(path))
      .get("convex.config");
    const config = load?.()["default"] as { export?: () => DefinitionExport } | undefined;
    if (config?.export === undefined) {
      throw new DeployError(
        "not-loadable",
        `${definitionPath === "" ? "convex.config.ts" : `${definitionPath}/convex.config.ts`} must export ` +
          "defineApp() or defineComponent() as default.",
      );
    }
    return supported(config.export());
  }

  /** What `import aggregate from "@convex-dev/aggregate/convex.config"` gives inside of a definition. */
  #imported(definitionPath: string): unknown {
    const type = this.#exported.get(definitionPath)?.definitionType;
    if (type === undefined) throw notPushed(definitionPath);
    const defaultName = type.type === "childComponent" ? type.name : definitionPath;
    const reference = { componentDefinitionPath: definitionPath, defaultName };
    return { __esModule: true, default: reference, ...reference };
  }
}

/** Refused when pushed: a route that silently answers nothing would be found much later. */
function supported(definition: DefinitionExport): DefinitionExport {
  const [prefix] = Object.keys(definition.httpMounts);
  if (prefix === undefined) return definition;
  throw new DeployError(
    "unsupported",
    `HTTP routes of components (httpPrefix "${prefix}") are not supported by the embedded engine. ` +
      "Route them in the app's http.ts, or move to Convex with `npx convex deploy`.",
  );
}

function notPushed(definitionPath: string): DeployError {
  return new DeployError(
    "not-loadable",
    `Component definition "${definitionPath}" was not pushed with the app. Push again with the convex CLI.`,
  );
}
