/**
 * Owns: one loaded version of the pushed code: its component instances, and finding functions in them.
 * Not: swapping versions (application/deployments.ts).
 */
import type { CronSpec, DefinitionSource, DeployRequest, FunctionTarget } from "../application.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { DeployError } from "../errors.ts";
import { canonicalPath } from "../function-path.ts";
import { bundleModules } from "./bundle.ts";
import type { Bundle } from "./bundle.ts";
import { ComponentInstance } from "./component-instance.ts";
import { readComponentTree } from "./component-tree.ts";
import type { ComponentNode } from "./component-tree.ts";
import type { RegisteredFunction } from "./registered-function.ts";
import { runtimeGlobals } from "./runtime-globals.ts";
import type { RuntimeOptions } from "./runtime-globals.ts";
import type { StackMapper } from "./stack-mapper.ts";

export class Deployment {
  readonly request: DeployRequest;
  readonly instances: ReadonlyMap<string, ComponentInstance>;
  readonly stacks: readonly StackMapper[];
  readonly #nodes: readonly ComponentNode[];
  readonly #bundles: ReadonlyMap<string, Bundle>;

  private constructor(
    request: DeployRequest,
    nodes: readonly ComponentNode[],
    bundles: ReadonlyMap<string, Bundle>,
    catalog: Catalog,
    runtime: RuntimeOptions,
  ) {
    this.request = request;
    this.#nodes = nodes;
    this.#bundles = bundles;
    this.instances = instantiate(nodes, bundles, catalog, runtime);
    this.stacks = [...bundles.values()].map((bundle) => bundle.stacks);
  }

  /** Throws a DeployError when the code does not load. */
  static async load(
    request: DeployRequest,
    catalog: Catalog,
    runtime: RuntimeOptions,
  ): Promise<Deployment> {
    const nodes = await readComponentTree(request.definitions);
    const globalNames = Object.keys(runtimeGlobals(runtime));
    const bundles = await Promise.all(
      request.definitions.map(async (source) => {
        return [source.definitionPath, await bundleOnce(source, globalNames)] as const;
      }),
    );
    return new Deployment(request, nodes, new Map(bundles), catalog, runtime);
  }

  /** The same code evaluated afresh, so that what it read at load time is read again. */
  reevaluated(catalog: Catalog, runtime: RuntimeOptions): Deployment {
    return new Deployment(this.request, this.#nodes, this.#bundles, catalog, runtime);
  }

  find({ componentPath, path }: FunctionTarget): RegisteredFunction | undefined {
    return this.instances.get(componentPath)?.find(canonicalPath(path));
  }

  get app(): ComponentInstance {
    const app = this.instances.get("");
    if (app === undefined) throw new Error("A deployment always has the app itself.");
    return app;
  }

  crons(): CronSpec[] {
    return [...this.instances.values()].flatMap((instance) =>
      Object.entries(instance.crons ?? {}).map(([name, spec]) => {
        const {
          name: path,
          args,
          schedule,
        } = spec as {
          name: string;
          args: readonly unknown[];
          schedule: Record<string, unknown>;
        };
        const { componentPath } = instance;
        const target = { componentPath, path: canonicalPath(path) };
        return { componentPath, name, target, argsJson: JSON.stringify(args[0] ?? {}), schedule };
      }),
    );
  }
}

/** A definition that is deployed again as it is, in as many engines as there may be, is bundled once. */
const BUNDLED = new WeakMap<DefinitionSource, Map<string, Promise<Bundle>>>();

async function bundleOnce(
  source: DefinitionSource,
  globalNames: readonly string[],
): Promise<Bundle> {
  const ofSource = BUNDLED.get(source) ?? new Map<string, Promise<Bundle>>();
  BUNDLED.set(source, ofSource);
  const names = globalNames.join(" ");
  const bundle =
    ofSource.get(names) ?? bundleModules(source.definitionPath, modulesOf(source), globalNames);
  ofSource.set(names, bundle);
  return await bundle;
}

function modulesOf({ modules, schema, auth }: DefinitionSource): DefinitionSource["modules"] {
  return [
    ...modules,
    ...(schema === null ? [] : [{ ...schema, path: "schema.js" }]),
    ...(auth === null ? [] : [{ ...auth, path: "auth.config.js" }]),
  ];
}

function instantiate(
  nodes: readonly ComponentNode[],
  bundles: ReadonlyMap<string, Bundle>,
  catalog: Catalog,
  runtime: RuntimeOptions,
): Map<string, ComponentInstance> {
  const instances = new Map<string, ComponentInstance>();
  for (const node of nodes) {
    const bundle = bundles.get(node.definitionPath);
    if (bundle === undefined) {
      throw new DeployError("not-loadable", `Nothing was pushed for "${node.definitionPath}".`);
    }
    const parent = node.parentPath === null ? null : (instances.get(node.parentPath) ?? null);
    const instance = new ComponentInstance(node, parent, bundle, catalog, runtime);
    instances.set(node.componentPath, instance);
  }
  return instances;
}
