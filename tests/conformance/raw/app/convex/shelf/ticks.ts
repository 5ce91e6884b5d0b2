/** Owns: what the component's own cron calls, and how often it did. */
import { internalMutationGeneric as internalMutation, queryGeneric as query } from "convex/server";

export const tick = internalMutation(async (ctx) => {
  const row = await ctx.db.query("ticks").first();
  if (row === null) await ctx.db.insert("ticks", { count: 1 });
  else await ctx.db.patch(row._id, { count: row.count + 1 });
});
export const count = query({
  args: {},
  handler: async (ctx) => (await ctx.db.query("ticks").first())?.count ?? 0,
});
