import type { Value } from "convex/values";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { bundleApp } from "../../../engine/application/test-app.helpers.ts";
import { runs } from "../../long.helpers.ts";
import { ManualEngine } from "../manual-engine.ts";
import { AGGREGATES } from "./app.ts";

const STARTS_AT = Date.UTC(2026, 0, 1);
/** Longer than the batch worker waits for anything. */
const A_WHILE_MS = 60_000;
const NAMESPACES = ["a", "b"];

type Item = { readonly namespace: string; readonly key: number; readonly id: string; sum: number };
type Change =
  | {
      readonly kind: "insert";
      readonly namespace: string;
      readonly key: number;
      readonly sum: number;
    }
  | { readonly kind: "delete" | "replace"; readonly which: number; readonly newKey: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("insert" as const),
      namespace: fc.constantFrom(...NAMESPACES),
      key: fc.integer({ min: -20, max: 20 }),
      sum: fc.integer({ min: -5, max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("delete" as const, "replace" as const),
      which: fc.nat(200),
      newKey: fc.integer({ min: -20, max: 20 }),
    }),
  },
);
const mutations = fc.array(
  fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 8 }),
    fails: fc.nat(5).map((n) => n === 0),
  }),
  { minLength: 5, maxLength: 25, size: "max" },
);

async function deployed(): Promise<ManualEngine> {
  const manual = await ManualEngine.of(await bundleApp(AGGREGATES), STARTS_AT);
  // Small nodes, so that a few dozen items make a tree of several levels.
  const ops = NAMESPACES.map((namespace) => ({ kind: "clear", namespace }));
  for (const name of ["atOnce", "queued"])
    await manual.engine.mutation("totals:change", { name, ops });
  return manual;
}

/** What the changes mean to the component, and to a plain list beside it. */
function applied(items: readonly Item[], changes: readonly Change[], nextId: () => string) {
  let now = [...items];
  const ops: Record<string, Value>[] = [];
  for (const each of changes) {
    if (each.kind === "insert") {
      const item = { namespace: each.namespace, key: each.key, id: nextId(), sum: each.sum };
      now.push(item);
      ops.push({
        kind: "insert",
        namespace: item.namespace,
        key: item.key,
        id: item.id,
        sumValue: item.sum,
      });
      continue;
    }
    const item = now[each.which % now.length];
    if (item === undefined) continue;
    now = now.filter((other) => other !== item);
    const { namespace, key, id, sum } = item;
    if (each.kind === "replace") now.push({ ...item, key: each.newKey });
    ops.push({ kind: each.kind, namespace, key, id, newKey: each.newKey, sumValue: sum });
  }
  return { now, ops };
}

async function check(manual: ManualEngine, name: string, items: readonly Item[]): Promise<void> {
  for (const namespace of NAMESPACES) {
    expect(await manual.engine.query("totals:validate", { name, namespace })).toBe("valid");
    const own = items.filter((item) => item.namespace === namespace);
    const keys = own.map((item) => item.key).sort((a, b) => a - b);
    const within = own.filter((item) => item.key > -7 && item.key <= 9);
    const sumOf = (some: readonly Item[]): number => some.reduce((sum, item) => sum + item.sum, 0);
    const bounds = { lower: { key: -7, inclusive: false }, upper: { key: 9, inclusive: true } };
    const args = { name, namespace, bounds, at: 3 };
    expect(await manual.engine.query("totals:read", args)).toEqual({
      count: own.length,
      sum: sumOf(own),
      countWithin: within.length,
      sumWithin: sumOf(within),
      min: keys[0] ?? null,
      max: keys.at(-1) ?? null,
      at: keys[3] ?? null,
      rank: keys.filter((key) => key < 3).length,
    });
  }
}

async function play(
  name: string,
  played: readonly { changes: Change[]; fails: boolean }[],
): Promise<void> {
  const manual = await deployed();
  let items: Item[] = [];
  let ids = 0;
  for (const { changes, fails } of played) {
    const { now, ops } = applied(items, changes, () => `id${ids++}`);
    const call = manual.engine.mutation("totals:change", { name, ops, fails });
    if (fails) await expect(call).rejects.toThrow("no");
    else {
      await call;
      items = now;
    }
    if (name === "atOnce") await check(manual, name, items);
  }
  await manual.advance(A_WHILE_MS);
  await check(manual, name, items);
  expect(await manual.engine.query("totals:deadLetters")).toEqual([]);
  await manual.close();
}

test("the synchronous aggregate counts, sums and ranks as a plain list does after each mutation, and its tree is valid", async () => {
  await fc.assert(
    fc.asyncProperty(mutations, (played) => play("atOnce", played)),
    { numRuns: runs(3, 200) },
  );
});

test("the queued aggregate comes to the same once its worker has been through, and no write is lost or parked", async () => {
  await fc.assert(
    fc.asyncProperty(mutations, (played) => play("queued", played)),
    { numRuns: runs(3, 200) },
  );
});

test("while writes are queued a stale read answers, and what is not stale or not queued is refused", async () => {
  const manual = await deployed();
  onTestFinished(() => manual.close());
  const ops = [1, 2, 3].map((key) => ({ kind: "insert", key, id: `i${key}`, sumValue: 1 }));
  await manual.engine.mutation("totals:change", { name: "queued", ops });
  expect(await manual.engine.query("totals:staleCount", { name: "queued" })).toBe(0);
  await expect(manual.engine.query("totals:mixedRead")).rejects.toThrow(/pending/i);
  await expect(manual.engine.mutation("totals:mixedWrite")).rejects.toThrow(/pending/i);
  const live = manual.engine.watch("totals:staleCount", { name: "queued" });
  let heard = 0;
  live.onStale(() => heard++);
  expect(await manual.engine.seen(live)).toBe(0);
  await manual.advance(A_WHILE_MS);
  expect([heard > 0, await manual.engine.seen(live)]).toEqual([true, 3]);
  expect(await manual.engine.query("totals:mixedRead")).toBe(3);
});

test("a queued write that cannot be applied is parked with its kind, and those around it count", async () => {
  const manual = await deployed();
  onTestFinished(() => manual.close());
  const ops = [
    { kind: "insert", key: 1, id: "one" },
    { kind: "delete", key: 9, id: "never there" },
    { kind: "insert", key: 2, id: "two" },
  ];
  await manual.engine.mutation("totals:change", { name: "queued", ops });
  await manual.advance(A_WHILE_MS);
  expect(await manual.engine.query("totals:deadLetters")).toEqual(["delete"]);
  expect(await manual.engine.query("totals:staleCount", { name: "queued" })).toBe(2);
});
