/**
 * Owns: a query that every view makes stale whatever its arguments, deployed beside convex/ in the bench only: the
 * hardest kind of subscriber.
 * Not: anything that a site asks for.
 */
import { makeFunctionReference, queryGeneric } from "convex/server";
import { v } from "convex/values";

export const FEED_MODULE = "benchFeed";

/** The paths of the newest `count` views. */
export const newest = queryGeneric({
  args: { count: v.number() },
  returns: v.array(v.string()),
  handler: async (ctx, { count }) => {
    const rows = await ctx.db
      .query("pageViews")
      .withIndex("by_site_commitTs", (q) => q.eq("site", "default"))
      .order("desc")
      .take(count);
    return rows.map(({ path }) => String(path));
  },
});

export const newestViews = makeFunctionReference<"query", { count: number }, string[]>(
  `${FEED_MODULE}:newest`,
);
