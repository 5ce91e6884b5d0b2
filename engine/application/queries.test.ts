import { expect, test } from "vitest";
import { TestEngine, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({
      things: defineTable(v.any()).index("by_key", ["key"]).index("by_kind_and_rank", ["kind", "rank"]),
    });`,
  "things.ts": `
    import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";
    export const add = mutation(async (ctx, { docs }) => {
      const ids = [];
      for (const doc of docs) ids.push(await ctx.db.insert("things", doc));
      return ids;
    });
    export const keys = query(async (ctx) =>
      (await ctx.db.query("things").withIndex("by_key").collect()).map((d) => d.name));
    export const equal = query(async (ctx, args) =>
      (await ctx.db.query("things").withIndex("by_key", (q) => q.eq("key", args.key)).collect()).map((d) => d.name));
    export const missing = query(async (ctx) =>
      (await ctx.db.query("things").withIndex("by_key", (q) => q.eq("key", undefined)).collect()).map((d) => d.name));
    export const ranks = query(async (ctx, { kind, from, to, order }) =>
      (await ctx.db.query("things")
        .withIndex("by_kind_and_rank", (q) => q.eq("kind", kind).gt("rank", from).lte("rank", to))
        .order(order).collect()).map((d) => d.rank));
    export const wrongField = query((ctx) =>
      ctx.db.query("things").withIndex("by_kind_and_rank", (q) => q.eq("rank", 1)).collect());
    export const filtered = query(async (ctx) =>
      (await ctx.db.query("things").filter((q) => q.and(q.gte(q.field("rank"), 2), q.neq(q.field("kind"), "b"))).collect())
        .map((d) => d.rank));
    export const newest = query(async (ctx, { n }) =>
      (await ctx.db.query("things").order("desc").take(n)).map((d) => d.rank));
    export const unique = query((ctx, { kind }) =>
      ctx.db.query("things").withIndex("by_kind_and_rank", (q) => q.eq("kind", kind)).unique());
    export const count = query((ctx) => ctx.db.query("things").count());
    export const byId = query(async (ctx, { id }) =>
      (await ctx.db.query("things").withIndex("by_id", (q) => q.eq("_id", id)).unique())?.rank ?? null);
    export const normal = query(async (ctx, { id }) => [ctx.db.normalizeId("things", id), ctx.db.normalizeId("other", id)]);
    export const get = query((ctx, { id }) => ctx.db.get("things", id));
    export const unknownTable = query((ctx) => ctx.db.query("nowhere").collect());
    export const edit = mutation(async (ctx, { id, change }) => { await ctx.db.patch("things", id, change); });
    export const unset = mutation(async (ctx, { id }) => { await ctx.db.patch("things", id, { rank: undefined }); });
    export const swap = mutation(async (ctx, { id, doc }) => { await ctx.db.replace("things", id, doc); });
    export const remove = mutation(async (ctx, { id }) => { await ctx.db.delete("things", id); });`,
};

async function withRanks(
  newStorage: Parameters<typeof TestEngine.deployed>[0],
): Promise<TestEngine> {
  const engine = await TestEngine.deployed(newStorage, APP);
  const docs = [1, 2, 3, 4].map((rank) => ({ kind: rank === 3 ? "b" : "a", rank }));
  await engine.mutation("things:add", { docs });
  return engine;
}

onEachStore((newStore) => {
  test("an index holds every type in Convex's order", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const values: [string, never][] = [
      ["array", [1] as never],
      ["bytes", new Uint8Array([1]).buffer as never],
      ["text ü", "ü" as never],
      ["text a", "a" as never],
      ["true", true as never],
      ["float", 1.5 as never],
      ["minus zero", -0 as never],
      ["zero", 0 as never],
      ["int", 2n as never],
      ["negative int", -2n as never],
      ["null", null as never],
      ["object", { a: 1 } as never],
    ];
    const docs = values.map(([name, key]) => ({ name, key }));
    await engine.mutation("things:add", { docs: [...docs, { name: "missing" }] });
    expect(await engine.query("things:keys")).toEqual([
      "missing",
      "null",
      "negative int",
      "int",
      "minus zero",
      "zero",
      "float",
      "true",
      "text a",
      "text ü",
      "bytes",
      "array",
      "object",
    ]);
    expect(await engine.query("things:missing")).toEqual(["missing"]);
    expect(await engine.query("things:equal", { key: 2n })).toEqual(["int"]);
    expect(await engine.query("things:equal", { key: null })).toEqual(["null"]);
  });

  test("ranges honour their bounds in both orders", async () => {
    const engine = await withRanks(newStore()());
    const ranks = (from: number, to: number, order: string): Promise<unknown> =>
      engine.query("things:ranks", { kind: "a", from, to, order });
    expect(await ranks(1, 4, "asc")).toEqual([2, 4]);
    expect(await ranks(0, 4, "desc")).toEqual([4, 2, 1]);
    expect(await ranks(4, 1, "asc")).toEqual([]);
    expect((await engine.failure("query", "things:wrongField")).message).toContain(
      'Incorrect field used in `withIndex`, expected "kind", got "rank"',
    );
  });

  test("filter, take, unique and count", async () => {
    const engine = await withRanks(newStore()());
    expect(await engine.query("things:filtered")).toEqual([2, 4]);
    expect(await engine.query("things:newest", { n: 2 })).toEqual([4, 3]);
    expect(await engine.query("things:newest", { n: 0 })).toEqual([]);
    expect(await engine.query("things:unique", { kind: "b" })).toMatchObject({ rank: 3 });
    expect((await engine.failure("query", "things:unique", { kind: "a" })).message).toContain(
      "unique() query returned more than one result",
    );
    expect(await engine.query("things:count")).toBe(4);
  });

  test("ids that are made one after the other stand in that order, and cannot be guessed from each other", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const docs = Array.from({ length: 50 }, (_, rank) => ({ rank }));
    const ids = (await engine.mutation("things:add", { docs })) as string[];
    expect([...ids].sort()).toEqual(ids);
    const random = new Set(ids.map((id) => id.slice(-16)));
    expect(random.size).toBe(50);
  });

  test("ids: what is one, of which table, and what is not", async () => {
    const engine = await withRanks(newStore()());
    const [id = ""] = (await engine.mutation("things:add", { docs: [{ rank: 9 }] })) as string[];
    expect(id).toMatch(/^[0-9a-z]{32}$/);
    expect(await engine.query("things:byId", { id })).toBe(9);
    expect(await engine.query("things:normal", { id })).toEqual([id, null]);
    expect(await engine.query("things:normal", { id: "nonsense" })).toEqual([null, null]);
    expect((await engine.failure("query", "things:get", { id: "nonsense" })).message).toContain(
      "Unable to decode ID",
    );
    expect(await engine.query("things:unknownTable")).toEqual([]);
  });

  test("writes keep every index right", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const [id = ""] = (await engine.mutation("things:add", {
      docs: [{ kind: "a", rank: 1 }],
    })) as string[];
    const ranksOfA = (): Promise<unknown> =>
      engine.query("things:ranks", { kind: "a", from: -1, to: 99, order: "asc" });
    await engine.mutation("things:edit", { id, change: { rank: 5 } });
    expect(await ranksOfA()).toEqual([5]);
    await engine.mutation("things:unset", { id });
    expect(await ranksOfA()).toEqual([]);
    expect(await engine.query("things:get", { id })).toEqual({
      kind: "a",
      _id: id,
      _creationTime: expect.any(Number) as number,
    });
    await engine.mutation("things:swap", { id, doc: { kind: "a", rank: 7 } });
    expect(await ranksOfA()).toEqual([7]);
    await engine.mutation("things:remove", { id });
    expect(await ranksOfA()).toEqual([]);
    expect(await engine.query("things:get", { id })).toBeNull();
    expect((await engine.failure("mutation", "things:remove", { id })).message).toContain(
      `Delete on nonexistent document ID ${id}`,
    );
  });
});
