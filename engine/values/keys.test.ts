import { compareValues as convexCompare } from "convex/values";
import type { Value } from "convex/values";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { afterPrefix, compareValues, encodeKey, fieldAt } from "./keys.ts";
import { anyValue, encode } from "./values.helpers.ts";
import { runs } from "../../tests/long.helpers.ts";

const keyOf = (value: Value | undefined): string =>
  encodeKey(value === undefined ? undefined : encode(value));

const compareText = (a: string, b: string): number => (a < b ? -1 : a === b ? 0 : 1);

/** The order, written down a second time and without a thought for speed. */
function modelCompare(a: Value | undefined, b: Value | undefined): number {
  const rank = modelRank(a) - modelRank(b);
  if (rank !== 0) return Math.sign(rank);
  if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : a === b ? 0 : 1;
  if (typeof a === "number" && typeof b === "number") return modelCompareFloats(a, b);
  if (typeof a === "boolean") return Number(a) - Number(b);
  if (typeof a === "string" && typeof b === "string")
    return Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (a instanceof ArrayBuffer && b instanceof ArrayBuffer)
    return Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (Array.isArray(a) && Array.isArray(b)) return modelCompareLists(a, b);
  if (a && b && typeof a === "object")
    return modelCompareLists(modelFields(a), modelFields(b as Record<string, Value>));
  return 0;
}

function modelRank(value: Value | undefined): number {
  if (value === undefined) return 0;
  if (value === null) return 1;
  const rank = ["bigint", "number", "boolean", "string"].indexOf(typeof value);
  if (rank >= 0) return 2 + rank;
  return value instanceof ArrayBuffer ? 6 : Array.isArray(value) ? 7 : 8;
}

function modelCompareFloats(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  if (a === b) return Number(Object.is(b, -0)) - Number(Object.is(a, -0));
  return a < b ? -1 : 1;
}

function modelCompareLists(a: readonly Value[], b: readonly Value[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = modelCompare(a[i], b[i]);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

function modelFields(object: object): Value[] {
  return Object.entries(object)
    .sort(([a], [b]) => compareText(a, b))
    .flat() as Value[];
}

const optionalValue = fc.option(anyValue, { nil: undefined, freq: 12 });

describe("the order of keys", () => {
  test("is the order of the values, for any two values", () => {
    fc.assert(
      fc.property(optionalValue, optionalValue, (a, b) => {
        expect(compareText(keyOf(a), keyOf(b))).toBe(modelCompare(a, b));
      }),
      { numRuns: runs(5_000, 100_000) },
    );
  });

  test("agrees with compareValues of the official package", () => {
    fc.assert(
      fc.property(optionalValue, optionalValue, (a, b) => {
        expect(compareText(keyOf(a), keyOf(b))).toBe(Math.sign(convexCompare(a, b)));
      }),
      { numRuns: runs(5_000, 100_000) },
    );
  });

  test("goes undefined, null, int64, float64, boolean, string, bytes, array, object", () => {
    const ascending: (Value | undefined)[] = [
      undefined,
      null,
      -(2n ** 63n),
      -1n,
      0n,
      2n ** 63n - 1n,
      -Infinity,
      -1,
      -0,
      0,
      Number.MIN_VALUE,
      1,
      Infinity,
      NaN,
      false,
      true,
      "",
      "\0",
      "\0a",
      "\x01",
      "a",
      "a\0",
      "ab",
      "é",
      "\uFFFD",
      "\u{1F600}",
      new ArrayBuffer(0),
      new ArrayBuffer(1),
      new ArrayBuffer(2),
      Uint8Array.of(255).buffer,
      [],
      [null],
      [null, null],
      ["a"],
      [["a"]],
      [{}],
      {},
      { a: 1 },
      { a: 1, b: 1 },
      { a: 2 },
      { b: 0 },
    ];
    const keys = ascending.map(keyOf);
    expect([...keys].sort()).toEqual(keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("a pending commit timestamp sorts as the largest int64", () => {
    expect(encodeKey({ $commitTs: null })).toBe(keyOf(2n ** 63n - 1n));
  });

  test("of concatenated keys is the order of the tuples", () => {
    const tuple = fc.array(optionalValue, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(tuple, tuple, (a, b) => {
        const joined = (values: typeof a): string => values.map(keyOf).join("");
        expect(compareText(joined(a), joined(b))).toBe(
          modelCompareLists(a as Value[], b as Value[]),
        );
      }),
      { numRuns: runs(3_000, 60_000) },
    );
  });

  test("no key is a prefix of another, so a tuple has one way to be read", () => {
    fc.assert(
      fc.property(optionalValue, optionalValue, (a, b) => {
        const [keyA, keyB] = [keyOf(a), keyOf(b)];
        expect(keyA !== keyB && keyB.startsWith(keyA)).toBe(false);
      }),
      { numRuns: runs(3_000, 60_000) },
    );
  });

  test("every unit of a key is a byte", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(keyOf(value)).toMatch(/^[\0-\xff]*$/);
      }),
    );
  });

  test("afterPrefix ends the range of what continues a prefix, and of nothing else", () => {
    fc.assert(
      fc.property(anyValue, anyValue, optionalValue, (prefix, other, next) => {
        const [lo, hi] = [keyOf(prefix), afterPrefix(keyOf(prefix))];
        const continued = lo + keyOf(next);
        expect(lo <= continued && continued < hi).toBe(true);
        const foreign = keyOf(other);
        if (foreign !== lo) expect(lo <= foreign && foreign < hi).toBe(false);
      }),
    );
  });
});

describe("compareValues", () => {
  test("agrees with the keys for any two values", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        expect(Math.sign(compareValues(encode(a), encode(b)))).toBe(modelCompare(a, b));
      }),
      { numRuns: runs(2_000, 40_000) },
    );
  });

  test("an int64 is never equal to the float of the same number, nor 0 to −0", () => {
    expect(compareValues(encode(1n), encode(1))).toBeLessThan(0);
    expect(compareValues(encode(-0), encode(0))).toBeLessThan(0);
    expect(compareValues(encode(NaN), encode(NaN))).toBe(0);
  });
});

describe("fieldAt", () => {
  const document = { a: { b: { c: 1 } }, list: [{ c: 2 }], when: { $integer: "AQAAAAAAAAA=" } };

  test("follows a path of names", () => {
    expect(fieldAt(document, "a.b.c")).toBe(1);
    expect(fieldAt(document, "a.b")).toEqual({ c: 1 });
  });

  test("finds nothing where a part is missing or is no object", () => {
    for (const path of ["x", "a.x", "a.b.c.d", "list.0.c", "when.x"]) {
      expect(fieldAt(document, path)).toBeUndefined();
    }
  });

  test("does not take what every object inherits for a field", () => {
    expect(fieldAt(document, "constructor")).toBeUndefined();
    expect(fieldAt(document, "a.toString")).toBeUndefined();
  });
});
