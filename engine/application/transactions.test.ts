import { expect, test } from "vitest";
import { TestEngine, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({
      notes: defineTable({ author: v.string(), text: v.string() }).index("by_author", ["author"]),
      counters: defineTable({ name: v.string(), value: v.number() }).index("by_name", ["name"]),
      events: defineTable({ name: v.string(), at: v.union(v.int64(), v.commitTs()) }).index("by_at", ["at"]),
    });`,
  "notes.ts": `
    import { mutationGeneric as mutation, queryGeneric as query, anyApi } from "convex/server";
    import { ConvexError } from "convex/values";
    const api = anyApi;
    const insert = (ctx, text) => ctx.db.insert("notes", { author: "ann", text });
    const texts = async (ctx) => (await ctx.db.query("notes").collect()).map((note) => note.text);
    export const add = mutation((ctx, { text }) => insert(ctx, text));
    export const all = query(texts);
    export const addThenThrow = mutation(async (ctx, { text }) => {
      await insert(ctx, text);
      throw new ConvexError({ code: "stop", text });
    });
    export const nestedFails = mutation(async (ctx) => {
      await insert(ctx, "before");
      let caught = null;
      try {
        await ctx.runMutation(api.notes.addThenThrow, { text: "lost" });
      } catch (error) {
        caught = error.data;
      }
      await insert(ctx, "after");
      return { caught, seen: await texts(ctx) };
    });
    export const twoLevels = mutation(async (ctx) => {
      await ctx.runMutation(api.notes.add, { text: "kept" });
      await ctx.runMutation(api.notes.catchInside, {});
      return await texts(ctx);
    });
    export const catchInside = mutation(async (ctx) => {
      await insert(ctx, "middle");
      await ctx.runMutation(api.notes.addThenThrow, { text: "inner" }).catch(() => null);
    });
    export const parallel = mutation(async (ctx) => {
      const outcomes = await Promise.allSettled([
        ctx.runMutation(api.notes.add, { text: "1" }),
        ctx.runMutation(api.notes.addThenThrow, { text: "2" }),
        insert(ctx, "3"),
        ctx.runMutation(api.notes.add, { text: "4" }),
      ]);
      return { outcomes: outcomes.map((outcome) => outcome.status), seen: await texts(ctx) };
    });
    export const openCursor = mutation(async (ctx) => {
      await insert(ctx, "a");
      const seen = [];
      for await (const note of ctx.db.query("notes")) {
        seen.push(note.text);
        if (seen.length < 3) await insert(ctx, "b" + seen.length);
      }
      return seen;
    });
    export const snapshot = mutation(async (ctx) => {
      await insert(ctx, "own");
      return {
        own: await ctx.runQuery(api.notes.all, {}),
        stale: await ctx.runQuery(api.notes.all, {}, { useStaleSnapshot: true }),
      };
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
  test("a nested mutation that fails takes back its own writes, not its caller's", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    expect(await engine.mutation("notes:nestedFails")).toEqual({
      caught: { code: "stop", text: "lost" },
      seen: ["before", "after"],
    });
    expect(await engine.query("notes:all")).toEqual(["before", "after"]);
  });

  test("a failure caught two levels down leaves the level in between alone", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    expect(await engine.mutation("notes:twoLevels")).toEqual(["kept", "middle"]);
  });

  test("nested mutations in Promise.all run one after the other and roll back alone", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    expect(await engine.mutation("notes:parallel")).toEqual({
      outcomes: ["fulfilled", "rejected", "fulfilled", "fulfilled"],
      seen: ["1", "3", "4"],
    });
  });

  test("a mutation that throws changes nothing and passes its ConvexError on", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const failure = await engine.failure("mutation", "notes:addThenThrow", { text: "x" });
    expect(JSON.parse(failure.data ?? "")).toEqual({ code: "stop", text: "x" });
    expect(await engine.query("notes:all")).toEqual([]);
  });

  test("a cursor that is already open sees what the transaction writes ahead of it", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    expect(await engine.mutation("notes:openCursor")).toEqual(["a", "b1", "b2"]);
  });

  test("a stale-snapshot query does not see the writes of its own mutation", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    await engine.mutation("notes:add", { text: "old" });
    expect(await engine.mutation("notes:snapshot")).toEqual({
      own: ["old", "own"],
      stale: ["old"],
    });
  });

  test("250 mutations at once of the same row all count", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const calls = Array.from({ length: 250 }, () => engine.mutation("counters:add", { name: "n" }));
    await Promise.all(calls);
    expect(await engine.query("counters:value", { name: "n" })).toBe(250);
  });

  test("a commit timestamp is the largest inside its transaction and the commit's own afterwards", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const first = (await engine.mutation("events:add", { name: "a" })) as Added;
    const second = (await engine.mutation("events:add", { name: "b" })) as Added;
    expect([first.newest, second.newest]).toEqual(["a", "b"]);
    expect(second.before).toBe(first.at);
    expect(second.at).toBeGreaterThan(first.at);
    expect(second.at).toBe(engine.application.commitTs);
    expect(await engine.query("events:all")).toEqual([
      { name: "a", at: first.at },
      { name: "b", at: second.at },
    ]);
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
