/** Owns: how the CLI learns which modules are the same here, so that it sends only changed ones. */
import { createHash } from "node:crypto";
import type { DeployRequest, ModuleSource } from "../application.ts";

/** The CLI's own formula (convex/src/cli/lib/components.ts). */
export function hashOf(module: ModuleSource): string {
  return createHash("sha256")
    .update(module.source)
    .update(module.sourceMap ?? "")
    .digest("hex");
}

/** get_config_hashes: only the app's modules; components are always sent whole. */
export function configHashes(running: DeployRequest | null, convexVersion: string): object {
  const app = running?.definitions.find((definition) => definition.definitionPath === "");
  const modules =
    app === undefined ? [] : [...app.modules, ...(app.auth === null ? [] : [app.auth])];
  return {
    config: { functions: "convex/" },
    moduleHashes: modules.map((module) => ({
      path: module.path,
      hash: hashOf(module),
      environment: "isolate",
    })),
    nodeDependencies: [],
    udfServerVersion: convexVersion,
    nodeVersion: null,
  };
}
