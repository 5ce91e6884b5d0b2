/**
 * Owns: the doors of the statistics: what a browser, a reader and an operator may call, with which shapes.
 * Not: the rules (model/).
 */
import { v } from "convex/values";
import { internalMutation, internalQuery, mutation } from "./_generated/server.js";
import type { MutationCtx } from "./_generated/server.js";
import { door, readerMutation, readerQuery } from "./readers.ts";
import * as backfill from "./model/backfill.ts";
import * as events from "./model/events/record.ts";
import * as engagement from "./model/engagement/recording.ts";
import { engagementFields, engagementOutcome } from "./model/engagement/shapes.ts";
import * as filtered from "./model/filtered.ts";
import * as asking from "./model/past/asking.ts";
import * as presence from "./model/presence.ts";
import * as quarantine from "./model/quarantine.ts";
import * as sweep from "./model/sweep.ts";
import * as verdicts from "./model/verdicts/jobs.ts";
import * as views from "./model/views.ts";
import * as worker from "./model/worker.ts";
import * as watching from "./model/watching.ts";
import * as shapes from "./model/shapes.ts";
import {
  backfillStatus,
  beatFields,
  eventFields,
  filteredCount,
  leaveFields,
  viewFields,
  viewOutcome,
} from "./model/shapes.ts";
import { filteredHit, verdictJob } from "./model/verdicts/verdictShapes.ts";
import * as questions from "./questions.ts";
import { filterReason, hitCriteria } from "./schema.ts";

const site = v.optional(v.string());

/**
 * A browser shows a page. Counts it once per session and path within the site's dedup window, and takes it as a sign
 * of life. A resend with the same `eventId` never counts again. Without `site` it is that of the `host`, if there is
 * one. Clamps what is too long; throws `invalid_session_id`, `invalid_id` or `unknown_site`.
 */
export const recordPageView = mutation({
  args: viewFields,
  returns: viewOutcome,
  handler: (ctx, args) => views.recordPageView(ctx, args),
});

/**
 * Something happened that is no view: a signup, a download. An interactive one ends a bounce and extends the visit that
 * is open; none begins one, makes a visitor or is a sign of life. A resend with the same `eventId` never counts again.
 * Clamps what is too long; throws as above, and `invalid_event` when it has no name.
 */
export const recordEvent = mutation({
  args: eventFields,
  returns: viewOutcome,
  handler: (ctx, args) => events.recordEvent(ctx, args),
});

/** A visible tab is still there. Never counts a view and never creates a visitor; a changed path takes effect at once. */
export const heartbeat = mutation({
  args: beatFields,
  returns: v.null(),
  handler: async (ctx, args) => {
    await presence.heartbeat(ctx, args);
    return null;
  },
});

/**
 * The browser's last tab goes away. Ignored when the session has moved on: it is on another path than `path`, or its
 * last view is another than `eventId` (the last view that the leaving page sent).
 */
export const leave = mutation({
  args: leaveFields,
  returns: v.null(),
  handler: async (ctx, args) => {
    await presence.leave(ctx, args);
    return null;
  },
});

/**
 * A page is hidden or left: how long its view was engaged with so far, how far it was scrolled, its Web Vitals. Every
 * number is cumulative for the view, so any resend, loss or reordering is harmless. Never counts a view or a visitor,
 * and touches neither the visit nor who is online. Of a view that did not count it is filtered. Clamps what cannot be;
 * throws `invalid_session_id`, `invalid_id` or `unknown_site`.
 */
export const recordEngagement = mutation({
  args: engagementFields,
  returns: engagementOutcome,
  handler: (ctx, args) => engagement.recordEngagement(ctx, args),
});

/** An open /stats says that somebody watches: at once, and then every WATCH_INTERVAL_MS. */
export const watch = readerMutation(
  door({
    args: { watcherId: v.string() },
    returns: v.null(),
    ofSegment: "same",
    handler: (ctx: MutationCtx, args) => watching.watch(ctx, args),
  }),
);

/** Headline and panels. "instant" (the default) is exact for anyone at any moment; "settled" is what the worker has counted, for a page that watches. */
export const getStats = readerQuery(questions.getStats);

/** The settled headline alone. While somebody watches, it is at most a second old; a page subscribes to it beside getPanels. */
export const getHeadline = readerQuery(questions.getHeadline);

/** The settled panels alone: pages by views, and where people are. While somebody watches, they are at most five seconds old. */
export const getPanels = readerQuery(questions.getPanels);

/**
 * A reader that does not watch asks this first, and again while it is not settled: then reports hold everything that
 * was recorded before.
 */
export const settle = readerMutation(
  door({
    args: {},
    returns: v.object({ isSettled: v.boolean() }),
    ofSegment: "same",
    handler: (ctx: MutationCtx, args) => worker.settleAll(ctx, args),
  }),
);

/** How many are online, on the site or on one `path`; null where the site tells nobody apart. Settled: for a page that watches. */
export const countOnline = readerQuery(questions.countOnline);

/** Every page by all-time views, the most viewed first. Settled numbers. */
export const listPages = readerQuery(questions.listPages);

const { days } = questions;

