import { getConvexSize } from "convex/values";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FunctionError } from "../errors.ts";
import { MAX_ARRAY_LENGTH, MAX_DOCUMENT_BYTES, MAX_OBJECT_FIELDS } from "../limits.ts";
import type { JSONValue } from "./kinds.ts";
import { assertStorable, sizeOf } from "./sizes.ts";
import { anyValue, encode } from "./values.helpers.ts";
import { runs } from "../../tests/long.helpers.ts";

test("a size is what getConvexSize of the official package says", () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(sizeOf(encode(value))).toBe(getConvexSize(value));
    }),
    { numRuns: runs(2_000, 40_000) },
  );
});

test("a pending commit timestamp is as large as the int64 that it becomes", () => {
  expect(sizeOf({ $commitTs: null })).toBe(9);
});

describe("a document can be stored", () => {
  const nested = (depth: number): JSONValue => (depth === 0 ? 1 : { d: nested(depth - 1) });
  const storable: Record<string, JSONValue> = {
    "with system fields": { _id: "x", _creationTime: 1 },
    "with names below that begin with an underscore": { a: { _id: "x", _other: 1 } },
    "64 levels deep": nested(64),
    "with the longest array": { list: Array.from({ length: MAX_ARRAY_LENGTH }, () => 1) },
    "with every type": encode({ a: 1n, b: NaN, c: new ArrayBuffer(3), d: null, e: [true] }),
    "of exactly 1 MiB": { a: "x".repeat(MAX_DOCUMENT_BYTES - 6) },
  };
  test.each(Object.entries(storable))("%s", (_name, document) => {
    expect(() => assertStorable(document)).not.toThrow();
  });
});

describe("a document cannot be stored", () => {
  const nested = (depth: number): JSONValue => (depth === 0 ? 1 : [nested(depth - 1)]);
  const wide = Object.fromEntries(
    Array.from({ length: MAX_OBJECT_FIELDS + 1 }, (_, i) => [`f${i}`, 0]),
  );
  const refused: [name: string, document: JSONValue, message: string][] = [
    ["that is no object", [1], "must be an object"],
    ["with a reserved name", { _secret: 1 }, "Field '_secret' starts with an underscore"],
    ["with a name that begins with $", { a: { $b: 1 } }, "Field name $b starts with a '$'"],
    ["with a malformed integer", { a: { $integer: 5 } }, "Field name $integer starts with a '$'"],
    ["with a name that is not ASCII", { a: { café: 1 } }, "invalid character 'é'"],
    ["with a control character in a name", { "a\n": 1 }, "invalid character"],
    ["with a name that is too long", { ["n".repeat(1025)]: 1 }, "maximum field name length 1024"],
    ["65 levels deep", { a: nested(64) }, "nested 65 levels deep > maximum nesting 64"],
    [
      "with an array that is too long",
      { list: Array.from({ length: 8193 }, () => 1) },
      "Array length is too long (8193 > maximum length 8192)",
    ],
    ["with too many fields", wide, "Object has too many fields (1025 > maximum number 1024)"],
    ["with a lone surrogate", { a: "x\ud800y" }, "toWellFormed"],
    [
      "over 1 MiB",
      { a: "x".repeat(MAX_DOCUMENT_BYTES * 1.25) },
      "Value is too large (1.25 MiB > maximum size 1 MiB)",
    ],
  ];
  test.each(refused)("%s", (_name, document, message) => {
    expect(() => assertStorable(document)).toThrow(FunctionError);
    expect(() => assertStorable(document)).toThrow(message);
  });

  test("nested so deep that recursion would overflow: the depth is reported, not a crash", () => {
    let deep: JSONValue = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(() => assertStorable({ deep })).toThrow("maximum nesting 64");
  });
});
