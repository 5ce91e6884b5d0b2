/** Owns: a component inside a component. */
import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";
import { ConvexError, v } from "convex/values";

export const add = mutation({
  args: { title: v.string() },
  handler: async (ctx, { title }) => {
    await ctx.db.insert("slips", { title });
  },
});
export const addThenFail = mutation({
  args: { title: v.string() },
  handler: async (ctx, { title }) => {
    await ctx.db.insert("slips", { title });
    throw new ConvexError({ code: "drawer", title, size: 8n });
  },
});
export const titles = query({
  args: {},
  handler: async (ctx) => (await ctx.db.query("slips").collect()).map((slip) => slip.title),
});
export const deep = query({ args: {}, handler: async () => process.env.DEEP ?? null });
export const clear = mutation({
  args: {},
  handler: async (ctx) => {
    for (const slip of await ctx.db.query("slips").collect()) await ctx.db.delete(slip._id);
  },
});
