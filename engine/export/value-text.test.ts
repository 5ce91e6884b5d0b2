import { convexToJson, jsonToConvex } from "convex/values";
import type { JSONValue, Value } from "convex/values";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromUniform, toUniform } from "./value-text.ts";

const written: readonly [string, Value, string][] = [
  ["an int64", 42n, "42"],
  ["the largest int64", 2n ** 63n - 1n, "9223372036854775807"],
  ["a whole float64", 42, "42.0"],
  ["minus zero", -0, "-0.0"],
  ["a large float64", 1e21, "1e+21"],
  ["infinity", Infinity, '{"$float":"AAAAAAAA8H8="}'],
  ["bytes", new Uint8Array([1, 2]).buffer, '{"$bytes":"AQI="}'],
  ["a string of digits", "12", '"12"'],
  ["nested values", { a: [1n, 1], b: null }, '{"a":[1,1.0],"b":null}'],
];

test.each(written)("%s is written as Convex writes it and comes back", (_what, value, text) => {
  const json = JSON.stringify(convexToJson(value));
  expect(toUniform(json)).toBe(text);
  expect(jsonToConvex(JSON.parse(fromUniform(text)) as JSONValue)).toEqual(value);
});

test("any document comes back as it was, also with digits, quotes and backslashes in its strings", () => {
  const scalar = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double(),
    fc.string({ unit: fc.constantFrom('"', "\\", "1", ".", "-", "{", "é", "x") }),
    fc.boolean(),
    fc.constant(null),
  );
  const value = fc.array(fc.oneof(scalar, fc.array(scalar), fc.record({ "a 1": scalar })));
  fc.assert(
    fc.property(value, (values) => {
      const json = JSON.stringify(convexToJson({ values: values as Value[] }));
      expect(JSON.parse(fromUniform(toUniform(json)))).toEqual(JSON.parse(json));
    }),
  );
});
