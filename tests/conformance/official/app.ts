/** Owns: apps that use Convex's own components: aggregates (one synchronous, one queued), the batch worker, the rate limiter. Not: tests. */
import type { AppFiles } from "../../../engine/application/test-app.helpers.ts";

export const AGGREGATES: AppFiles = {
  "convex.config.ts": `
    import { defineApp } from "convex/server";
    import aggregate from "@convex-dev/aggregate/convex.config";
    const app = defineApp();
    app.use(aggregate, { name: "atOnce" });
    app.use(aggregate, { name: "queued" });
    export default app;`,
  "totals.ts": `
    import { DirectAggregate } from "@convex-dev/aggregate";
    import { mutationGeneric as mutation, queryGeneric as query, componentsGeneric } from "convex/server";
    const components = componentsGeneric();
    const of = (name) => new DirectAggregate(components[name]);
    export const change = mutation(async (ctx, { name, ops, fails }) => {
      const aggregate = of(name);
      const how = name === "queued" ? { async: true } : undefined;
      for (const { kind, namespace, key, id, sumValue, newKey } of ops) {
        if (kind === "insert") await aggregate.insert(ctx, { namespace, key, id, sumValue }, how);
        if (kind === "delete") await aggregate.delete(ctx, { namespace, key, id }, how);
        if (kind === "replace") await aggregate.replace(ctx, { namespace, key, id }, { namespace, key: newKey, sumValue }, how);
        if (kind === "clear") await aggregate.clear(ctx, { namespace, maxNodeSize: 4 });
      }
      if (fails) throw new Error("no");
    });
    export const read = query(async (ctx, { name, namespace, bounds, at }) => {
      const aggregate = of(name);
      const how = name === "queued" ? { stale: true } : {};
      const count = await aggregate.count(ctx, { namespace, ...how });
      return {
        count,
        sum: await aggregate.sum(ctx, { namespace, ...how }),
        countWithin: await aggregate.count(ctx, { namespace, bounds, ...how }),
        sumWithin: await aggregate.sum(ctx, { namespace, bounds, ...how }),
        min: (await aggregate.min(ctx, { namespace }))?.key ?? null,
        max: (await aggregate.max(ctx, { namespace }))?.key ?? null,
        at: at < count ? (await aggregate.at(ctx, at, { namespace })).key : null,
        rank: await aggregate.indexOf(ctx, at, { namespace }),
      };
    });
    export const staleCount = query((ctx, { name }) => of(name).count(ctx, { stale: true }));
    /** Without { stale: true }, which a queued aggregate refuses while something waits. */
    export const mixedRead = query((ctx) => of("queued").count(ctx, {}));
    export const mixedWrite = mutation((ctx) => of("queued").insert(ctx, { key: 1, id: "mixed" }));
    /** The component's own check of its tree. */
    export const validate = query(async (ctx, { name, namespace }) => {
      await ctx.runQuery(components[name].btree.validate, { namespace });
      return "valid";
    });
    export const deadLetters = query(async (ctx) => {
      const paginationOpts = { numItems: 100, cursor: null };
      const { page } = await ctx.runQuery(components.queued.deadLetter.list, { paginationOpts });
      return page.map((entry) => entry.operation.type);
    });`,
};

export const WORK: AppFiles = {
  "convex.config.ts": `
    import { defineApp } from "convex/server";
    import batchWorker from "@convex-dev/batch-worker/convex.config";
    const app = defineApp();
    app.use(batchWorker);
    export default app;`,
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({
      tasks: defineTable({ n: v.number(), at: v.commitTs() }).index("by_at", ["at"]),
      done: defineTable({ n: v.number() }),
    });`,
  "work.ts": `
    import { defineBatchWorkerValidators, ping } from "@convex-dev/batch-worker";
    import { mutationGeneric as mutation, queryGeneric as query, internalMutationGeneric as internalMutation,
      internalQueryGeneric as internalQuery, componentsGeneric, anyApi } from "convex/server";
    import { v } from "convex/values";
    const components = componentsGeneric();
    const { vQueryArgs, vQueryReturns, vMutationArgs } = defineBatchWorkerValidators({
      batch: { tasks: v.array(v.object({ id: v.id("tasks"), n: v.number() })) },
    });
    export const add = mutation(async (ctx, { ns }) => {
      for (const n of ns) await ctx.db.insert("tasks", { n, at: ctx.db.vars.commitTs });
      await ping(ctx, components.batchWorker, {
        name: "tasks", workQuery: anyApi.work.next, workerMutation: anyApi.work.process,
      });
    });
    export const next = internalQuery({ args: vQueryArgs, returns: vQueryReturns, handler: async (ctx, { cursor }) => {
      const tasks = await ctx.db.query("tasks").withIndex("by_at", (q) => q.gte("at", cursor ?? 0n)).take(3);
      if (tasks.length === 0) return { kind: "idle" };
      return { kind: "work", batch: { tasks: tasks.map(({ _id, n }) => ({ id: _id, n })) }, cursor: tasks.at(-1).at };
    } });
    export const process = internalMutation({ args: vMutationArgs, handler: async (ctx, { tasks }) => {
      for (const { id, n } of tasks) {
        await ctx.db.insert("done", { n });
        await ctx.db.delete("tasks", id);
      }
    } });
    export const state = query(async (ctx) => ({
      waiting: (await ctx.db.query("tasks").collect()).length,
      done: (await ctx.db.query("done").collect()).map((row) => row.n),
    }));`,
};

export const LIMITS: AppFiles = {
  "convex.config.ts": `
    import { defineApp } from "convex/server";
    import rateLimiter from "@convex-dev/rate-limiter/convex.config";
    const app = defineApp();
    app.use(rateLimiter);
    export default app;`,
  "limits.ts": `
    import { RateLimiter, MINUTE } from "@convex-dev/rate-limiter";
    import { mutationGeneric as mutation, queryGeneric as query, componentsGeneric } from "convex/server";
    import { ConvexError } from "convex/values";
    const limiter = new RateLimiter(componentsGeneric().rateLimiter, {
      bucket: { kind: "token bucket", rate: 6, period: MINUTE, capacity: 3 },
      window: { kind: "fixed window", rate: 2, period: MINUTE, start: 0 },
      sharded: { kind: "token bucket", rate: 40, period: MINUTE, shards: 4 },
      reserving: { kind: "token bucket", rate: 6, period: MINUTE, capacity: 2, maxReserved: 4 },
      queued: { kind: "token bucket", rate: 6, period: MINUTE, capacity: 3, applyUpdates: "asynchronously" },
    });
    export const take = mutation((ctx, { name, ...options }) => limiter.limit(ctx, name, options));
    export const check = query((ctx, { name, ...options }) => limiter.check(ctx, name, options));
    export const reset = mutation(async (ctx, { name, key }) => { await limiter.reset(ctx, name, { key }); });
    export const value = query(async (ctx, { name }) => (await limiter.getValue(ctx, name)).value);
    /** Takes, and then fails: what it took must be given back. */
    export const takeThenFail = mutation(async (ctx, { name }) => {
      await limiter.limit(ctx, name);
      throw new Error("no");
    });
    export const orThrow = mutation((ctx, { name }) => limiter.limit(ctx, name, { throws: true }));`,
};
