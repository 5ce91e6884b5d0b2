import { expect, test } from "vitest";
import { TestEngine, VISITOR, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "convex.config.ts": `
    import { defineApp } from "convex/server";
    import aggregate from "@convex-dev/aggregate/convex.config";
    const app = defineApp();
    app.use(aggregate, { name: "byScore" });
    app.use(aggregate, { name: "byName" });
    export default app;`,
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({ scores: defineTable({ name: v.string(), score: v.number() }) });`,
  "scores.ts": `
    import { TableAggregate } from "@convex-dev/aggregate";
    import { mutationGeneric as mutation, queryGeneric as query, actionGeneric as action, componentsGeneric, createFunctionHandle, anyApi } from "convex/server";
    const components = componentsGeneric();
    const api = anyApi;
    const byScore = new TableAggregate(components.byScore, { sortKey: (doc) => doc.score, sumValue: (doc) => doc.score });
    const byName = new TableAggregate(components.byName, { sortKey: (doc) => doc.name });
    export const add = mutation(async (ctx, { name, score }) => {
      const id = await ctx.db.insert("scores", { name, score });
      const doc = await ctx.db.get("scores", id);
      await byScore.insert(ctx, doc);
      await byName.insert(ctx, doc);
    });
    export const remove = mutation(async (ctx) => {
      const doc = await ctx.db.query("scores").first();
      await ctx.db.delete("scores", doc._id);
      await byScore.delete(ctx, doc);
      await byName.delete(ctx, doc);
    });
    export const addThenFail = mutation(async (ctx, args) => {
      await ctx.runMutation(api.scores.add, args);
      throw new Error("no");
    });
    export const summary = query(async (ctx) => ({
      count: await byScore.count(ctx),
      sum: await byScore.sum(ctx),
      below50: await byScore.count(ctx, { bounds: { upper: { key: 50, inclusive: false } } }),
      first: (await byName.at(ctx, 0)).key,
      max: (await byScore.max(ctx))?.key ?? null,
    }));
    export const handle = mutation(async (ctx) => {
      const handle = await createFunctionHandle(api.scores.add);
      await ctx.runMutation(handle, { name: "handle", score: 1 });
      return handle;
    });
    export const fromAction = action(async (ctx) => ctx.runQuery(components.byScore.btree.aggregateBetween, {}));
    export const internal = query(async (ctx) => ctx.runQuery(components.byScore.nothing.here, {}));`,
};

onEachStore((newStore) => {
  test("the aggregate component counts, sums and ranks what is inserted and deleted", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    for (let i = 0; i < 40; i++) {
      await engine.mutation("scores:add", { name: `n${String(i).padStart(2, "0")}`, score: i * 3 });
    }
    expect(await engine.query("scores:summary")).toEqual({
      count: 40,
      sum: 2340,
      below50: 17,
      first: "n00",
      max: 117,
    });
    await engine.mutation("scores:remove");
    expect(await engine.query("scores:summary")).toMatchObject({ count: 39, first: "n01" });
  });

  test("a mutation that fails takes back what it did in components", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    await engine.mutation("scores:add", { name: "a", score: 5 });
    await engine.failure("mutation", "scores:addThenFail", { name: "b", score: 6 });
    expect(await engine.query("scores:summary")).toMatchObject({ count: 1, sum: 5 });
  });

  test("a watched query is refreshed when rows of a component that it read change", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    await engine.mutation("scores:add", { name: "a", score: 5 });
    const live = engine.watch("scores:summary");
    await engine.seen(live);
    await engine.mutation("scores:add", { name: "b", score: 6 });
    expect(await engine.seen(live)).toMatchObject({ count: 2, sum: 11 });
  });

  test("function handles, calls from actions, and functions that a component does not have", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    expect(await engine.mutation("scores:handle")).toBe("function://;scores:add");
    expect(await engine.action("scores:fromAction")).toMatchObject({ count: 1, sum: 1 });
    const { message } = await engine.failure("query", "scores:internal");
    expect(message).toContain(
      "Could not find function for 'nothing:here' in component \"byScore\".",
    );
    const target = { componentPath: "byScore", path: "btree:aggregateBetween" };
    expect(engine.application.functionKind(target, VISITOR)).toBeNull();
  });

  test("components nest, each instance with tables of its own", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const staged = await engine.application.deployments.stage(
      engine.application.deployments.current() ?? { definitions: [] },
    );
    expect(staged.instances.map((instance) => instance.componentPath)).toEqual([
      "",
      "byScore",
      "byScore/batchWorker",
      "byName",
      "byName/batchWorker",
    ]);
  });
});
