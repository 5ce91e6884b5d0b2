/**
 * Owns: what operators do with segments: filters that are kept under a name.
 * Not: the rules (model/filters/segments.ts).
 */
import { v } from "convex/values";
import { internalMutation, internalQuery } from "./_generated/server.js";
import * as kept from "./model/filters/segments.ts";
import { segment } from "./model/filters/shapes.ts";
import { removeSegment } from "./model/tokens.ts";

const site = v.optional(v.string());

/**
 * Keeps a filter, as it stands in the address of /stats after "filter=", under a name:
 *
 *     npx convex run segments:add '{"name": "Blog, Germany", "filter": "country:is:DE;path:matches:/blog/*"}'
 *
 * It is made of the whole log and kept up from then on. A name that is taken gets the new filter. Throws
 * `unknown_site` or `invalid_filter`.
 */
export const add = internalMutation({
  args: { site, name: v.string(), filter: v.string() },
  returns: segment,
  handler: (ctx, args) => kept.addSegment(ctx, args),
});

/** Those of a site, by name. Throws `unknown_site`. */
export const list = internalQuery({
  args: { site },
  returns: v.array(segment),
  handler: (ctx, args) => kept.listSegments(ctx, args),
});

/** False when there is none of that name. Links that show it alone are revoked. Throws `unknown_site`. */
export const remove = internalMutation({
  args: { site, name: v.string() },
  returns: v.boolean(),
  handler: (ctx, args) => removeSegment(ctx, args),
});
