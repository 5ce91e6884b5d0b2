/** Owns: commitTs, stale snapshots, ctx.meta, transaction limits, time and randomness. */
import {
  actionGeneric as action,
  anyApi,
  internalMutationGeneric as internalMutation,
  mutationGeneric as mutation,
  queryGeneric as query,
} from "convex/server";
import { v } from "convex/values";

const api: any = anyApi;

const newest = (ctx: any) => ctx.db.query("events").withIndex("by_at").order("desc").first();

export const log = mutation(async (ctx: any, { name }) => {
  await ctx.db.insert("events", { name, at: ctx.db.vars.commitTs });
  return {
    newest: (await newest(ctx)).name,
    inside: (await newest(ctx)).at === 2n ** 63n - 1n ? "largest" : typeof (await newest(ctx)).at,
    at: ctx.db.vars.commitTs,
    before: ctx.meta.getSnapshotTs(),
  };
});
export const passedOn = internalMutation({
  args: { name: v.string(), at: v.commitTs() },
  handler: async (ctx, { name, at }) => {
    await ctx.db.insert("events", { name, at });
  },
});
/** A placeholder may go into a nested mutation of the same transaction, and nowhere else. */
export const passesOn = mutation(async (ctx: any) => {
  await ctx.runMutation(api.moments.passedOn, { name: "nested", at: ctx.db.vars.commitTs });
  await ctx.db.insert("events", { name: "own", at: ctx.db.vars.commitTs });
});
export const schedulesIt = mutation(async (ctx: any) => {
  await ctx.scheduler.runAfter(0, api.moments.passedOn, {
    name: "later",
    at: ctx.db.vars.commitTs,
  });
});
export const since = query(async (ctx, { at }) => {
  const rows = await ctx.db
    .query("events")
    .withIndex("by_at", (q) => q.gt("at", at))
    .collect();
  return rows.map((row) => ({ name: row.name, at: row.at }));
});
export const ownIsLast = mutation(async (ctx: any) => {
  await ctx.db.insert("events", { name: "own", at: ctx.db.vars.commitTs });
  const rows = await ctx.db
    .query("events")
    .withIndex("by_at", (q: any) => q.gte("at", ctx.db.vars.commitTs))
    .collect();
  return rows.map((row: any) => row.name);
});

export const names = query(async (ctx) =>
  (await ctx.db.query("events").collect()).map((e) => e.name),
);
export const stale = mutation(async (ctx: any, { name }) => {
  await ctx.db.insert("events", { name, at: ctx.db.vars.commitTs });
  return {
    own: await ctx.runQuery(api.moments.names, {}),
    stale: await ctx.runQuery(api.moments.names, {}, { useStaleSnapshot: true }),
    after: await ctx.runQuery(api.moments.names, {}),
  };
});

export const metrics = mutation(async (ctx: any) => {
  const id = await ctx.db.insert("notes", { text: "x" });
  await ctx.db.get(id);
  await ctx.db.query("notes").collect();
  await ctx.scheduler.runAfter(3_600_000, api.jobs.work, { text: "x" });
  const found = await ctx.meta.getTransactionMetrics();
  return Object.fromEntries(
    Object.entries(found).map(([name, { used, remaining }]: any) => [name, { used, remaining }]),
  );
});
export const where = mutation(async (ctx: any) => {
  const { name, componentPath, ...rest } = await ctx.meta.getFunctionMetadata();
  return { name, componentPath, rest };
});
export const request = mutation((ctx: any) => ctx.meta.getRequestMetadata());
export const requestInQuery = query((ctx: any) => ctx.meta.getRequestMetadata());
export const requestOfAction = action(async (ctx: any) => ({
  own: (await ctx.meta.getRequestMetadata()).requestId,
  nested: (await ctx.runMutation(api.moments.request, {})).requestId,
}));
export const deployment = query((ctx: any) => ctx.meta.getDeploymentMetadata());

const repeat = async (times: number, work: (i: number) => Promise<unknown>) => {
  for (let i = 0; i < times; i++) await work(i);
};
export const tooManyRanges = query((ctx) => repeat(4_097, () => ctx.db.query("notes").first()));
export const tooManyWrites = mutation(async (ctx) => {
  const id = await ctx.db.insert("notes", { text: "x" });
  await repeat(16_000, (i) => ctx.db.patch(id, { text: String(i % 2) }));
});
export const tooMuchScheduled = mutation((ctx) =>
  repeat(1_001, () => ctx.scheduler.runAfter(3_600_000, api.jobs.work, { text: "x" })),
);
export const tooLargeDocument = mutation((ctx, { bytes }) =>
  ctx.db.insert("things", { text: "x".repeat(bytes) }),
);
export const tooMuchWritten = mutation((ctx) =>
  repeat(17, () => ctx.db.insert("things", { text: "x".repeat(1_000_000) })),
);
export const child = mutation(async (ctx) => {
  await repeat(3, (i) => ctx.db.insert("notes", { text: `child ${i}` }));
});
/** A caller may give a child less than it has itself. */
export const limitedChild = mutation(async (ctx: any, { documentsWritten }) => {
  let message = "fits";
  try {
    await ctx.runMutation(api.moments.child, {}, { transactionLimits: { documentsWritten } });
  } catch (error: any) {
    message = error.message;
  }
  return { message, left: (await ctx.db.query("notes").collect()).length };
});

export const time = query(async () => {
  const first = Date.now();
  await Promise.resolve();
  return { stands: Date.now() === first && new Date().getTime() === first, now: first };
});
export const usesFetch = query(async () => {
  await fetch("http://127.0.0.1:1/");
});
export const usesTimer = mutation(async () => {
  setTimeout(() => null, 1);
});
