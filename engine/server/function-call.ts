/** Owns: the body of a function call over HTTP, checked at the door. Not: running it (http-api.ts). */
import type { FunctionTarget } from "../application.ts";
import { canonicalPath } from "../function-path.ts";
import { HttpProblem } from "./exchange.ts";

/** "json" is plain JSON for any HTTP client; Convex's own clients ask for the encoding that keeps every type. */
export type ValueFormat = "json" | "convex_encoded_json";

export type HttpFunctionCall = {
  readonly target: FunctionTarget;
  readonly argsJson: string;
  readonly format: ValueFormat;
};

function bad(message: string): HttpProblem {
  return new HttpProblem(400, "BadArguments", message);
}

/** One object, or a list that holds it; both are sent by official clients. */
function parseArgs(value: unknown): string {
  const args: unknown = Array.isArray(value)
    ? value.length <= 1
      ? (value[0] ?? {})
      : null
    : (value ?? {});
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw bad('Field "args" must be an object, or a list that holds one object.');
  }
  return JSON.stringify(args);
}

function parseFormat(value: unknown): ValueFormat {
  switch (value) {
    case undefined:
    case null:
    case "json":
      return "json";
    case "convex_encoded_json":
      return "convex_encoded_json";
    default:
      throw bad(
        `Field "format" is ${JSON.stringify(value)}, wanted "json" or "convex_encoded_json".`,
      );
  }
}

export function parseFunctionCall(body: Readonly<Record<string, unknown>>): HttpFunctionCall {
  const { path, componentPath = "" } = body;
  if (typeof path !== "string" || path === "") {
    throw bad('Field "path" must name a function, like "messages:list".');
  }
  if (componentPath !== null && typeof componentPath !== "string") {
    throw bad('Field "componentPath" must be a string.');
  }
  return {
    target: { componentPath: componentPath ?? "", path: canonicalPath(path) },
    argsJson: parseArgs(body["args"]),
    format: parseFormat(body["format"]),
  };
}
