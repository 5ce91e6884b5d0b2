/** Owns: what is scheduled, cancelled and fails; beats.ts is the cron's. */
import {
  actionGeneric as action,
  anyApi,
  internalActionGeneric as internalAction,
  internalMutationGeneric as internalMutation,
  mutationGeneric as mutation,
  queryGeneric as query,
} from "convex/server";
import { ConvexError } from "convex/values";

const api: any = anyApi;
const texts = async (ctx: any) => (await ctx.db.query("notes").collect()).map((n: any) => n.text);

export const work = internalMutation(async (ctx, { text }) => {
  await ctx.db.insert("notes", { text });
});
export const failing = internalMutation(async (ctx) => {
  await ctx.db.insert("notes", { text: "lost" });
  throw new ConvexError("no");
});
export const acting = internalAction(async (ctx, { text }) => {
  await ctx.runMutation(api.jobs.work, { text });
});
export const actingThenFailing = internalAction(async (ctx, { text }) => {
  await ctx.runMutation(api.jobs.work, { text });
  throw new Error("broken");
});
export const again = internalMutation(async (ctx, { left }) => {
  await ctx.db.insert("notes", { text: `left ${left}` });
  if (left > 0) await ctx.scheduler.runAfter(0, api.jobs.again, { left: left - 1 });
});

export const after = mutation((ctx, { ms, name, args }) =>
  ctx.scheduler.runAfter(ms, api.jobs[name], args),
);
export const at = mutation((ctx, { inMs, name, args }) =>
  ctx.scheduler.runAt(Date.now() + inMs, api.jobs[name], args),
);
export const afterThenFail = mutation(async (ctx, { text }) => {
  await ctx.scheduler.runAfter(0, api.jobs.work, { text });
  throw new Error("the parent");
});
/** The child schedules and fails; the parent catches it. */
export const childFails = mutation(async (ctx, { text }) => {
  await ctx.runMutation(api.jobs.afterThenFail, { text }).catch(() => null);
  await ctx.db.insert("notes", { text: "parent" });
});
export const fromAction = action((ctx, { text }) =>
  ctx.scheduler.runAfter(0, api.jobs.work, { text }),
);
export const cancel = mutation((ctx, { id }) => ctx.scheduler.cancel(id));
export const cancelFromAction = action((ctx, { id }) => ctx.scheduler.cancel(id));
/** Never there for anybody: scheduled and cancelled in one transaction. */
export const afterAndCancel = mutation(async (ctx, { text }) => {
  const id = await ctx.scheduler.runAfter(0, api.jobs.work, { text });
  await ctx.scheduler.cancel(id);
  return id;
});
export const aQuery = mutation((ctx) => ctx.scheduler.runAfter(0, api.jobs.done, {}));

export const done = query(async (ctx) => texts(ctx));
export const job = query(async (ctx, { id }) => {
  const found: any = await ctx.db.system.get(id);
  return found && { name: found.name, args: found.args, state: found.state.kind };
});
export const jobError = query(async (ctx, { id }) => {
  const found: any = await ctx.db.system.get(id);
  return found?.state.error ?? null;
});
