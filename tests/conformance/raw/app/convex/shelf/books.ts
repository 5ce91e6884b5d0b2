/** Owns: a component with a table of its own, which uses a component itself. */
import {
  actionGeneric as action,
  anyApi,
  componentsGeneric,
  createFunctionHandle,
  mutationGeneric as mutation,
  queryGeneric as query,
} from "convex/server";
import { ConvexError, v } from "convex/values";

const components: any = componentsGeneric();

export const add = mutation({
  args: { title: v.string() },
  handler: async (ctx, { title }) => {
    await ctx.db.insert("books", { title });
    await ctx.runMutation(components.drawer.slips.add, { title });
  },
});
export const addThenFail = mutation({
  args: { title: v.string() },
  handler: async (ctx, { title }) => {
    await ctx.db.insert("books", { title });
    await ctx.runMutation(components.drawer.slips.add, { title });
    throw new ConvexError({ code: "shelf", title, size: 7n });
  },
});
/** The failure comes from the component inside. */
export const addInsideThenFail = mutation({
  args: { title: v.string() },
  handler: async (ctx, { title }) => {
    await ctx.db.insert("books", { title });
    await ctx.runMutation(components.drawer.slips.addThenFail, { title });
  },
});
/** Catches it: its own row stays, the inner one goes. */
export const addAndCatch = mutation({
  args: { title: v.string() },
  handler: async (ctx, { title }) => {
    await ctx.db.insert("books", { title });
    try {
      await ctx.runMutation(components.drawer.slips.addThenFail, { title });
    } catch (error) {
      return error instanceof ConvexError ? error.data : String(error);
    }
    return null;
  },
});
export const titles = query({
  args: {},
  handler: async (ctx) => ({
    shelf: (await ctx.db.query("books").withIndex("by_title").collect()).map((book) => book.title),
    drawer: await ctx.runQuery(components.drawer.slips.titles, {}),
  }),
});
export const failing = query({
  args: {},
  handler: async () => {
    throw new ConvexError({ code: "shelf query" });
  },
});
export const acting = action({
  args: { title: v.string() },
  handler: async (ctx, { title }) => {
    await ctx.runMutation(anyApi.books.add, { title });
    throw new ConvexError({ code: "shelf action" });
  },
});
/** Calls back what the app handed over. */
export const callBack = mutation({
  args: { handle: v.string(), text: v.string() },
  handler: async (ctx, { handle, text }) => {
    await ctx.db.insert("books", { title: text });
    return await ctx.runMutation(handle as any, { text });
  },
});
export const ownHandle = mutation({
  args: {},
  handler: async () => await createFunctionHandle(anyApi.books.add),
});
export const later = mutation({
  args: { title: v.string() },
  handler: async (ctx, { title }) => {
    await ctx.scheduler.runAfter(0, anyApi.books.add, { title });
  },
});
/** A component sees neither the caller's identity nor its environment, and cannot paginate. */
export const surroundings = mutation({
  args: {},
  handler: async (ctx) => ({
    identity: await ctx.auth.getUserIdentity(),
    variable: process.env.TEST_NAME ?? null,
    declared: process.env.GREETING ?? null,
    ofApp: process.env.OF_APP ?? null,
    inside: await ctx.runQuery(components.drawer.slips.deep, {}),
    where: await (ctx as any).meta.getFunctionMetadata(),
  }),
});
export const paged = query({
  args: {},
  handler: async (ctx) =>
    (await ctx.db.query("books").paginate({ cursor: null, numItems: 1 })).isDone,
});
export const clear = mutation({
  args: {},
  handler: async (ctx) => {
    for (const book of await ctx.db.query("books").collect()) await ctx.db.delete(book._id);
    await ctx.runMutation(components.drawer.slips.clear, {});
  },
});
