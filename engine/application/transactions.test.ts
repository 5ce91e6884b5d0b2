import { expect, test } from "vitest";
import { TestEngine, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({
      counters: defineTable({ name: v.string(), value: v.number() }).index("by_name", ["name"]),
      events: defineTable({ name: v.string(), at: v.union(v.int64(), v.commitTs()) }).index("by_at", ["at"]),
    });`,
  "counters.ts": `
    import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";
    export const add = mutation(async (ctx, { name }) => {
      const found = await ctx.db.query("counters").withIndex("by_name", (q) => q.eq("name", name)).unique();
      if (found) await ctx.db.patch("counters", found._id, { value: found.value + 1 });
      else await ctx.db.insert("counters", { name, value: 1 });
    });
    export const value = query(async (ctx, { name }) =>
      (await ctx.db.query("counters").withIndex("by_name", (q) => q.eq("name", name)).unique())?.value ?? 0);`,
  "events.ts": `
    import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";
    const newest = (ctx) => ctx.db.query("events").withIndex("by_at").order("desc").first();
    export const add = mutation(async (ctx, { name }) => {
      await ctx.db.insert("events", { name, at: ctx.db.vars.commitTs });
      return { newest: (await newest(ctx)).name, at: ctx.db.vars.commitTs, before: ctx.meta.getSnapshotTs() };
    });
    export const twice = mutation(async (ctx) => {
      const id = await ctx.db.insert("events", { name: "x", at: ctx.db.vars.commitTs });
      await ctx.db.patch("events", id, { name: '{"$commitTs":null}' });
    });
    export const all = query(async (ctx) => {
      const found = await ctx.db.query("events").withIndex("by_at").collect();
      return found.map(({ name, at }) => ({ name, at }));
    });`,
};

onEachStore((newStore) => {
  test("250 mutations at once of the same row all count", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const calls = Array.from({ length: 250 }, () => engine.mutation("counters:add", { name: "n" }));
    await Promise.all(calls);
    expect(await engine.query("counters:value", { name: "n" })).toBe(250);
  });

  test("a document that was written twice in one transaction has one index row and its text unchanged", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    await engine.mutation("events:twice");
    const at = engine.application.commitTs;
    expect(await engine.query("events:all")).toEqual([{ name: '{"$commitTs":null}', at }]);
  });

  test("timestamps keep growing when the machine's clock steps back", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const first = (await engine.mutation("events:add", { name: "a" })) as Added;
    engine.clock.jumpTo(engine.clock.now() - 3_600_000);
    const second = (await engine.mutation("events:add", { name: "b" })) as Added;
    expect(second.at).toBe(first.at + 1n);
  });
});

const NO_SCHEMA = {
  "rows.ts": `
    import { mutationGeneric as mutation, queryGeneric as query, anyApi } from "convex/server";
    export const addThenThrow = mutation(async (ctx) => { await ctx.db.insert("fresh", {}); throw new Error("no"); });
    export const tryIt = mutation(async (ctx) => {
      await ctx.db.insert("other", {});
      await ctx.runMutation(anyApi.rows.addThenThrow, {}).catch(() => null);
    });
    export const add = mutation((ctx) => ctx.db.insert("fresh", {}));
    export const count = query(async (ctx) => (await ctx.db.query("fresh").collect()).length);`,
};

onEachStore((newStore) => {
  test("a table that a rolled-back call was the first to name is there once somebody fills it, also after a restart", async () => {
    const openStore = newStore();
    const engine = await TestEngine.open(openStore());
    await engine.deploy(NO_SCHEMA);
    await engine.mutation("rows:tryIt");
    await engine.mutation("rows:add");
    const again = await TestEngine.open(openStore(), engine.clock);
    expect(await again.query("rows:count")).toBe(1);
    await again.application.close();
  });
});

type Added = { newest: string; at: bigint; before: bigint };
