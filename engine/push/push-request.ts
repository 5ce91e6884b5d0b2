/**
 * Owns: the body of start_push, checked at the door, as the code of a deployment.
 * Not: loading the code (application.ts).
 *
 * The CLI sends an app's changed modules with their source and the unchanged ones by hash only; those are taken
 * from the running deployment. Shapes: convex/src/cli/lib/deployApi.
 */
import type { DefinitionSource, DeployRequest, ModuleSource } from "../application.ts";
import { DeployError } from "../errors.ts";
import { hashOf } from "./module-hashes.ts";
import {
  isRecord,
  readModule,
  readModules,
  readStrings,
  RequestError,
  type Fields,
} from "./push-fields.ts";

/** Where the CLI puts a bundled auth.config.ts among an app's modules. */
const AUTH_MODULE = "auth.config.js";

type UnchangedModule = { readonly path: string; readonly sha256: string };

function readUnchanged(fields: Fields): UnchangedModule[] {
  const value = fields["unchangedModuleHashes"] ?? [];
  if (!Array.isArray(value)) throw new RequestError("unchangedModuleHashes", "a list");
  return value.map((entry: unknown) => {
    if (!isRecord(entry)) throw new RequestError("unchangedModuleHashes", "objects");
    const { path, sha256 } = entry;
    if (typeof path !== "string" || typeof sha256 !== "string") {
      throw new RequestError("unchangedModuleHashes", "objects with path and sha256");
    }
    return { path, sha256 };
  });
}

function takeUnchanged(
  unchanged: readonly UnchangedModule[],
  running: DeployRequest | null,
): ModuleSource[] {
  const app = running?.definitions.find((definition) => definition.definitionPath === "");
  const known = app === undefined ? [] : [...app.modules, ...(app.auth === null ? [] : [app.auth])];
  return unchanged.map(({ path, sha256 }) => {
    const module = known.find(
      (candidate) => candidate.path === path && hashOf(candidate) === sha256,
    );
    if (module !== undefined) return module;
    throw new DeployError(
      "not-loadable",
      `Module "${path}" was sent as unchanged, but the running deployment has another one. Push again.`,
    );
  });
}

function readApp(fields: Fields, running: DeployRequest | null): DefinitionSource {
  const modules = [
    ...readModules(fields, "changedModules"),
    ...takeUnchanged(readUnchanged(fields), running),
  ];
  return {
    definitionPath: "",
    dependencies: readStrings(fields, "dependencies"),
    definition: readModule(fields, "definition"),
    schema: readModule(fields, "schema"),
    modules: modules.filter((module) => module.path !== AUTH_MODULE),
    auth: modules.find((module) => module.path === AUTH_MODULE) ?? null,
  };
}

function readComponent(value: unknown): DefinitionSource {
  if (!isRecord(value)) throw new RequestError("componentDefinitions", "objects");
  const { definitionPath } = value;
  if (typeof definitionPath !== "string") throw new RequestError("definitionPath", "a string");
  return {
    definitionPath,
    dependencies: readStrings(value, "dependencies"),
    definition: readModule(value, "definition"),
    schema: readModule(value, "schema"),
    modules: readModules(value, "functions"),
    auth: null,
  };
}

export function parsePushRequest(body: Fields, running: DeployRequest | null): DeployRequest {
  const { appDefinition, componentDefinitions = [], nodeDependencies = [] } = body;
  if (!isRecord(appDefinition)) throw new RequestError("appDefinition", "an object");
  if (!Array.isArray(componentDefinitions))
    throw new RequestError("componentDefinitions", "a list");
  if (Array.isArray(nodeDependencies) && nodeDependencies.length > 0) {
    throw new DeployError(
      "unsupported",
      "External packages of Node actions are not supported by the embedded engine. Bundle them, or deploy to Convex.",
    );
  }
  return {
    definitions: [readApp(appDefinition, running), ...componentDefinitions.map(readComponent)],
  };
}
