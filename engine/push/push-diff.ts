/** Owns: the forms in which the CLI gets component trees and differences. Not: finding them (application.ts). */
import type { DeployRequest, IndexChange, IndexDiff, StagedDeployment } from "../application.ts";

type Instances = StagedDeployment["instances"];

function databaseIndex(change: IndexChange): object {
  return { name: change.name, type: "database", fields: change.fields };
}

export function indexDiffOnWire(diff: IndexDiff | undefined): object {
  return {
    added_indexes: (diff?.added ?? []).map(databaseIndex),
    removed_indexes: (diff?.removed ?? []).map(databaseIndex),
    enabled_indexes: [],
    disabled_indexes: [],
  };
}

/** A custom JWT provider may leave its application out; the CLI wants to see that it did. */
export function authProviderOnWire(provider: unknown): unknown {
  return typeof provider === "object" && provider !== null
    ? { applicationID: null, ...provider }
    : provider;
}

/** The `app` of start_push: instances as a tree. */
export function componentTree(instances: Instances, componentPath = ""): object {
  const instance = instances.find((candidate) => candidate.componentPath === componentPath);
  if (instance === undefined)
    throw new Error(`The deployment has no component instance "${componentPath}".`);
  const prefix = componentPath === "" ? "" : `${componentPath}/`;
  const children = instances
    .map((candidate) => candidate.componentPath)
    .filter((path) => path !== "" && path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
    .filter((name) => name !== "" && !name.includes("/"));
  return {
    definitionPath: instance.definitionPath,
    componentPath,
    args: {},
    childComponents: Object.fromEntries(
      children.map((name) => [name, componentTree(instances, prefix + name)]),
    ),
    httpRoutes: { httpModuleRoutes: null, mounts: [] },
    exports: {},
  };
}

function modulePaths(request: DeployRequest | null, definitionPath: string): ReadonlySet<string> {
  const definition = request?.definitions.find(
    (candidate) => candidate.definitionPath === definitionPath,
  );
  return new Set(definition?.modules.map((module) => module.path));
}

/** finish_push's answer: what this push changed against what ran before. */
export function finishedDiff(
  before: DeployRequest | null,
  after: DeployRequest,
  staged: StagedDeployment,
): object {
  const known = new Set(before?.definitions.map((definition) => definition.definitionPath));
  const componentDiffs = staged.instances.map(({ componentPath, definitionPath }) => {
    const old = modulePaths(before, definitionPath);
    const now = modulePaths(after, definitionPath);
    const diff = {
      diffType: { type: known.has(definitionPath) ? "modify" : "create" },
      moduleDiff: {
        added: [...now].filter((path) => !old.has(path)),
        removed: [...old].filter((path) => !now.has(path)),
      },
      udfConfigDiff: null,
      cronDiff: { added: [], updated: [], deleted: [] },
      indexDiff: indexDiffOnWire(staged.indexDiffs[componentPath]),
      schemaDiff: null,
    };
    return [componentPath, diff] as const;
  });
  return {
    authDiff: { added: [], removed: [] },
    definitionDiffs: {},
    componentDiffs: Object.fromEntries(componentDiffs),
  };
}
