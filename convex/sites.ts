/** Owns: the doors that operators use for sites. Not: the rules (model/settings.ts). */
import { v } from "convex/values";
import { internalMutation } from "./_generated/server.js";
import * as settings from "./model/settings.ts";

/**
 * Creates the default site unless it exists, and sets what is given. Another time zone makes the days of the past
 * anew. `countryHeader` is the header in which the CDN in front of the site states a visitor's country (null: there is
 * none). Throws `invalid_time_zone`, `invalid_country_header` or `invalid_range`.
 */
export const ensureDefault = internalMutation({
  args: {
    name: v.optional(v.string()),
    timeZone: v.optional(v.string()),
    retentionDays: v.optional(v.number()),
    countryHeader: v.optional(v.union(v.string(), v.null())),
  },
  returns: v.object({ slug: v.string(), name: v.string(), timeZone: v.string() }),
  handler: (ctx, args) => settings.ensureDefault(ctx, args),
});
