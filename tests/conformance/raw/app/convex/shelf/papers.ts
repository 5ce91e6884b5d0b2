/** Owns: files of a component. */
import { actionGeneric as action, queryGeneric as query } from "convex/server";
import { v } from "convex/values";

export const store = action({
  args: { text: v.string() },
  handler: (ctx, { text }) => ctx.storage.store(new Blob([text])),
});
export const seen = query({
  args: { id: v.id("_storage") },
  handler: async (ctx, { id }) => ({
    hasRow: (await ctx.db.system.get(id)) !== null,
    hasUrl: (await ctx.storage.getUrl(id)) !== null,
  }),
});
