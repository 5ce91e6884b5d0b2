/** Owns: reading modules and lists out of a push's body. Not: what they mean together (push-request.ts). */
import type { ModuleSource } from "../application.ts";
import { DeployError } from "../errors.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** The body is not a push. The CLI of another version sends something else, or it was no CLI. */
export class RequestError extends Error {
  override name = "RequestError";

  constructor(field: string, wanted: string) {
    super(
      `The push is malformed: "${field}" must be ${wanted}. Use the convex CLI that this project pins.`,
    );
  }
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readStrings(fields: Fields, field: string): string[] {
  const value = fields[field] ?? [];
  if (!Array.isArray(value)) throw new RequestError(field, "a list of strings");
  return value.map((entry: unknown) => {
    if (typeof entry !== "string") throw new RequestError(field, "a list of strings");
    return entry;
  });
}

function toModule(value: unknown, field: string): ModuleSource {
  if (!isRecord(value)) throw new RequestError(field, "a module");
  const { path, source, sourceMap = null, environment } = value;
  if (typeof path !== "string" || typeof source !== "string")
    throw new RequestError(field, "a module with its source");
  if (sourceMap !== null && typeof sourceMap !== "string")
    throw new RequestError(field, "a module with its source map");
  if (environment === "node") {
    throw new DeployError(
      "unsupported",
      `"${path}" says "use node". Node actions are not supported by the embedded engine: remove the directive, or deploy to Convex.`,
    );
  }
  return { path, source, sourceMap };
}

export function readModule(fields: Fields, field: string): ModuleSource | null {
  const value = fields[field] ?? null;
  return value === null ? null : toModule(value, field);
}

export function readModules(fields: Fields, field: string): ModuleSource[] {
  const value = fields[field] ?? [];
  if (!Array.isArray(value)) throw new RequestError(field, "a list of modules");
  return value.map((entry) => toModule(entry, field));
}
