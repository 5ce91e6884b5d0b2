import { expect, test } from "vitest";
import type { JSONValue } from "../values/kinds.ts";
import { passes } from "./filter.ts";

const int = (value: bigint): JSONValue => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return { $integer: bytes.toString("base64") };
};
const document = { n: 5, i: int(7n), name: "b", flag: true, nested: { deep: 1 }, nothing: null };
const field = (name: string): JSONValue => ({ $field: name });
const literal = (value: JSONValue): JSONValue => ({ $literal: value });

test.each<[string, JSONValue, boolean]>([
  ["a field that is true", field("flag"), true],
  ["a field that is missing", field("missing"), false],
  ["null", field("nothing"), false],
  [
    "a missing field equals undefined",
    { $eq: [field("missing"), literal({ $undefined: null })] },
    true,
  ],
  ["a nested field", { $eq: [field("nested.deep"), literal(1)] }, true],
  ["text order", { $lt: [field("name"), literal("c")] }, true],
  ["types order: a number is less than a text", { $lt: [literal(9), field("name")] }, true],
  ["numbers", { $gt: [{ $add: [field("n"), literal(1)] }, literal(5.5)] }, true],
  ["modulo", { $eq: [{ $mod: [field("n"), literal(2)] }, literal(1)] }, true],
  ["bigints", { $eq: [{ $mul: [field("i"), literal(int(2n))] }, literal(int(14n))] }, true],
  ["minus", { $eq: [{ $neg: field("n") }, literal(-5)] }, true],
  ["a float is no int", { $eq: [literal(7), field("i")] }, false],
  ["and", { $and: [field("flag"), { $gte: [field("n"), literal(5)] }] }, true],
  ["or", { $or: [field("missing"), { $lte: [field("n"), literal(4)] }] }, false],
  ["not", { $not: field("missing") }, true],
])("%s", (_name, expression, expected) => {
  expect(passes(document, expression)).toBe(expected);
});

test("arithmetic on what is no number says what it got", () => {
  expect(() => passes(document, { $add: [field("name"), literal(1)] })).toThrow("got string");
  expect(() => passes(document, { $add: [field("missing"), literal(1)] })).toThrow(
    "got a missing field",
  );
  expect(() => passes(document, { $what: [] })).toThrow("Unknown filter expression");
});
