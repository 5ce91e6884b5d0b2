/** Owns: random schemas and random histories of raw operations on them. Not: running them (play.ts). */
import type { Value } from "convex/values";
import fc from "fast-check";
import { indexName, KINDS_OF_A } from "./schema.helpers.ts";
import type { TableSpec } from "./schema.helpers.ts";

/** How a missing field is written where `undefined` does not travel. */
const MISSING = "missing!";

export type Fields = Record<string, Value>;
export type Bound = ["eq" | "gt" | "gte" | "lt" | "lte", string, Value];
export type Order = "asc" | "desc";
export type Read = {
  readonly table: string;
  /** Null reads the table in the order of creation. */
  readonly index: string | null;
  readonly range: Bound[];
  readonly order: Order;
  readonly take: number | null;
};

export type Operation =
  | { readonly kind: "insert"; readonly table: string; readonly n: number; readonly fields: Fields }
  | {
      readonly kind: "patch";
      readonly table: string;
      readonly n: number;
      readonly fields: Fields;
    }
  | {
      readonly kind: "replace";
      readonly table: string;
      readonly n: number;
      readonly fields: Fields;
    }
  /** touch: writes the commit's timestamp anew. */
  | { readonly kind: "remove"; readonly table: string; readonly n: number }
  | { readonly kind: "touch"; readonly table: string; readonly n: number }
  | { readonly kind: "read"; readonly read: Read }
  | {
      readonly kind: "nested";
      readonly ops: Operation[];
      readonly fails: boolean;
      readonly isCaught: boolean;
    };

export type Step =
  | { readonly kind: "mutation"; readonly ops: Operation[]; readonly fails: boolean }
  | { readonly kind: "read"; readonly read: Read }
  | { readonly kind: "walk"; readonly read: Read; readonly numItems: number }
  | { readonly kind: "watch"; readonly read: Read }
  /** Somebody else watches what is watched already. */
  | { readonly kind: "watchAgain"; readonly which: number }
  /** A client evaluates what it watches without being told, as each does after a mutation of its own. */
  | { readonly kind: "look"; readonly which: number }
  | { readonly kind: "watchPages"; readonly read: Read; readonly numItems: number }
  | { readonly kind: "later"; readonly ops: Operation[]; readonly delayMs: number }
  | { readonly kind: "cancel"; readonly which: number }
  | { readonly kind: "advance"; readonly ms: number }
  /** The process dies and starts again: what was not acknowledged may be gone, subscriptions are made anew. */
  | { readonly kind: "restart" };

export type History = { readonly tables: readonly TableSpec[]; readonly steps: readonly Step[] };

/** Few, so that they meet; of every type. */
const VALUES: readonly Value[] = [
  MISSING,
  null,
  -1n,
  0n,
  2n ** 62n,
  -Infinity,
  -0,
  0,
  1.5,
  NaN,
  false,
  true,
  "",
  "a",
  "b\u0000",
  "😀",
  new Uint8Array([0, 255]).buffer,
  [],
  [1],
  [1n, [null]],
  {},
  { x: 1 },
  { x: "a", y: [NaN] },
];
const anyValue = fc.constantFrom(...VALUES);

/** What `a` accepts; now and then something else. */
const FITTING: Record<TableSpec["a"], fc.Arbitrary<Value>> = {
  anything: anyValue.map((value) => (value === MISSING ? null : value)),
  number: fc.constantFrom<Value>(-1, -0, 0, 2, NaN),
  optionalText: fc.constantFrom<Value>(MISSING, "", "a", "é", "😀"),
  int64OrNull: fc.constantFrom<Value>(null, -5n, 0n, 5n),
  numbers: fc.constantFrom<Value>([], [1], [1, NaN], [-0]),
};
const MISFIT = fc.constantFrom<Value>(true, { x: 1 });

const INDEXABLE = ["a", "b", "c", "c.x", "c.y"];
const MAX_ROWS = 12;

