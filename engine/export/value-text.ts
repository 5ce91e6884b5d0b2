/**
 * Owns: the two ways in which a document stands in a file: as Convex sends values over the wire (`$integer`, `$float`,
 * `$bytes`), and as its snapshot export writes them, which a table's `generated_schema.jsonl` calls "uniform".
 * Not: files (snapshot-zip.ts, rows.ts).
 *
 * Uniform: an int64 is a number without a point, a float64 always has a point or an exponent; NaN, the infinities and
 * bytes stay as on the wire. Both directions work on text, since JSON.parse would make one of the two numbers.
 */
import { kindOf, toInt64 } from "../values/kinds.ts";
import type { JSONValue } from "../values/kinds.ts";
import { int64Text } from "./int64-text.ts";

/** Strings are skipped as a whole, so that digits in them stay as they are. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MINUS_ZERO = '{"$float":"AAAAAAAAAIA="}';

/** From the JSON text of a stored document to a line of `documents.jsonl`. */
export function toUniform(json: string): string {
  return uniform(JSON.parse(json) as JSONValue);
}

function uniform(value: JSONValue): string {
  switch (kindOf(value)) {
    case "int64":
      return toInt64(value).toString();
    case "float64":
      return uniformFloat(value);
    case "array":
      return `[${(value as JSONValue[]).map(uniform).join(",")}]`;
    case "object": {
      const fields = Object.entries(value as Record<string, JSONValue>);
      return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${uniform(field)}`).join(",")}}`;
    }
    default:
      return JSON.stringify(value);
  }
}

function uniformFloat(value: JSONValue): string {
  const text = JSON.stringify(value);
  if (text === MINUS_ZERO) return "-0.0";
  return typeof value !== "number" || /[.e]/.test(text) ? text : `${text}.0`;
}

/** From a line of a "uniform" table to JSON text with wire values. Text that is no JSON comes out as no JSON. */
export function fromUniform(line: string): string {
  return line.replaceAll(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"')) return token;
    if (/[.eE]/.test(token)) return Object.is(Number(token), -0) ? MINUS_ZERO : token;
    const integer = BigInt(token);
    return integer < MIN_INT64 || integer > MAX_INT64 ? token : int64Text(integer);
  });
}
