import { v } from "convex/values";
import type { GenericValidator, Value } from "convex/values";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JSONValue } from "./kinds.ts";
import { compileValidator } from "./validators.ts";
import { anyValue, encode, jsonOf } from "./values.helpers.ts";

const TABLES: Record<string, string> = { id_user: "users", id_post: "posts", id_job: "_jobs" };
const problem = (validator: GenericValidator, json: JSONValue, path?: string): string | null =>
  compileValidator(jsonOf(validator), (id) => TABLES[id] ?? null)(json, path);
const check = (validator: GenericValidator, value: Value): string | null =>
  problem(validator, encode(value));

const KINDS: [name: string, validator: GenericValidator, fits: Value][] = [
  ["v.null()", v.null(), null],
  ["v.int64()", v.int64(), 5n],
  ["v.float64()", v.number(), NaN],
  ["v.boolean()", v.boolean(), false],
  ["v.string()", v.string(), "x"],
  ["v.bytes()", v.bytes(), new ArrayBuffer(2)],
  ["v.array(v.any())", v.array(v.any()), [1, "a"]],
  ["v.object({})", v.object({}), {}],
];

describe("a validator of one type", () => {
  test.each(KINDS)("%s accepts its own values and no others", (name, validator, fits) => {
    expect(check(validator, fits)).toBeNull();
    for (const [otherName, , other] of KINDS) {
      if (otherName === name) continue;
      expect(check(validator, other)).toContain(`Value does not match validator.\n\nValue: `);
      expect(check(validator, other)).toContain(`\nValidator: ${name}`);
    }
  });

  test("v.any() accepts everything", () => {
    fc.assert(fc.property(anyValue, (value) => check(v.any(), value) === null));
  });

  test("v.commitTs() and v.int64() accept an int64 and the pending timestamp", () => {
    for (const validator of [v.commitTs(), v.int64()]) {
      expect(problem(validator, { $commitTs: null })).toBeNull();
      expect(check(validator, 7n)).toBeNull();
      expect(check(validator, 7)).not.toBeNull();
    }
  });

  test("a malformed special form is of no type", () => {
    const malformed: JSONValue[] = [{ $integer: 5 }, { $integer: "AA==" }, { $float: "x" }];
    for (const json of malformed) {
      for (const [, validator] of KINDS) expect(problem(validator, json)).not.toBeNull();
    }
  });
});

describe("ids", () => {
  test("an id of the table fits", () => {
    expect(check(v.id("users"), "id_user")).toBeNull();
  });

  test("an id of another table is named, with both tables", () => {
    expect(check(v.object({ by: v.id("users") }), { by: "id_post" })).toBe(
      'Found ID "id_post" from table `posts`, which does not match the table name in validator ' +
        '`v.id("users")`.Path: .by',
    );
  });

  test("an id of a system table does not tell which", () => {
    expect(check(v.id("users"), "id_job")).toContain('"id_job" from a system table, which');
  });

  test("a text that is no id does not match", () => {
    expect(check(v.id("users"), "nobody")).toBe(
      'Value does not match validator.\n\nValue: "nobody"\nValidator: v.id("users")',
    );
  });
});

describe("literals", () => {
  test("compare type and value, bigints too", () => {
    expect(check(v.literal("a"), "a")).toBeNull();
    expect(check(v.literal(3n), 3n)).toBeNull();
    expect(check(v.literal(0), 0)).toBeNull();
    expect(check(v.literal(3n), 3)).toBe(
      "`3.0` does not match literal validator `v.literal(<bigint>)`.",
    );
    expect(check(v.literal("a"), "b")).toBe(
      '`"b"` does not match literal validator `v.literal("a")`.',
    );
    expect(check(v.literal(true), 1)).not.toBeNull();
  });
});

describe("objects", () => {
  const person = v.object({
    name: v.string(),
    age: v.optional(v.number()),
    tags: v.array(v.string()),
  });

  test("an optional field may be missing", () => {
    expect(check(person, { name: "ada", tags: [] })).toBeNull();
    expect(check(person, { name: "ada", tags: ["x"], age: 36 })).toBeNull();
  });

  test("a missing field is named, with Convex's advice", () => {
    expect(check(person, { tags: [] })).toBe(
      "Object is missing the required field `name`. Consider wrapping the field validator in " +
        "`v.optional(...)` if this is expected.\n\nObject: {tags: []}\n" +
        "Validator: v.object({age: v.optional(v.float64()), name: v.string(), tags: v.array(v.string())})",
    );
  });

  test("an extra field is named", () => {
    expect(check(v.object({ a: v.number() }), { a: 1, b: 2.5 })).toBe(
      "Object contains extra field `b` that is not in the validator.\n\n" +
        "Object: {a: 1.0, b: 2.5}\nValidator: v.object({a: v.float64()})",
    );
  });

  test("the path leads to the wrong value, through objects and arrays", () => {
    expect(
      check(v.object({ list: v.array(person) }), { list: [{ name: "a", tags: ["x", 2] }] }),
    ).toBe(
      "Value does not match validator.\nPath: .list[0].tags[1]\nValue: 2.0\nValidator: v.string()",
    );
  });

  test("a path that the caller gives comes first", () => {
    expect(problem(v.string(), 1, ".args")).toContain("\nPath: .args\n");
  });

  test("an inherited name is not a field that is there", () => {
    expect(check(v.object({ constructor: v.any() }), {})).toContain("missing the required field");
    expect(problem(v.object({}), JSON.parse('{"__proto__": 1}') as JSONValue)).toContain(
      "extra field",
    );
  });
});

describe("records", () => {
  test("check each key and each value", () => {
    expect(check(v.record(v.string(), v.number()), { a: 1, b: 2 })).toBeNull();
    expect(check(v.record(v.string(), v.number()), { a: "x" })).toContain("Path: .values()");
    expect(check(v.record(v.id("users"), v.any()), { nobody: 1 })).toContain("Path: .keys()");
    expect(check(v.record(v.id("users"), v.any()), { id_user: 1 })).toBeNull();
  });

  test("are no arrays", () => {
    expect(check(v.record(v.string(), v.any()), [])).toContain(
      "Validator: v.record(v.string(), v.any())",
    );
  });
});

describe("unions", () => {
  test("accept what any member accepts", () => {
    const validator = v.union(v.null(), v.literal("a"), v.object({ kind: v.literal(1) }));
    expect(check(validator, null)).toBeNull();
    expect(check(validator, { kind: 1 })).toBeNull();
    expect(check(validator, { kind: 2 })).toBe(
      "Value does not match validator.\n\nValue: {kind: 2.0}\n" +
        'Validator: v.union(v.null(), v.literal("a"), v.object({kind: v.literal(1.0)}))',
    );
  });

  test("of one member report what the member finds; of none, accept nothing", () => {
    expect(check(v.union(v.object({ a: v.string() })), { a: 1 })).toContain("Path: .a");
    expect(check(v.union(), 1)).toContain("Validator: v.union()");
  });
});

test("every kind of value is rendered as Convex renders it", () => {
  const values: [Value, string][] = [
    [1, "1.0"],
    [-0, "-0.0"],
    [1.5e-7, "1.5e-7"],
    [Infinity, "inf"],
    [NaN, "NaN"],
    [-5n, "-5"],
    ['a "quote"', '"a \\"quote\\""'],
    [Uint8Array.of(1, 2).buffer, 'b"AQI="'],
    [{ b: [true, null], a: "x" }, '{a: "x", b: [true, null]}'],
  ];
  for (const [value, rendered] of values) {
    expect(check(v.union(), value)).toContain(`\nValue: ${rendered}\n`);
  }
});
