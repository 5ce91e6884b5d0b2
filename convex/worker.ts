/** Owns: the doors through which the worker calls itself. Not: the rules (model/worker.ts, model/settling.ts). */
import { v } from "convex/values";
import { internalMutation } from "./_generated/server.js";
import * as engaging from "./model/engagement/roll.ts";
import { rollEngagementLeft as rollLeft } from "./model/engagement/rolling.ts";
import * as filtered from "./model/filtered.ts";
import * as limits from "./model/limits.ts";
import * as roll from "./model/rollups/roll.ts";
import * as rolling from "./model/rollups/rolling.ts";
import * as settling from "./model/settling.ts";
import * as watchdog from "./model/watchdog.ts";
import * as worker from "./model/worker.ts";

/** One run for one site. With `dueAt` it is the scheduled run, and does nothing when another took its place. */
export const run = internalMutation({
  args: { site: v.string(), dueAt: v.optional(v.number()) },
  returns: v.null(),
  handler: (ctx, args) => worker.run(ctx, args),
});

/** Counts the next batch in a transaction of its own inside the run's, so that a batch that throws leaves nothing behind. */
export const settleBatch = internalMutation({
  args: { site: v.string() },
  returns: v.object({ rows: v.number(), isFull: v.boolean() }),
  handler: (ctx, args) => settling.settleBatch(ctx, args),
});

/** Counts these log rows in a transaction of their own inside the run's, so that rows that throw leave nothing behind. */
export const settle = internalMutation({
  args: {
    site: v.string(),
    views: v.array(v.id("pageViews")),
    moves: v.array(v.id("presenceLog")),
  },
  returns: v.null(),
  handler: (ctx, args) => settling.settleRows(ctx, args),
});

/** Rolls up what the last run of a site that went idle left for later. */
export const rollUp = internalMutation({
  args: { site: v.string() },
  returns: v.null(),
  handler: (ctx, args) => rolling.rollLeft(ctx, args),
});

/** Adds the next batch to the roll-ups in a transaction of its own inside the run's, so that a fault there leaves the headline alone. */
export const rollBatch = internalMutation({
  args: { site: v.string() },
  returns: v.object({ views: v.number(), isFull: v.boolean() }),
  handler: (ctx, args) => roll.rollBatch(ctx, args),
});

/** Adds the next batch of engagement to its roll-ups in a transaction of its own inside the run's, so that one that throws leaves nothing behind. */
export const rollEngagement = internalMutation({
  args: { site: v.string() },
  returns: v.object({ rows: v.number(), isFull: v.boolean() }),
  handler: (ctx, args) => engaging.rollBatch(ctx, args),
});

/** Adds the engagement that the last run of a site that went idle left for later. */
export const rollEngagementLeft = internalMutation({
  args: { site: v.string() },
  returns: v.null(),
  handler: (ctx, args) => rollLeft(ctx, args),
});

/** Adds these rows of engagement in a transaction of their own, so that rows that throw leave nothing behind. */
export const rollEngagementRows = internalMutation({
  args: { site: v.string(), ids: v.array(v.id("engagements")) },
  returns: v.null(),
  handler: (ctx, args) => engaging.rollRows(ctx, args),
});

/** Starts runs that should have run and did not. From the 5-minute cron. */
export const wakeOverdue = internalMutation({
  args: {},
  returns: v.null(),
  handler: (ctx) => watchdog.wakeOverdue(ctx),
});

/** Removes what stood for addresses of days before. From the daily cron. */
export const forgetAddresses = internalMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    await limits.forgetAddresses(ctx);
    return null;
  },
});

/** Removes filtered hits that are older than 30 days, a batch at a time. From the daily cron. */
export const pruneFilteredHits = internalMutation({
  args: {},
  returns: v.null(),
  handler: (ctx) => filtered.pruneFilteredHits(ctx),
});