/**
 * Views of the site, or of one path, between any two days, ever. Settled; O(log n). `isExact` is false for days of one
 * path on a site where an hour once had more paths than are kept by name. Throws `unknown_site` or `invalid_range`.
 */
export const countViews = readerQuery(questions.countViews);

/** Visitors who came for the first time ever between any two days; null where the site told nobody apart. Settled; O(log n). Throws as above. */
export const countNewVisitors = readerQuery(questions.countNewVisitors);

/** How far behind the worker is. Changes with each of its runs: to be asked now and then. */
export const getWorker = readerQuery(questions.getWorker);

/** Which jobs run, when the numbers were last proved, what was put aside. */
export const getHealth = readerQuery(questions.getHealth);

const pastJob = v.union(shapes.pastJob, v.null());

/** Makes days anew from the log, beside live traffic; without days, those that wait for it, else all that have rows. */
export const reroll = internalMutation({
  args: { site, ...days },
  returns: pastJob,
  handler: (ctx, args) => asking.reroll(ctx, args),
});

/** Stops a re-roll after its step. `reroll` without days resumes it. */
export const cancelReroll = internalMutation({
  args: { site },
  returns: pastJob,
  handler: (ctx, args) => asking.cancelReroll(ctx, args),
});

/** Recounts days from the log and compares every metric and dimension, and the all-time totals. The result is a row in `checks`. */
export const verify = internalMutation({
  args: { site, ...days },
  returns: pastJob,
  handler: (ctx, args) => asking.verify(ctx, args),
});

/** Makes days anew whatever they hold, and puts the all-time totals right by them. */
export const repair = internalMutation({
  args: { site, ...days },
  returns: pastJob,
  handler: (ctx, args) => asking.repair(ctx, args),
});

/** Rows that could not be counted, the oldest first, at most 100. */
export const listQuarantine = internalQuery({
  args: { site },
  returns: v.array(shapes.quarantinedRow),
  handler: (ctx, args) => quarantine.list(ctx, args),
});

/** Tries to count such rows again: one, or the first 100. */
export const retryQuarantined = internalMutation({
  args: { site, id: v.optional(v.id("quarantine")) },
  returns: v.object({ retried: v.number() }),
  handler: (ctx, args) => quarantine.retry(ctx, args),
});

/** Counts the rows of the original design, in chunks that schedule themselves. Joins a run that is under way; `restart` replaces it. */
export const backfillAggregates = internalMutation({
  args: { site, restart: v.optional(v.boolean()) },
  returns: backfillStatus,
  handler: (ctx, args) => backfill.start(ctx, args),
});

/** One chunk of the backfill and the scheduling of the next. Does nothing when its chain no longer owns the job. */
export const backfillAggregatesChunk = internalMutation({
  args: { site, chain: v.number() },
  returns: v.null(),
  handler: (ctx, args) => backfill.runChunk(ctx, args),
});

/** The rows of one chunk, in a transaction of their own inside the chunk's, so that a chunk that throws leaves nothing behind. */
export const backfillAggregatesRows = internalMutation({
  args: { site: v.string() },
  returns: v.object({ rows: v.number(), reachedAt: v.union(v.number(), v.null()) }),
  handler: (ctx, args) => backfill.countRows(ctx, args),
});

/** Stops a running backfill. What is counted stays counted; starting again resumes. */
export const cancelBackfill = internalMutation({
  args: { site },
  returns: backfillStatus,
  handler: (ctx, args) => backfill.cancel(ctx, args),
});

/** How many hits of the last 30 days were filtered instead of counted. */
export const countFilteredHits = internalQuery({
  args: { site },
  returns: filteredCount,
  handler: (ctx, args) => filtered.countFiltered(ctx, args),
});

/** The newest filtered hits, as they are kept; each `_id` is one that `restoreFiltered` takes. */
export const listFilteredHits = internalQuery({
  args: { site },
  returns: v.array(filteredHit),
  handler: (ctx, args) => filtered.listFiltered(ctx, args),
});

/**
 * Counts filtered hits after all, as if they had been counted when they came: those that all criteria fit, or one.
 * `dryRun` says how many. Steps schedule themselves; asking again goes on.
 */
export const restoreFiltered = internalMutation({
  args: {
    ...{ site, dryRun: v.optional(v.boolean()), id: v.optional(v.id("filteredHits")) },
    ...hitCriteria.fields,
  },
  returns: verdictJob,
  handler: (ctx, args) => verdicts.restore(ctx, args),
});

/** The other way: views that a later rule would have filtered are counted no more. `because`: with which reason they are kept. */
export const filterCounted = internalMutation({
  args: {
    ...{ site, dryRun: v.optional(v.boolean()), because: v.optional(filterReason) },
    ...hitCriteria.fields,
  },
  returns: verdictJob,
  handler: (ctx, args) => verdicts.withdraw(ctx, args),
});

/** Takes sessions that have timed out offline: of one site when its next deadline is due, of all sites from the cron. */
export const cleanupStaleSessions = internalMutation({
  args: { site, dueAt: v.optional(v.number()) },
  returns: v.null(),
  handler: (ctx, args) => sweep.cleanupStaleSessions(ctx, args),
});
