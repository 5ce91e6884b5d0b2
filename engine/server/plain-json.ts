/**
 * Owns: the "json" format of the HTTP API, for callers that do not know Convex's encoding of values.
 * As on Convex: integers of 64 bits become decimal strings, bytes base64, NaN and the infinities their names.
 */
import { jsonToConvex, type JSONValue, type Value } from "convex/values";

function plain(value: Value): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map((each: Value) => plain(each));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, field]: [string, Value | undefined]) =>
        field === undefined ? [] : [[key, plain(field)]],
      ),
    );
  }
  return value;
}

export function toPlainJson(encodedJson: string): string {
  const encoded = JSON.parse(encodedJson) as JSONValue;
  return JSON.stringify(plain(jsonToConvex(encoded)));
}
