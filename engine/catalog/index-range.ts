/**
 * Owns: which storage keys the range expression of `withIndex` covers, and refusing expressions that make no range.
 * Not: walking them (functions/query-stream.ts).
 */
import { FunctionError } from "../errors.ts";
import type { Key } from "../storage/storage.ts";
import { endOf, justAfter, textBytes } from "../transactions/key-space.ts";
import { encodeKey } from "../values/keys.ts";
import { encodedPart } from "../values/kinds.ts";
import type { JSONValue } from "../values/kinds.ts";
import { BY_CREATION_TIME, BY_ID, documentsOf, rowsOf } from "./tables.ts";
import type { Table } from "./tables.ts";

export type RangeExpression = {
  readonly type: "Eq" | "Gt" | "Gte" | "Lt" | "Lte";
  readonly fieldPath: string;
  readonly value: JSONValue;
};

export type IndexRange = {
  readonly lo: Key;
  readonly hi: Key;
  /** `documents`: the keys are those of the documents themselves. `rows`: those of an index. */
  readonly of: "documents" | "rows";
};

/** The whole table, oldest document first. */
export function wholeTable(table: Table): IndexRange {
  return indexRange(table, BY_CREATION_TIME, []);
}

export function indexRange(
  table: Table,
  indexName: string,
  expressions: readonly RangeExpression[],
): IndexRange {
  if (indexName === BY_ID) return { ...idRange(table, expressions), of: "documents" };
  const index = table.indexes.find(
    (candidate) => candidate.name === indexName && candidate.state === "active",
  );
  if (index === undefined) {
    throw new FunctionError(
      `Index ${table.name}.${indexName} not found. Add it to the table in schema.ts and push.`,
    );
  }
  const bounds = bound(rowsOf(index), [...index.fields, "_creationTime", "_id"], expressions);
  return { ...bounds, of: "rows" };
}

/** By-id keys hold the id as it is, without a tag. */
function idRange(table: Table, expressions: readonly RangeExpression[]): { lo: Key; hi: Key } {
  const prefix = documentsOf(table);
  let lo = prefix;
  let hi = endOf(prefix);
  assertShape(["_id"], expressions);
  for (const { type, value } of expressions) {
    const key = prefix + idText(value);
    if (type === "Eq" || type === "Gte") lo = key;
    if (type === "Gt") lo = justAfter(key);
    if (type === "Lt") hi = key;
    if (type === "Eq" || type === "Lte") hi = justAfter(key);
  }
  return { lo, hi };
}

/** Every key holds a string there, so nothing equals another value. */
function idText(value: JSONValue): Key {
  if (typeof value === "string") return textBytes(value);
  throw new FunctionError(`\`_id\` is compared with strings only; got ${JSON.stringify(value)}.`);
}

function bound(
  prefix: Key,
  fields: readonly string[],
  expressions: readonly RangeExpression[],
): { lo: Key; hi: Key } {
  assertShape(fields, expressions);
  let equal = prefix;
  let lo: Key | null = null;
  let hi: Key | null = null;
  for (const { type, fieldPath, value } of expressions) {
    const key = equal + (fieldPath === "_id" ? idText(value) : encodeBound(value));
    if (type === "Eq") equal = key;
    if (type === "Gte") lo = key;
    if (type === "Gt") lo = endOf(key);
    if (type === "Lt") hi = key;
    if (type === "Lte") hi = endOf(key);
  }
  return { lo: lo ?? equal, hi: hi ?? endOf(equal) };
}

/** `{$undefined: null}` asks for documents that lack the field. */
function encodeBound(value: JSONValue): Key {
  const isUndefined =
    value !== null && typeof value === "object" && Object.hasOwn(value, "$undefined");
  return encodeKey(isUndefined && encodedPart(value, "$bytes") === null ? undefined : value);
}

/** Equalities on the first fields in order, then at most one lower and one upper bound on the next field. */
function assertShape(fields: readonly string[], expressions: readonly RangeExpression[]): void {
  let equalities = 0;
  const bounds = new Set<"gt" | "lt">();
  for (const { type, fieldPath } of expressions) {
    const wanted = fields[equalities];
    if (fieldPath !== wanted) {
      throw new FunctionError(
        `Incorrect field used in \`withIndex\`, expected "${wanted ?? "no further field"}", got "${fieldPath}"`,
      );
    }
    if (type === "Eq") {
      if (bounds.size > 0) throw chained(type);
      equalities++;
      continue;
    }
    const side = type === "Gt" || type === "Gte" ? "gt" : "lt";
    if (bounds.has(side)) throw chained(type);
    bounds.add(side);
  }
}

function chained(type: RangeExpression["type"]): FunctionError {
  return new FunctionError(
    `Incorrect operator used in \`withIndex\`, cannot chain \`.${type.toLowerCase()}()\` here: ` +
      "first `.eq()`s in the order of the index's fields, then one lower and one upper bound on the next field.",
  );
}
