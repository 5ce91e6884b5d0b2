/**
 * Owns: telling which Convex type a JSON-encoded value has, and reading the encoded scalars.
 * Not: their order (keys.ts), size (sizes.ts) or validity for storage (sizes.ts).
 */
import type { JSONValue } from "convex/values";

export type { JSONValue } from "convex/values";
export type JSONObject = { [key: string]: JSONValue };

export type ValueKind =
  "null" | "int64" | "commitTs" | "float64" | "boolean" | "string" | "bytes" | "array" | "object";

const DOLLAR = 36;
/** Base64 of exactly eight bytes. */
const EIGHT_BYTES = /^[A-Za-z0-9+/]{11}=$/;

/** A malformed special form (say `{$integer: 5}`) is an "object"; its reserved field name keeps it out of the store. */
export function kindOf(value: JSONValue): ValueKind {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return "float64";
    case "boolean":
      return "boolean";
    default:
      if (value === null) return "null";
      return Array.isArray(value) ? "array" : kindOfObject(value);
  }
}

function kindOfObject(value: JSONObject): ValueKind {
  for (const key in value) {
    if (key.charCodeAt(0) !== DOLLAR) return "object";
    const inner = value[key];
    if (key === "$commitTs" && inner === null) return "commitTs";
    if (typeof inner !== "string") return "object";
    if (key === "$bytes") return "bytes";
    if (key === "$integer" && EIGHT_BYTES.test(inner)) return "int64";
    if (key === "$float" && EIGHT_BYTES.test(inner)) return "float64";
    return "object";
  }
  return "object";
}

/** The text inside a special form; call it only for a value of that kind. */
export function encodedPart(
  value: JSONValue,
  form: "$integer" | "$float" | "$bytes",
): string | null {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  const inner = value[form];
  return typeof inner === "string" ? inner : null;
}

export function toInt64(value: JSONValue): bigint {
  return Buffer.from(encodedPart(value, "$integer") ?? "", "base64").readBigInt64LE(0);
}

/** A JSON number, or the float of a `$float` form (NaN, the infinities, −0). */
export function toFloat64(value: JSONValue): number {
  if (typeof value === "number") return value;
  return Buffer.from(encodedPart(value, "$float") ?? "", "base64").readDoubleLE(0);
}
