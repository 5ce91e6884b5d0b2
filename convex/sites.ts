/** Owns: the doors that operators use for sites. Not: the rules (model/settings.ts, model/removal.ts, and what they name). */
import { v } from "convex/values";
import { internalAction, internalMutation, internalQuery } from "./_generated/server.js";
import * as removals from "./model/removal.ts";
import * as settings from "./model/settings.ts";
import { unknownHost } from "./model/shapes.ts";
import {
  changedSite,
  removal,
  settingsArguments,
  siteDescription,
  sizePage,
  siteUsage,
  tableSize,
} from "./model/siteShapes.ts";
import * as sizes from "./model/size.ts";
import * as strangers from "./model/strangers.ts";
import * as usages from "./model/usage.ts";

/** Every site with its settings, the default one first. */
export const list = internalQuery({
  args: {},
  returns: v.array(siteDescription),
  handler: (ctx) => settings.list(ctx),
});

/**
 * A further site. `slug` is what pages name it by, and never changes. From the first `hosts` on, the default site no
 * longer takes what comes from anywhere. Throws `invalid_site`, `site_exists` or `host_taken`, and as `set` does.
 */
export const add = internalMutation({
  args: { slug: v.string(), ...settingsArguments },
  returns: changedSite,
  handler: (ctx, args) => settings.add(ctx, args),
});

/**
 * Sets what is given; null brings a default back. Another time zone makes the days of the past anew. Throws
 * `unknown_site`, `invalid_site`, `host_taken`, `invalid_time_zone`, `invalid_country_header` or `invalid_range`.
 */
export const set = internalMutation({
  args: { site: v.optional(v.string()), ...settingsArguments },
  returns: changedSite,
  handler: (ctx, args) => settings.set(ctx, args),
});

/** Hosts of the last 30 days that no site names, or that are not those of the site that their hits named. */
export const unknownHosts = internalQuery({
  args: {},
  returns: v.array(unknownHost),
  handler: (ctx) => strangers.listUnknownHosts(ctx),
});

/** Rows and bytes of a site by table, the exact counts up to some hundred thousand rows. Throws `unknown_site`. */
export const size = internalAction({
  args: { site: v.string() },
  returns: v.array(tableSize),
  handler: (ctx, args) => sizes.sizeOf(ctx, args),
});

export const sizeOfPage = internalQuery({
  args: { site: v.string(), table: v.string(), cursor: v.union(v.string(), v.null()) },
  returns: sizePage,
  handler: (ctx, args) => sizes.sizeOfPage(ctx, args),
});

/** Views of a site by day and by month. Settled: call stats:settle first. Throws `unknown_site`. */
export const usage = internalQuery({
  args: { site: v.string() },
  returns: siteUsage,
  handler: (ctx, args) => usages.usageOf(ctx, args),
});

/**
 * Removes a site with everything that was counted for it. Without `confirm` it only says what would go; with the slug
 * as `confirm` the site refuses hits at once, and its rows go chunk after chunk. The default site goes on empty.
 * Asked again, it goes on where it stopped. Throws `unknown_site` or `invalid_site`.
 */
export const remove = internalMutation({
  args: { site: v.string(), confirm: v.optional(v.string()) },
  returns: removal,
  handler: (ctx, args) => removals.remove(ctx, args),
});

/** One chunk of a removal and the scheduling of the next. Does nothing when its chain no longer owns the job. */
export const removeChunk = internalMutation({
  args: { site: v.string(), chain: v.number() },
  returns: v.null(),
  handler: (ctx, args) => removals.removeChunk(ctx, args),
});

/** Creates the default site unless it exists, and sets what is given, as `set` does. */
export const ensureDefault = internalMutation({
  args: settingsArguments,
  returns: v.object({ slug: v.string(), name: v.string(), timeZone: v.string() }),
  handler: (ctx, args) => settings.ensureDefault(ctx, args),
});