const tables: fc.Arbitrary<TableSpec[]> = fc
  .array(
    fc.record({
      a: fc.constantFrom(...(Object.keys(KINDS_OF_A) as TableSpec["a"][])),
      indexes: fc.uniqueArray(
        fc.uniqueArray(fc.constantFrom(...INDEXABLE), { minLength: 1, maxLength: 3 }),
        {
          minLength: 1,
          maxLength: 3,
          selector: indexName,
        },
      ),
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((specs) => specs.map((spec, i) => ({ ...spec, name: `t${i}` })));

const order = fc.constantFrom<Order>("asc", "desc");
const oneIn = (n: number): fc.Arbitrary<boolean> => fc.nat(n - 1).map((drawn) => drawn === 0);

function rangeOf(fields: readonly string[]): fc.Arbitrary<Bound[]> {
  const side = (operators: readonly Bound[0][]) =>
    fc.tuple(fc.constantFrom(...operators), anyValue);
  const drawn = fc.record({
    equalities: fc.nat(fields.length),
    values: fc.array(anyValue, { minLength: fields.length, maxLength: fields.length }),
    low: fc.option(side(["gt", "gte"])),
    high: fc.option(side(["lt", "lte"])),
  });
  const narrow = drawn.map(({ equalities, values, low, high }) => {
    const range: Bound[] = fields
      .slice(0, equalities)
      .map((field, i) => ["eq", field, values[i] ?? null]);
    const next = fields[equalities];
    if (next === undefined) return range;
    const inequalities = [low, high].flatMap((each): Bound[] =>
      each === null ? [] : [[each[0], next, each[1]]],
    );
    return [...range, ...inequalities];
  });
  // What reads much is touched by much.
  return fc.oneof(fc.constant<Bound[]>([]), narrow);
}

function readOf(specs: readonly TableSpec[]): fc.Arbitrary<Read> {
  return fc.constantFrom(...specs).chain(({ name, indexes }) => {
    const fieldsOf = (index: string | null): readonly string[] =>
      indexes.find((fields) => indexName(fields) === index) ?? [];
    return fc
      .constantFrom(null, "by_at", ...indexes.map(indexName), ...indexes.map(indexName))
      .chain((index) =>
        fc.record({
          table: fc.constant(name),
          index: fc.constant(index),
          range: rangeOf(fieldsOf(index)),
          order,
          take: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 3 }),
        }),
      );
  });
}

function operationOf(specs: readonly TableSpec[], depth: number): fc.Arbitrary<Operation> {
  const n = fc.nat(MAX_ROWS - 1);
  const row = fc.constantFrom(...specs).chain((spec) => {
    const a = fc.oneof(
      { weight: 24, arbitrary: FITTING[spec.a] },
      { weight: 1, arbitrary: MISFIT },
    );
    return fc.record({
      table: fc.constant(spec.name),
      n,
      fields: fc.record({ a, b: anyValue, c: anyValue }, { requiredKeys: ["a"] }),
    });
  });
  const plain: fc.Arbitrary<Operation> = fc.oneof(
    // A row's name is taken once: it is removed before it is inserted anew (see inserted below).
    { weight: 4, arbitrary: row.map((drawn): Operation => ({ kind: "insert", ...drawn })) },
    { weight: 3, arbitrary: row.map((drawn): Operation => ({ kind: "patch", ...drawn })) },
    { weight: 1, arbitrary: row.map((drawn): Operation => ({ kind: "replace", ...drawn })) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(row, fc.constantFrom("remove" as const, "touch" as const))
        .map(([{ table, n: which }, kind]): Operation => ({ kind, table, n: which })),
    },
    { weight: 1, arbitrary: readOf(specs).map((read): Operation => ({ kind: "read", read })) },
  );
  if (depth === 0) return plain;
  const nested = fc
    .record({
      ops: operationsOf(specs, depth - 1),
      fails: oneIn(2),
      isCaught: oneIn(5).map((isNot) => !isNot),
    })
    .map((drawn): Operation => ({ kind: "nested", ...drawn }));
  return fc.oneof({ weight: 6, arbitrary: plain }, { weight: 1, arbitrary: nested });
}

/** A row that is inserted replaces the one of the same name. */
function operationsOf(specs: readonly TableSpec[], depth: number): fc.Arbitrary<Operation[]> {
  return fc
    .array(operationOf(specs, depth), { minLength: 1, maxLength: 5 })
    .map((ops) =>
      ops.flatMap((op): Operation[] =>
        op.kind === "insert" ? [{ kind: "remove", table: op.table, n: op.n }, op] : [op],
      ),
    );
}

function stepOf(specs: readonly TableSpec[]): fc.Arbitrary<Step> {
  const ops = operationsOf(specs, 2);
  const read = readOf(specs);
  const whole = read.map((each) => ({ ...each, take: null }));
  const numItems = fc.integer({ min: 1, max: 3 });
  const step = <S extends Step>(weight: number, arbitrary: fc.Arbitrary<S>) => ({
    weight,
    arbitrary,
  });
  return fc.oneof(
    step(12, fc.record({ kind: fc.constant("mutation" as const), ops, fails: oneIn(8) })),
    step(3, fc.record({ kind: fc.constant("read" as const), read })),
    step(2, fc.record({ kind: fc.constant("walk" as const), read: whole, numItems })),
    step(4, fc.record({ kind: fc.constant("watch" as const), read })),
    step(3, fc.record({ kind: fc.constant("watchAgain" as const), which: fc.nat(7) })),
    step(4, fc.record({ kind: fc.constant("look" as const), which: fc.nat(7) })),
    step(2, fc.record({ kind: fc.constant("watchPages" as const), read: whole, numItems })),
    step(
      2,
      fc.record({
        kind: fc.constant("later" as const),
        ops,
        delayMs: fc.integer({ min: 0, max: 8 }),
      }),
    ),
    step(1, fc.record({ kind: fc.constant("cancel" as const), which: fc.nat(5) })),
    step(
      3,
      fc.record({ kind: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 4_000 }) }),
    ),
    step(1, fc.record({ kind: fc.constant("restart" as const) })),
  );
}

export const histories: fc.Arbitrary<History> = tables.chain((specs) =>
  fc.record({
    tables: fc.constant(specs),
    steps: fc.array(stepOf(specs), { minLength: 5, maxLength: 25, size: "max" }),
  }),
);
