/** Owns: every operator of an index with every type of value, in both orders. Not: what reads rows otherwise (reading.ts). */
import type { Value } from "convex/values";
import { describe, expect, test } from "vitest";
import { failureOf } from "./world.ts";
import type { Args, CurrentWorld, World } from "./world.ts";

/** How app/convex/rows.ts is told that a field or a bound is missing. */
const MISSING = "missing!";

const bytes = (...of: number[]): ArrayBuffer => new Uint8Array(of).buffer;

/** In Convex's order. Each stands for itself: none equals another. */
const IN_ORDER: readonly (readonly [name: string, value: Value])[] = [
  ["missing", MISSING],
  ["null", null],
  ["smallest int64", -(2n ** 63n)],
  ["int64 -1", -1n],
  ["int64 0", 0n],
  ["int64 1", 1n],
  ["int64 2^53 + 1", 2n ** 53n + 1n],
  ["largest int64", 2n ** 63n - 1n],
  ["-Infinity", -Infinity],
  ["-1.5", -1.5],
  ["smallest below zero", -Number.MIN_VALUE],
  ["-0", -0],
  ["0", 0],
  ["1", 1],
  ["1.5", 1.5],
  ["largest", Number.MAX_VALUE],
  ["Infinity", Infinity],
  ["NaN", NaN],
  ["false", false],
  ["true", true],
  ["empty text", ""],
  ["zero character", "\u0000"],
  ["A", "A"],
  ["a", "a"],
  ["a and zero", "a\u0000"],
  ["ab", "ab"],
  ["é", "é"],
  ["last before surrogates", "\uffee"],
  ["beyond them", "😀"],
  ["no bytes", bytes()],
  ["byte 0", bytes(0)],
  ["bytes 0 0", bytes(0, 0)],
  ["byte 255", bytes(255)],
  ["empty array", []],
  ["array of null", [null]],
  ["array of int64", [1n]],
  ["array of float64", [1]],
  ["longer array", [1, null]],
  ["nested array", [[]]],
  ["deeper array", [[1], 2]],
  ["array of object", [{ a: 1 }]],
  ["empty object", {}],
  ["object a null", { a: null }],
  ["object a 1", { a: 1 }],
  ["object a 1, b", { a: 1, b: 1 }],
  ["object a text", { a: "x" }],
  ["object with array", { a: [1] }],
  ["object a object", { a: { b: 1 } }],
  ["object b", { b: 0 }],
];
const NAMES = IN_ORDER.map(([name]) => name);

const OPERATORS = {
  eq: (place: number, bound: number) => place === bound,
  gt: (place: number, bound: number) => place > bound,
  gte: (place: number, bound: number) => place >= bound,
  lt: (place: number, bound: number) => place < bound,
  lte: (place: number, bound: number) => place <= bound,
} as const;
type Operator = keyof typeof OPERATORS;
type Bound = readonly [Operator, string, Value];
const ORDERS = ["asc", "desc"] as const;

/** Shuffled by a fixed rule, so that the order of writing says nothing. */
async function fill(world: World, at: (key: Value) => Record<string, Value>): Promise<void> {
  const docs = IN_ORDER.map(([name, key]) => ({ name, ...at(key) }));
  const shuffled = docs.map((_, i) => docs[(i * 20 + 7) % docs.length] ?? {});
  expect(new Set(shuffled).size).toBe(docs.length);
  await world.mutation("rows:insert", { table: "things", docs: shuffled });
}

const expected = (bounds: readonly Bound[], order: "asc" | "desc"): string[] => {
  const found = NAMES.filter((_, place) =>
    bounds.every(([operator, , value]) =>
      OPERATORS[operator](
        place,
        IN_ORDER.findIndex(([, each]) => Object.is(each, value)),
      ),
    ),
  );
  return order === "asc" ? found : found.reverse();
};

async function compare(
  world: World,
  index: string,
  prefix: readonly Bound[],
  field: string,
  ranges: readonly (readonly Bound[])[],
): Promise<void> {
  const cases = ranges.flatMap((range) => ORDERS.map((order) => ({ range, order })));
  const asked: Args[] = cases.map(({ range, order }) => ({
    index,
    order,
    range: [...prefix, ...range].map((bound) => [...bound]),
  }));
  const found = await world.query("rows:lists", { asked });
  const wanted = cases.map(({ range, order }) => expected(range, order));
  for (const [i, names] of (found as string[][]).entries())
    expect({ asked: asked[i], field, names }).toEqual({ asked: asked[i], field, names: wanted[i] });
}

