/**
 * Owns: how large a value is as Convex counts it, for limits and metrics, and what may be stored at all.
 * Not: whether a value fits a schema (validators.ts).
 */
import { FunctionError } from "../errors.ts";
import {
  MAX_ARRAY_LENGTH,
  MAX_DOCUMENT_BYTES,
  MAX_FIELD_NAME_LENGTH,
  MAX_OBJECT_FIELDS,
  MAX_VALUE_DEPTH,
} from "../limits.ts";
import { encodedPart, kindOf } from "./kinds.ts";
import type { JSONObject, JSONValue } from "./kinds.ts";

/** Bytes, as `getConvexSize` of convex/values counts the decoded value. */
export function sizeOf(value: JSONValue): number {
  switch (kindOf(value)) {
    case "null":
    case "boolean":
      return 1;
    case "int64":
    case "commitTs":
    case "float64":
      return 9;
    case "string":
      return 2 + Buffer.byteLength(value as string, "utf8");
    case "bytes":
      return 2 + Buffer.byteLength(encodedPart(value, "$bytes") ?? "", "base64");
    case "array": {
      let bytes = 2;
      for (const element of value as JSONValue[]) bytes += sizeOf(element);
      return bytes;
    }
    case "object":
      return sizeOfObject(value as JSONObject);
  }
}

function sizeOfObject(value: JSONObject): number {
  let bytes = 2;
  for (const name in value) {
    const field = value[name];
    if (field !== undefined) bytes += Buffer.byteLength(name, "utf8") + 1 + sizeOf(field);
  }
  return bytes;
}

/** Throws a FunctionError, in Convex's words, when the document (with or without system fields) cannot be stored. */
export function assertStorable(document: JSONValue): void {
  if (kindOf(document) !== "object") {
    throw new FunctionError(`A document must be an object, got ${kindOf(document)}.`);
  }
  for (const name in document as JSONObject) {
    if (name.startsWith("_") && name !== "_id" && name !== "_creationTime") {
      throw new FunctionError(
        `Field '${name}' starts with an underscore, which is only allowed for system fields like '_id'`,
      );
    }
  }
  assertWellFormed(document, 0);
  const bytes = sizeOf(document);
  if (bytes > MAX_DOCUMENT_BYTES) {
    throw new FunctionError(
      `Value is too large (${formatBytes(bytes)} > maximum size ${formatBytes(MAX_DOCUMENT_BYTES)})`,
    );
  }
}

function assertWellFormed(value: JSONValue, depth: number): void {
  if (depth > MAX_VALUE_DEPTH) {
    throw new FunctionError(
      `Value is too nested (nested ${depth} levels deep > maximum nesting ${MAX_VALUE_DEPTH})`,
    );
  }
  switch (kindOf(value)) {
    case "string":
      assertWellFormedText(value as string);
      return;
    case "array":
      assertWellFormedArray(value as JSONValue[], depth);
      return;
    case "object":
      assertWellFormedObject(value as JSONObject, depth);
      return;
    default:
      return;
  }
}

const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

function assertWellFormedText(text: string): void {
  if (!UNPAIRED_SURROGATE.test(text)) return;
  throw new FunctionError(
    `String ${JSON.stringify(text.slice(0, 100))} has a lone surrogate, which UTF-8 cannot hold. ` +
      "Clean it with text.toWellFormed().",
  );
}

function assertWellFormedArray(array: readonly JSONValue[], depth: number): void {
  if (array.length > MAX_ARRAY_LENGTH) {
    throw new FunctionError(
      `Array length is too long (${array.length} > maximum length ${MAX_ARRAY_LENGTH})`,
    );
  }
  for (const element of array) assertWellFormed(element, depth + 1);
}

function assertWellFormedObject(object: JSONObject, depth: number): void {
  const names = Object.keys(object);
  if (names.length > MAX_OBJECT_FIELDS) {
    throw new FunctionError(
      `Object has too many fields (${names.length} > maximum number ${MAX_OBJECT_FIELDS})`,
    );
  }
  for (const name of names) {
    assertFieldName(name);
    const field = object[name];
    if (field !== undefined) assertWellFormed(field, depth + 1);
  }
}

function assertFieldName(name: string): void {
  if (name.length > MAX_FIELD_NAME_LENGTH) {
    throw new FunctionError(
      `Field name ${name} exceeds maximum field name length ${MAX_FIELD_NAME_LENGTH}.`,
    );
  }
  if (name.startsWith("$")) {
    throw new FunctionError(`Field name ${name} starts with a '$', which is reserved.`);
  }
  const foreign = /[^ -~]/.exec(name);
  if (foreign) {
    throw new FunctionError(
      `Field name ${name} has invalid character '${foreign[0]}': ` +
        "Field names can only contain non-control ASCII characters",
    );
  }
}

function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB"] as const;
  let scaled = bytes;
  let unit = 0;
  for (; scaled >= 1024 && unit < units.length - 1; unit++) scaled /= 1024;
  return `${Number(scaled.toFixed(2))} ${units[unit] ?? "MiB"}`;
}
