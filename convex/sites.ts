/** Owns: the doors that operators use for sites. Not: the rules (model/sites.ts). */
import { v } from "convex/values";
import { internalMutation } from "./_generated/server.js";
import * as sites from "./model/sites.ts";

/** Creates the default site unless it exists, and sets what is given. Throws `invalid_time_zone`. */
export const ensureDefault = internalMutation({
  args: { name: v.optional(v.string()), timeZone: v.optional(v.string()) },
  returns: v.object({ slug: v.string(), name: v.string(), timeZone: v.string() }),
  handler: (ctx, args) => sites.ensureDefault(ctx, args),
});
