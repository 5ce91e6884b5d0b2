/** Owns: what the CLI asks about the deployment itself: its environment, functions, components and addresses. */
import type { SystemQuery } from "../application.ts";
import { parseSystemArgs, readText } from "./system-args.ts";

const FUNCTION_TYPES = { query: "Query", mutation: "Mutation", action: "Action" } as const;

export const environmentVariables: SystemQuery = (read) => JSON.stringify(read.environment());

export const environmentVariable: SystemQuery = (read, argsJson) => {
  const name = readText(parseSystemArgs(argsJson), "name");
  return JSON.stringify(read.environment().find((variable) => variable.name === name) ?? null);
};

/** `npx convex function-spec`, and the list that `npx convex run` shows for an unknown name. */
export const apiSpec: SystemQuery = (read, _argsJson, componentPath) => {
  const functions = read.functions(componentPath).map((spec) => ({
    identifier: spec.identifier,
    functionType: FUNCTION_TYPES[spec.kind],
    visibility: { kind: spec.isPublic ? "public" : "internal" },
    args: JSON.parse(spec.argsValidator) as unknown,
    returns: JSON.parse(spec.returnsValidator) as unknown,
  }));
  return JSON.stringify(functions);
};

export const components: SystemQuery = (read) =>
  JSON.stringify(
    read.components().map((path) => ({
      id: path === "" ? "root" : path,
      name: path === "" ? null : path.slice(path.lastIndexOf("/") + 1),
      path,
      args: {},
      state: "active",
      httpPrefix: null,
    })),
  );
