/**
 * Owns: the order of Convex values, as byte strings whose order is the order of the values.
 * Not: which fields an index has (catalog/), or how keys are stored (storage/).
 *
 * undefined < null < int64 < float64 < boolean < string (UTF-8) < bytes < array < object. Every encoding starts with
 * a tag from 1 to 10 and is no prefix of another, so a concatenation of encodings orders like the tuple. Each
 * UTF-16 unit of a key holds one byte.
 */
import { encodedPart, kindOf } from "./kinds.ts";
import type { JSONObject, JSONValue } from "./kinds.ts";

const UNDEFINED = "\x01";
const NULL = "\x02";
const INT64 = "\x03";
const FLOAT64 = "\x04";
const FALSE = "\x05";
const TRUE = "\x06";
const STRING = "\x07";
const BYTES = "\x08";
const ARRAY = "\x09";
const OBJECT = "\x0a";
/** Below every tag and every escaped byte: what ends first sorts first. */
const END = "\x00";

const LARGEST_INT64 = INT64 + "\xff".repeat(8);
const SIGN_BIT = 0x80000000;

const eightBytes = new DataView(new ArrayBuffer(8));

/** The key of a value; undefined is a missing field. A pending commit timestamp is the largest int64. */
export function encodeKey(value: JSONValue | undefined): string {
  if (value === undefined) return UNDEFINED;
  switch (kindOf(value)) {
    case "string":
      return STRING + escapeText(value as string) + END;
    case "float64":
      return FLOAT64 + floatBytes(value);
    case "int64":
      return INT64 + int64Bytes(value);
    case "commitTs":
      return LARGEST_INT64;
    case "null":
      return NULL;
    case "boolean":
      return value === true ? TRUE : FALSE;
    case "bytes":
      return BYTES + escapeBytes(decodeBase64(encodedPart(value, "$bytes") ?? "")) + END;
    case "array":
      return ARRAY + (value as JSONValue[]).map(encodeKey).join("") + END;
    case "object":
      return objectKey(value as JSONObject);
  }
}

function objectKey(value: JSONObject): string {
  let key = OBJECT;
  for (const name of Object.keys(value).sort()) key += encodeKey(name) + encodeKey(value[name]);
  return key + END;
}

const NEEDS_WORK = /[^\x02-\x7f]/;
const NEEDS_ESCAPE = /[\x00\x01]/g;

/** Lone surrogates, which no stored string has, count as U+FFFD. */
function escapeText(text: string): string {
  return NEEDS_WORK.test(text) ? escapeBytes(Buffer.from(text, "utf8").toString("latin1")) : text;
}

function escapeBytes(bytes: string): string {
  return bytes.replace(NEEDS_ESCAPE, (byte) => (byte === "\x00" ? "\x01\x01" : "\x01\x02"));
}

function decodeBase64(text: string): string {
  return Buffer.from(text, "base64").toString("latin1");
}

function floatBytes(value: JSONValue): string {
  if (typeof value === "number") eightBytes.setFloat64(0, value);
  else fillLittleEndian(decodeBase64(encodedPart(value, "$float") ?? ""));
  const high = eightBytes.getUint32(0);
  const low = eightBytes.getUint32(4);
  return high >= SIGN_BIT
    ? wordBytes(~high) + wordBytes(~low)
    : wordBytes(high ^ SIGN_BIT) + wordBytes(low);
}

function int64Bytes(value: JSONValue): string {
  fillLittleEndian(decodeBase64(encodedPart(value, "$integer") ?? ""));
  return wordBytes(eightBytes.getUint32(0) ^ SIGN_BIT) + wordBytes(eightBytes.getUint32(4));
}

function fillLittleEndian(bytes: string): void {
  for (let i = 0; i < 8; i++) eightBytes.setUint8(7 - i, bytes.charCodeAt(i));
}

function wordBytes(word: number): string {
  return String.fromCharCode(
    (word >>> 24) & 255,
    (word >>> 16) & 255,
    (word >>> 8) & 255,
    word & 255,
  );
}

/** The end of the range of all keys that continue `prefix`, a concatenation of encodings: [prefix, afterPrefix(prefix)). */
export function afterPrefix(prefix: string): string {
  return prefix + "\xff";
}

/** Less than 0, 0, or greater than 0. Values of different types are never equal: 1 is not 1n, and 0 is not −0. */
export function compareValues(a: JSONValue | undefined, b: JSONValue | undefined): number {
  if (typeof a === "number" && typeof b === "number" && a !== b) return a < b ? -1 : 1;
  const keyOfA = encodeKey(a);
  const keyOfB = encodeKey(b);
  return keyOfA < keyOfB ? -1 : keyOfA === keyOfB ? 0 : 1;
}

/** The value at "a.b.c", or undefined where a part is missing or is no object. */
export function fieldAt(document: JSONValue, fieldPath: string): JSONValue | undefined {
  if (!fieldPath.includes(".")) return ownField(document, fieldPath);
  let value: JSONValue | undefined = document;
  for (const name of fieldPath.split(".")) value = ownField(value, name);
  return value;
}

function ownField(value: JSONValue | undefined, name: string): JSONValue | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
