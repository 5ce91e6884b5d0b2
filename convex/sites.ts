/** Owns: the doors that operators use for sites. Not: the rules (model/settings.ts, model/strangers.ts). */
import { v } from "convex/values";
import { internalMutation, internalQuery } from "./_generated/server.js";
import * as settings from "./model/settings.ts";
import { unknownHost } from "./model/shapes.ts";
import { changedSite, settingsArguments, siteDescription } from "./model/siteShapes.ts";
import * as strangers from "./model/strangers.ts";

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

/** Creates the default site unless it exists, and sets what is given, as `set` does. */
export const ensureDefault = internalMutation({
  args: settingsArguments,
  returns: v.object({ slug: v.string(), name: v.string(), timeZone: v.string() }),
  handler: (ctx, args) => settings.ensureDefault(ctx, args),
});
