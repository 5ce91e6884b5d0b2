/**
 * Owns: checking a value against a validator, compiled once, with Convex's wording of what is wrong.
 * Not: what may be stored whatever the schema (sizes.ts), or the names of tables (catalog/).
 */
import type { ValidatorJSON } from "convex/values";
import { compareValues } from "./keys.ts";
import { kindOf } from "./kinds.ts";
import type { JSONObject, JSONValue, ValueKind } from "./kinds.ts";
import { renderLiteral, renderValidator, renderValue } from "./rendering.ts";

/** Null when the value fits, else the message. `path` is where the value itself lies, such as ".args"; usually none. */
export type Validate = (value: JSONValue, path?: string) => string | null;

/** The name of the table that an id belongs to; null when the text is no id, or of no known table. */
export type TableOf = (id: string) => string | null;

/** Built while the checks unwind; the text is made only when it is shown, since a union tries and drops many. */
type Mismatch = { path: string; readonly describe: (path: string) => string };
type Check = (value: JSONValue) => Mismatch | null;

export function compileValidator(validator: ValidatorJSON, tableOf: TableOf): Validate {
  const check = compile(validator, tableOf);
  return (value, path = "") => {
    const mismatch = check(value);
    return mismatch && mismatch.describe(renderPath(path + mismatch.path));
  };
}

function renderPath(path: string): string {
  return path === "" ? "" : `Path: ${path}`;
}

function compile(validator: ValidatorJSON, tableOf: TableOf): Check {
  switch (validator.type) {
    case "any":
      return () => null;
    case "null":
    case "boolean":
    case "string":
    case "bytes":
      return checkKind(validator, [validator.type]);
    case "number":
      return checkKind(validator, ["float64"]);
    case "bigint":
    case "commitTs":
      return checkKind(validator, ["int64", "commitTs"]);
    case "function":
      return checkFunctionHandle(validator);
    case "literal":
      return checkLiteral(validator.value);
    case "id":
      return checkId(validator, tableOf);
    case "array":
      return checkArray(validator, compile(validator.value, tableOf));
    case "record":
      return checkRecord(
        validator,
        compile(validator.keys, tableOf),
        compile(validator.values.fieldType, tableOf),
      );
    case "union":
      return checkUnion(
        validator,
        validator.value.map((member) => compile(member, tableOf)),
      );
    case "object":
      return checkObject(validator, compileFields(validator.value, tableOf));
  }
}

function noMatch(validator: ValidatorJSON, value: JSONValue): Mismatch {
  return {
    path: "",
    describe: (path) =>
      `Value does not match validator.\n${path}\n` +
      `Value: ${renderValue(value)}\nValidator: ${renderValidator(validator)}`,
  };
}

function inside(mismatch: Mismatch | null, step: string): Mismatch | null {
  if (mismatch) mismatch.path = step + mismatch.path;
  return mismatch;
}

function checkKind(validator: ValidatorJSON, kinds: readonly ValueKind[]): Check {
  return (value) => (kinds.includes(kindOf(value)) ? null : noMatch(validator, value));
}

function checkFunctionHandle(validator: ValidatorJSON): Check {
  return (value) =>
    typeof value === "string" && value.startsWith("function://") ? null : noMatch(validator, value);
}

function checkLiteral(literal: JSONValue): Check {
  return (value) =>
    value === literal || compareValues(value, literal) === 0
      ? null
      : {
          path: "",
          describe: (path) =>
            `\`${renderValue(value)}\` does not match literal validator ` +
            `\`v.literal(${renderLiteral(literal)})\`.${path}`,
        };
}

function checkId(validator: ValidatorJSON & { type: "id" }, tableOf: TableOf): Check {
  const wanted = validator.tableName;
  return (value) => {
    const found = typeof value === "string" ? tableOf(value) : null;
    if (found === wanted) return null;
    if (found === null) return noMatch(validator, value);
    const origin = found.startsWith("_") ? "a system table" : `table \`${found}\``;
    return {
      path: "",
      describe: (path) =>
        `Found ID ${renderValue(value)} from ${origin}, ` +
        `which does not match the table name in validator \`v.id("${wanted}")\`.${path}`,
    };
  };
}

function checkArray(validator: ValidatorJSON, checkElement: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return noMatch(validator, value);
    for (let i = 0; i < value.length; i++) {
      const mismatch = checkElement(value[i] ?? null);
      if (mismatch) return inside(mismatch, `[${i}]`);
    }
    return null;
  };
}

function checkRecord(validator: ValidatorJSON, checkKey: Check, checkField: Check): Check {
  return (value) => {
    if (kindOf(value) !== "object") return noMatch(validator, value);
    for (const [key, field] of Object.entries(value as JSONObject)) {
      const mismatch = inside(checkKey(key), ".keys()") ?? inside(checkField(field), ".values()");
      if (mismatch) return mismatch;
    }
    return null;
  };
}

/** A union of one reports what its member finds; otherwise nobody knows which member was meant. */
function checkUnion(validator: ValidatorJSON, members: readonly Check[]): Check {
  const [only] = members;
  if (only && members.length === 1) return only;
  return (value) =>
    members.some((check) => check(value) === null) ? null : noMatch(validator, value);
}

type Field = { readonly check: Check; readonly isOptional: boolean };
type ObjectJSON = ValidatorJSON & { type: "object" };

/** Sorted by name, as Convex checks them. */
function compileFields(fields: ObjectJSON["value"], tableOf: TableOf): Map<string, Field> {
  const names = Object.keys(fields).sort();
  const compiled = new Map<string, Field>();
  for (const name of names) {
    const field = fields[name];
    if (!field) continue;
    compiled.set(name, { check: compile(field.fieldType, tableOf), isOptional: field.optional });
  }
  return compiled;
}

function checkObject(validator: ObjectJSON, fields: ReadonlyMap<string, Field>): Check {
  const wrongFields = (reason: string, value: JSONValue): Mismatch => ({
    path: "",
    describe: (path) =>
      `${reason}\n${path}\nObject: ${renderValue(value)}\nValidator: ${renderValidator(validator)}`,
  });
  return (value) => {
    if (kindOf(value) !== "object") return noMatch(validator, value);
    const object = value as JSONObject;
    for (const [name, { check, isOptional }] of fields) {
      const field = Object.hasOwn(object, name) ? object[name] : undefined;
      if (field !== undefined) {
        const mismatch = check(field);
        if (mismatch) return inside(mismatch, `.${name}`);
      } else if (!isOptional) {
        return wrongFields(
          `Object is missing the required field \`${name}\`. ` +
            "Consider wrapping the field validator in `v.optional(...)` if this is expected.",
          value,
        );
      }
    }
    for (const name in object) {
      if (!fields.has(name) && object[name] !== undefined) {
        return wrongFields(
          `Object contains extra field \`${name}\` that is not in the validator.`,
          value,
        );
      }
    }
    return null;
  };
}
