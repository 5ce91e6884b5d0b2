/**
 * Owns: the description of pushed code that start_push answers with, per component definition.
 * Not: the rest of that answer (push/).
 */
import type { ComponentInstance } from "./component-instance.ts";
import { kindOfExport } from "./registered-function.ts";

const ANALYSED_TYPES = { query: "Query", mutation: "Mutation", action: "Action" } as const;

/** The server version that the CLI reads back; the CLI itself does not depend on it. */
const SERVER_VERSION = "1.49.0";

export type DefinitionAnalysis = {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly schema: unknown;
  readonly functions: Readonly<Record<string, unknown>>;
  readonly udfConfig: Readonly<Record<string, unknown>>;
};

/** Evaluates every module, so it throws a DeployError for one that fails while it is loaded. */
export function analyzeDefinition(instance: ComponentInstance): DefinitionAnalysis {
  const { definition, definitionPath, schema } = instance;
  const functions = instance
    .modules()
    .map(({ path, exports }) => [`${path}.js`, analyzeModule(instance, path, exports)]);
  return {
    definition: {
      path: definitionPath,
      definitionType: definition.definitionType,
      childComponents: definition.childComponents,
      httpMounts: definition.httpMounts,
      exports: definition.exports,
      ...(definition.envVars === undefined ? {} : { envVars: definition.envVars }),
    },
    schema: schema.json,
    functions: Object.fromEntries(functions) as Record<string, unknown>,
    udfConfig: {
      serverVersion: SERVER_VERSION,
      importPhaseRngSeed: { $bytes: "AAAA" },
      importPhaseUnixTimestamp: { $integer: "AAAAAAAAAAA=" },
    },
  };
}

function analyzeModule(
  instance: ComponentInstance,
  path: string,
  exports: Readonly<Record<string, unknown>>,
): unknown {
  const functions = Object.entries(exports).flatMap(([name, value]) => {
    const registered = kindOfExport(value) && instance.find(`${path}:${name}`);
    if (!registered) return [];
    return [
      {
        name,
        pos: null,
        udfType: ANALYSED_TYPES[registered.kind],
        visibility: { kind: registered.isPublic ? "public" : "internal" },
        args: registered.argsValidator,
        returns: registered.returnsValidator,
      },
    ];
  });
  return {
    functions,
    httpRoutes: path === "http" ? analyzeRoutes(instance) : null,
    cronSpecs: path === "crons" ? Object.entries(instance.crons ?? {}) : null,
    sourceMapped: null,
  };
}

function analyzeRoutes(instance: ComponentInstance): unknown {
  const routes = instance.httpRouter?.getRoutes() ?? [];
  return routes.map(([path, method]) => ({ route: { path, method }, pos: null }));
}
