import { expect, onTestFinished, test } from "vitest";
import type { DataImport, ImportMode } from "../application.ts";
import { RETIRED_TABLES, endOf } from "../transactions/key-space.ts";
import { createId } from "../values/ids.ts";
import { STORES, TestEngine } from "./test-engine.helpers.ts";

const functions = `
  import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";
  import { v } from "convex/values";
  export const add = mutation({ args: { n: v.number() }, handler: async (ctx, { n }) => ctx.db.insert("rows", { n }) });
  export const all = query({ args: {}, handler: async (ctx) => (await ctx.db.query("rows").withIndex("by_n").collect()).map(({ n }) => n) });
  export const links = query({ args: {}, handler: async (ctx) => {
    const found = [];
    for (const link of await ctx.db.query("links").collect()) found.push((await ctx.db.get(link.row))?.n ?? null);
    return found;
  } });
`;
const APP = {
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({
      rows: defineTable({ n: v.number() }).index("by_n", ["n"]),
      links: defineTable({ row: v.id("rows") }),
      later: defineTable({ x: v.number() }),
    });`,
  "data.ts": functions,
};
const ROWS = { componentPath: "", name: "rows" };
const LINKS = { componentPath: "", name: "links" };
/** Numbers that the tables of the engine have too, but for other tables. */
const ROWS_NUMBER = 10_003;
const LINKS_NUMBER = 10_001;
const idOf = (number: number, i: number) => createId(number, new Uint8Array(16).fill(i));

async function engineOn(newStore: () => () => ReturnType<ReturnType<(typeof STORES)[string]>>) {
  const engine = await TestEngine.deployed(newStore()(), APP);
  const begin = (mode: ImportMode): DataImport => engine.application.moves.beginImport(mode);
  return { engine, begin };
}

const stores = Object.entries(STORES);

test.each(stores)(
  "on %s storage, tables arrive with their own ids and numbers, and seen by watchers at once",
  async (_name, newStore) => {
    const { engine, begin } = await engineOn(newStore);
    await engine.mutation("data:add", { n: 1 });
    const live = engine.watch("data:all");
    expect(await engine.seen(live)).toEqual([1]);
    const moved = begin("replace");
    await moved.addTable(ROWS, ROWS_NUMBER);
    await moved.addTable(LINKS, LINKS_NUMBER);
    await moved.insert(ROWS, [
      { _id: idOf(ROWS_NUMBER, 1), _creationTime: 5, n: 20 },
      { _id: idOf(ROWS_NUMBER, 2), _creationTime: 6, n: 10 },
    ]);
    await moved.insert(LINKS, [{ _id: idOf(LINKS_NUMBER, 1), row: idOf(ROWS_NUMBER, 1) }]);
    expect(await engine.seen(live)).toEqual([1]);
    await moved.finish();
    expect(await engine.seen(live)).toEqual([10, 20]);
    expect(await engine.query("data:links")).toEqual([20]);
    expect(await engine.mutation("data:add", { n: 15 })).toMatch(/^[0-9a-z]+$/);
    expect(await engine.query("data:all")).toEqual([10, 15, 20]);
    const snapshot = await engine.application.moves.snapshot();
    onTestFinished(() => snapshot.close());
    expect(snapshot.tables).toMatchObject([
      { name: "later" },
      { name: "links", number: LINKS_NUMBER },
      { name: "rows", number: ROWS_NUMBER },
    ]);
    expect(snapshot.count(ROWS)).toBe(3);
  },
);

test.each(stores)(
  "on %s storage, an import that is abandoned leaves everything as it was",
  async (_name, newStore) => {
    const { engine, begin } = await engineOn(newStore);
    await engine.mutation("data:add", { n: 1 });
    const moved = begin("replaceAll");
    await moved.addTable(ROWS, ROWS_NUMBER);
    await moved.insert(ROWS, [{ n: 2 }]);
    await expect(moved.insert(ROWS, [{ n: "two" }])).rejects.toThrow("does not match the schema");
    await moved.abandon();
    expect(await engine.query("data:all")).toEqual([1]);
    await engine.mutation("data:add", { n: 3 });
    expect(await engine.query("data:all")).toEqual([1, 3]);
  },
);

test("refused: ids of another table, an id that is there, a name of the system, a component that is not mounted", async () => {
  const { begin } = await engineOn(STORES["memory"]!);
  const moved = begin("replace");
  await moved.addTable(ROWS, ROWS_NUMBER);
  await expect(moved.insert(ROWS, [{ _id: idOf(LINKS_NUMBER, 1), n: 1 }])).rejects.toThrow(
    /belongs to a table with the number 10001/,
  );
  await moved.insert(ROWS, [{ _id: idOf(ROWS_NUMBER, 1), n: 1 }]);
  await expect(moved.insert(ROWS, [{ _id: idOf(ROWS_NUMBER, 1), n: 1 }])).rejects.toThrow(
    "is there already",
  );
  await expect(moved.addTable({ componentPath: "", name: "_jobs" }, null)).rejects.toThrow(
    "is no name for a table",
  );
  await expect(moved.addTable({ componentPath: "gone", name: "rows" }, null)).rejects.toThrow(
    'The component "gone" is not mounted here',
  );
});

test("a table that has rows and the number of an imported one stops the import before anything changes", async () => {
  const { engine, begin } = await engineOn(STORES["memory"]!);
  await engine.mutation("data:add", { n: 1 });
  const moved = begin("replace");
  const snapshot = await engine.application.moves.snapshot();
  onTestFinished(() => snapshot.close());
  const { tables } = snapshot;
  await moved.addTable(LINKS, tables.find(({ name }) => name === "rows")?.number ?? 0);
  await expect(moved.finish()).rejects.toThrow(/which "rows" has here, and that one has rows/);
  await moved.abandon();
  expect(await engine.query("data:all")).toEqual([1]);
});

test("after a stop in the middle of an import its rows are removed, and the old ones are still there", async () => {
  const reopen = STORES["sqlite"]!();
  const engine = await TestEngine.deployed(reopen(), APP);
  await engine.mutation("data:add", { n: 1 });
  const moved = engine.application.moves.beginImport("replace");
  await moved.addTable(ROWS, ROWS_NUMBER);
  await moved.insert(ROWS, [{ n: 2 }, { n: 3 }]);
  await engine.application.close();
  const again = await TestEngine.open(reopen());
  expect(await again.query("data:all")).toEqual([1]);
  const areRowsLeft = () =>
    again.storage.range(RETIRED_TABLES, endOf(RETIRED_TABLES), "asc").next();
  while (areRowsLeft()) await again.application.transact(() => undefined);
  expect(await again.query("data:all")).toEqual([1]);
  await again.application.close();
});
