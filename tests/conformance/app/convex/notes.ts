import { paginationOptsValidator } from "convex/server";
import { v } from "convex/values";
import { mutation, query } from "./_generated/server";

/** One row a call, so that a run of calls can be counted and each found again by its rank. */
export const write = mutation({
  args: {
    text: v.string(),
    rank: v.number(),
    big: v.optional(v.int64()),
    bytes: v.optional(v.bytes()),
  },
  returns: v.id("notes"),
  handler: async (ctx, note) => ctx.db.insert("notes", note),
});

export const ranks = query({
  args: {},
  returns: v.array(v.number()),
  handler: async (ctx) =>
    (await ctx.db.query("notes").withIndex("by_rank").take(20_000)).map((note) => note.rank),
});

export const newest = query({
  args: {},
  returns: v.any(),
  handler: async (ctx) => ctx.db.query("notes").order("desc").first(),
});

export const page = query({
  args: { paginationOpts: paginationOptsValidator },
  returns: v.any(),
  handler: async (ctx, { paginationOpts }) =>
    ctx.db.query("notes").withIndex("by_rank").paginate(paginationOpts),
});
