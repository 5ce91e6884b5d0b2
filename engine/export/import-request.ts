/** Owns: what the CLI asks for when an upload is complete, checked at the door. Not: doing it (imports.ts). */
import type { ImportMode } from "../application.ts";
import { FunctionError } from "../errors.ts";
import type { ImportFormat } from "./import-source.ts";

export type ImportRequest = {
  readonly uploadToken: string;
  readonly tableName: string | null;
  readonly componentPath: string;
  readonly mode: ImportMode;
  readonly format: ImportFormat;
};

const MODES = ["requireEmpty", "append", "replace", "replaceAll"] as const;
const FORMATS = ["zip", "csv", "jsonLines", "jsonArray"] as const;

type Fields = Readonly<Record<string, unknown>>;

export function parseImportRequest(body: Fields): ImportRequest {
  const { uploadToken, import: request } = body;
  if (typeof uploadToken !== "string") throw bad("uploadToken", "a string");
  if (typeof request !== "object" || request === null) throw bad("import", "an object");
  const fields: Fields = { ...request };
  return {
    uploadToken,
    tableName: readOptionalText(fields, "tableName"),
    componentPath: readOptionalText(fields, "componentPath") ?? "",
    mode: readOneOf(fields, "mode", MODES),
    format: readOneOf(fields, "format", FORMATS),
  };
}

function readOptionalText(fields: Fields, field: string): string | null {
  const value = fields[field] ?? null;
  if (value === null || typeof value === "string") return value;
  throw bad(`import.${field}`, "a string");
}

function readOneOf<T extends string>(fields: Fields, field: string, known: readonly T[]): T {
  const found = known.find((each) => each === fields[field]);
  if (found === undefined) throw bad(`import.${field}`, `one of ${known.join(", ")}`);
  return found;
}

function bad(field: string, wanted: string): FunctionError {
  return new FunctionError(`The import is malformed: "${field}" must be ${wanted}.`);
}
