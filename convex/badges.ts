/** Owns: the door behind the badge. Not: the picture (model/badge.ts). */
import { v } from "convex/values";
import { internalQuery } from "./_generated/server.js";
import * as badge from "./model/badge.ts";

/** Null where the site has none. */
export const read = internalQuery({
  args: { site: v.string() },
  returns: v.union(
    v.null(),
    v.object({
      total: v.number(),
      today: v.number(),
      live: v.union(v.number(), v.null()),
      atLeast: v.boolean(),
    }),
  ),
  handler: (ctx, args) => badge.read(ctx, args),
});
