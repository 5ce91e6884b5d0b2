/** Owns: random Convex values for property tests. Not: their order or rules. */
import { convexToJson } from "convex/values";
import type { GenericValidator, ValidatorJSON, Value } from "convex/values";
import fc from "fast-check";
import type { JSONValue } from "./kinds.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("", "\0", "\0\0", "a", "a\0", "a\0b", "a\x01", "ab", "é", "\u{1F600}", "\uFFFD"),
);
const float = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 1, -1, Number.MIN_VALUE, Number.MAX_VALUE),
);
const int = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, -1n, 1n, 2n ** 63n - 1n, -(2n ** 63n)),
);
const bytes = fc
  .uint8Array({ maxLength: 5 })
  .map((array): ArrayBuffer => Uint8Array.from(array).buffer);
const fieldName = fc.constantFrom("a", "b", "aa", "Z", "a b", "constructor");

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    float,
    int,
    text,
    bytes,
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(fieldName, tie("value")), { maxLength: 3 })
      .map((fields): Value => Object.fromEntries(fields)),
  ),
}));

/** A decoded value of any type, nested, with the awkward ones over-represented. */
export const anyValue: fc.Arbitrary<Value> = value;

/** What crosses the engine's seam: the JSON text's value, exactly as a client would send it. */
export function encode(decoded: Value): JSONValue {
  return JSON.parse(JSON.stringify(convexToJson(decoded))) as JSONValue;
}

/** What a validator looks like in a pushed module's exportArgs; the official types hide the property. */
export function jsonOf(validator: GenericValidator): ValidatorJSON {
  if (!("json" in validator)) throw new Error(`A validator of kind ${validator.kind} has no json.`);
  return validator.json as ValidatorJSON;
}