export function describeIndexes(current: CurrentWorld): void {
  const single = (field: string): Bound[][] =>
    (Object.keys(OPERATORS) as Operator[]).flatMap((operator) =>
      IN_ORDER.map(([, value]): Bound[] => [[operator, field, value]]),
    );

  test("an index holds every type in Convex's order, in both directions", async () => {
    const world = current();
    await fill(world, (key) => ({ key }));
    await compare(world, "by_key", [], "key", [[]]);
  });

  test("each operator with each value finds what lies there", async () => {
    const world = current();
    await fill(world, (key) => ({ key }));
    await compare(world, "by_key", [], "key", single("key"));
  });

  test("each operator on the second field stays within the equality of the first", async () => {
    const world = current();
    await fill(world, (key) => ({ group: "own", key }));
    const others = [
      { name: "other", group: "other", key: 1 },
      { name: "no group", key: 1 },
    ];
    await world.mutation("rows:insert", { table: "things", docs: others });
    await compare(world, "by_pair", [["eq", "group", "own"]], "key", single("key"));
  });

  test("each operator on a field inside an object, where no object makes the field missing", async () => {
    const world = current();
    await fill(world, (key) =>
      key === MISSING ? { nested: "no object" } : { nested: { deep: key } },
    );
    await compare(world, "by_deep", [], "nested.deep", single("nested.deep"));
  });

  test.each([
    ["gte", "lt"],
    ["gt", "lte"],
    ["lt", "gte"],
    ["lte", "gt"],
  ] as const)("%s with %s between every other pair of values", async (one, two) => {
    const world = current();
    await fill(world, (key) => ({ key }));
    const some = IN_ORDER.filter((_, i) => i % 3 === 0);
    const pairs = some.flatMap(([, a]) =>
      some.map(([, b]): Bound[] => [
        [one, "key", a],
        [two, "key", b],
      ]),
    );
    await compare(world, "by_key", [], "key", pairs);
  });

  test("equal keys come in the order of creation, and backwards", async () => {
    const world = current();
    const docs = ["first", "second", "third"].map((name) => ({ name, key: NaN }));
    await world.mutation("rows:insert", { table: "things", docs });
    const range = [["eq", "key", NaN]];
    expect(await world.query("rows:list", { index: "by_key", range })).toEqual([
      "first",
      "second",
      "third",
    ]);
    expect(await world.query("rows:list", { index: "by_key", range, order: "desc" })).toEqual([
      "third",
      "second",
      "first",
    ]);
  });

  test("a key that becomes another moves, one that is unset is missing, and both at once are seen inside the transaction", async () => {
    const world = current();
    const [id] = (await world.mutation("rows:insert", {
      table: "things",
      docs: [{ name: "it", key: 1n }],
    })) as [string];
    const at = (key: Value) =>
      world.query("rows:list", { index: "by_key", range: [["eq", "key", key]] });
    const docs = [{ key: -0 }, { key: [NaN] }];
    expect(await world.mutation("rows:rewrite", { id, docs })).toMatchObject([
      { key: -0 },
      { key: [NaN] },
    ]);
    expect([await at(1n), await at(-0), await at([NaN])]).toEqual([[], [], ["it"]]);
    await world.mutation("rows:patch", { id, doc: { key: MISSING } });
    expect([await at([NaN]), await at(MISSING)]).toEqual([[], ["it"]]);
    await world.mutation("rows:remove", { id });
    expect(await at(MISSING)).toEqual([]);
  });

  describe("a range that no index can answer", () => {
    const says = async (range: Value, index = "by_pair"): Promise<string> =>
      (await failureOf(current().query("rows:list", { index, range }))).message;

    test("names the field that comes first", async () => {
      expect(await says([["eq", "key", 1]])).toContain(
        'Incorrect field used in `withIndex`, expected "group", got "key"',
      );
    });

    test("does not go on behind an inequality", async () => {
      const behind: Value = [
        ["gt", "group", "a"],
        ["eq", "key", 1],
      ];
      expect(await says(behind)).toMatch(/Incorrect (operator|field) used in `withIndex`/);
      const apart: Value = [
        ["gt", "group", "a"],
        ["lt", "key", 1],
      ];
      expect(await says(apart)).toMatch(/Incorrect field used in `withIndex`/);
    });

    test("needs an index that the schema has", async () => {
      expect(await says([], "by_nothing")).toMatch(/by_nothing/);
    });
  });

  test("the indexes that every table has: by_creation_time and by_id", async () => {
    const world = current();
    const docs = ["a", "b", "c"].map((name) => ({ name }));
    const ids = (await world.mutation("rows:insert", { table: "things", docs })) as string[];
    const [first] = (await world.query("rows:docs", {})) as { _creationTime: number }[];
    const range = [["gt", "_creationTime", first?._creationTime ?? 0]];
    expect(await world.query("rows:list", { index: "by_creation_time", range })).toEqual([
      "b",
      "c",
    ]);
    const byId = { index: "by_id", range: [["eq", "_id", ids[1] ?? ""]] };
    expect(await world.query("rows:list", byId)).toEqual(["b"]);
  });
}
