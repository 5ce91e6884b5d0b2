/**
 * Owns: how values and validators are written in error messages, as Convex writes them.
 * Not: when a message is needed (validators.ts).
 */
import type { ValidatorJSON } from "convex/values";
import { encodedPart, kindOf, toFloat64, toInt64 } from "./kinds.ts";
import type { JSONObject, JSONValue } from "./kinds.ts";

/** `{a: 1.0, b: "x"}`: fields sorted by name, floats always with a point. */
export function renderValue(value: JSONValue): string {
  switch (kindOf(value)) {
    case "null":
      return "null";
    case "boolean":
      return value === true ? "true" : "false";
    case "int64":
      return String(toInt64(value));
    case "commitTs":
      return "[unresolved commit timestamp]";
    case "float64":
      return renderFloat(toFloat64(value));
    case "string":
      return JSON.stringify(value);
    case "bytes":
      return `b${JSON.stringify(encodedPart(value, "$bytes"))}`;
    case "array":
      return `[${(value as JSONValue[]).map(renderValue).join(", ")}]`;
    case "object": {
      const fields = Object.entries(value as JSONObject).sort(byName);
      return `{${fields.map(([name, field]) => `${name}: ${renderValue(field)}`).join(", ")}}`;
    }
  }
}

function renderFloat(float: number): string {
  if (float === Infinity) return "inf";
  if (float === -Infinity) return "-inf";
  if (Object.is(float, -0)) return "-0.0";
  const text = String(float);
  return /^-?\d+$/.test(text) ? `${text}.0` : text.replace("e+", "e");
}

/** The validator as one would write it: `v.object({a: v.optional(v.string())})`. */
export function renderValidator(validator: ValidatorJSON): string {
  switch (validator.type) {
    case "number":
      return "v.float64()";
    case "bigint":
      return "v.int64()";
    case "null":
    case "boolean":
    case "string":
    case "bytes":
    case "any":
    case "commitTs":
    case "function":
      return `v.${validator.type}()`;
    case "literal":
      return `v.literal(${renderLiteral(validator.value)})`;
    case "id":
      return `v.id("${validator.tableName}")`;
    case "array":
      return `v.array(${renderValidator(validator.value)})`;
    case "record":
      return `v.record(${renderValidator(validator.keys)}, ${renderValidator(validator.values.fieldType)})`;
    case "union":
      return `v.union(${validator.value.map(renderValidator).join(", ")})`;
    case "object":
      return `v.object({${Object.entries(validator.value).sort(byName).map(renderField).join(", ")}})`;
  }
}

type FieldJSON = { readonly fieldType: ValidatorJSON; readonly optional: boolean };

function renderField([name, field]: readonly [string, FieldJSON]): string {
  const text = renderValidator(field.fieldType);
  return `${name}: ${field.optional ? `v.optional(${text})` : text}`;
}

/** Convex does not spell out a bigint literal. */
export function renderLiteral(literal: JSONValue): string {
  return kindOf(literal) === "int64" ? "<bigint>" : renderValue(literal);
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}
