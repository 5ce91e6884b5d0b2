import { ConvexError, v } from "convex/values";
import { internal } from "./_generated/api";
import { action, internalMutation, internalQuery, mutation, query } from "./_generated/server";

export const get = query({
  args: { name: v.string() },
  returns: v.number(),
  handler: async (ctx, { name }) => {
    const row = await ctx.db
      .query("counters")
      .withIndex("by_name", (q) => q.eq("name", name))
      .unique();
    return row?.value ?? 0;
  },
});

export const add = mutation({
  args: { name: v.string(), by: v.number() },
  returns: v.number(),
  handler: async (ctx, { name, by }) => {
    console.log("adding", by, { to: name });
    const row = await ctx.db
      .query("counters")
      .withIndex("by_name", (q) => q.eq("name", name))
      .unique();
    const value = (row?.value ?? 0) + by;
    if (row === null) await ctx.db.insert("counters", { name, value });
    else await ctx.db.patch(row._id, { value });
    return value;
  },
});

/** Writes and then fails: nothing of it may stay. */
export const addAndFail = mutation({
  args: { name: v.string() },
  returns: v.null(),
  handler: async (ctx, { name }) => {
    await ctx.db.insert("counters", { name, value: 1 });
    throw new ConvexError({ code: "refused", name });
  },
});

export const crash = query({
  args: {},
  returns: v.null(),
  handler: async () => {
    throw new Error("a detail for developers");
  },
});

export const secret = internalQuery({
  args: {},
  returns: v.string(),
  handler: async () => "for admins",
});

export const reset = internalMutation({
  args: { name: v.string() },
  returns: v.null(),
  handler: async (ctx, { name }) => {
    const rows = await ctx.db
      .query("counters")
      .withIndex("by_name", (q) => q.eq("name", name))
      .take(100);
    for (const row of rows) await ctx.db.delete(row._id);
    return null;
  },
});

export const addLater = mutation({
  args: { name: v.string(), delayMs: v.number() },
  returns: v.null(),
  handler: async (ctx, { name, delayMs }) => {
    await ctx.scheduler.runAfter(delayMs, internal.counters.addOne, { name });
    return null;
  },
});

export const addOne = internalMutation({
  args: { name: v.string() },
  returns: v.null(),
  handler: async (ctx, { name }) => {
    await ctx.db.insert("counters", { name, value: 1 });
    return null;
  },
});

export const addTwice = action({
  args: { name: v.string() },
  returns: v.null(),
  handler: async (ctx, { name }) => {
    await ctx.runMutation(internal.counters.addOne, { name: `${name}/first` });
    await ctx.runMutation(internal.counters.addOne, { name: `${name}/second` });
    return null;
  },
});

export const greeting = query({
  args: {},
  returns: v.union(v.string(), v.null()),
  handler: async () => process.env.GREETING ?? null,
});
