/**
 * Owns: what may be asked of a site's statistics: the arguments, the answer, the rule that gives it, and what of it a
 * link of one segment is told.
 * Not: who may ask: readers (stats.ts, reports.ts), or operators, whoever else may (operators.ts).
 */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import type { MutationCtx, QueryCtx } from "./_generated/server.js";
import { annotation, ofRange } from "./model/annotations.ts";
import * as eventReports from "./model/reports/events.ts";
import { countFiltered } from "./model/filtered.ts";
import * as engaged from "./model/engagement/reports.ts";
import { engagedPathsReport, engagementReport, rankEngagedBy } from "./model/engagement/shapes.ts";
import * as reports from "./model/reports/reports.ts";
import {
  breakdownReport,
  dimension,
  eventPropertiesReport,
  eventsReport,
  focus,
  rankBy,
  reportRange,
  seriesUnit,
  summaryReport,
  timeseriesReport,
} from "./model/reports/shapes.ts";
import * as health from "./model/health.ts";
import { movementList, readMovements } from "./model/movements.ts";
import * as online from "./model/online.ts";
import * as counts from "./model/past/counts.ts";
import * as ranking from "./model/ranking.ts";
import * as shapes from "./model/shapes.ts";
import {
  filteredCount,
  freshness,
  headlineResult,
  pageStat,
  panelsResult,
  statsResult,
  viewCount,
} from "./model/shapes.ts";
import * as stats from "./model/stats.ts";
import { door } from "./readers.ts";
import { condition } from "./schema.ts";
import { askAndMake, ask as askFor } from "./model/filters/asking.ts";
import { listSegments } from "./model/filters/segments.ts";
import { segment } from "./model/filters/shapes.ts";
import { readSharedSegment, sharedSegment } from "./model/filters/shared.ts";
import { readSite } from "./model/sites.ts";

const asked = { range: reportRange };

/** Only what meets it, of the days that are made under it (filters:ask). */
const filter = v.optional(v.array(condition));

/** Local days of the site such as 2026-11-30, both included; an end that is left out is open. */
export const days = { from: v.optional(v.string()), to: v.optional(v.string()) };

export const getStats = door({
  args: { freshness: v.optional(freshness) },
  returns: statsResult,
  handler: (ctx: QueryCtx, args) => stats.getStats(ctx, args),
});

export const getHeadline = door({
  args: {},
  returns: headlineResult,
  handler: (ctx: QueryCtx, args) => stats.getHeadline(ctx, args),
});

/** Of this moment, whoever watches. */
export const instantHeadline = door({
  args: {},
  returns: headlineResult,
  handler: async (ctx: QueryCtx, { site }) =>
    stats.getInstantHeadline(ctx, await readSite(ctx, site)),
});

export const getPanels = door({
  args: {},
  returns: panelsResult,
  handler: (ctx: QueryCtx, args) => stats.getPanels(ctx, args),
});

export const countOnline = door({
  args: { path: v.optional(v.string()) },
  returns: v.union(v.number(), v.null()),
  handler: (ctx: QueryCtx, args) => stats.countOnline(ctx, args),
});

export const listPages = door({
  args: { paginationOpts: paginationOptsValidator },
  returns: paginationResultValidator(pageStat),
  handler: (ctx: QueryCtx, args) => ranking.listPages(ctx, args),
});

export const countViews = door({
  args: { path: v.optional(v.string()), ...days },
  returns: viewCount,
  handler: (ctx: QueryCtx, args) => counts.countViews(ctx, args),
});

export const countNewVisitors = door({
  args: { ...days },
  returns: v.union(v.number(), v.null()),
  handler: (ctx: QueryCtx, args) => counts.countNewVisitors(ctx, args),
});

export const getWorker = door({
  args: {},
  returns: shapes.workerState,
  handler: (ctx: QueryCtx, args) => health.getWorker(ctx, args),
});

export const getHealth = door({
  args: {},
  returns: shapes.health,
  handler: (ctx: QueryCtx, args) => health.getHealth(ctx, args),
});

export const summary = door({
  args: { ...asked, filter, only: v.optional(focus) },
  returns: summaryReport,
  ofSegment: "filtered",
  handler: (ctx: QueryCtx, args) => reports.summary(ctx, args),
});

export const timeseries = door({
  args: { ...asked, filter, only: v.optional(focus), unit: v.optional(seriesUnit) },
  returns: timeseriesReport,
  ofSegment: "filtered",
  handler: (ctx: QueryCtx, args) => reports.timeseries(ctx, args),
});

export const events = door({
  args: { ...asked, filter, limit: v.optional(v.number()) },
  returns: eventsReport,
  ofSegment: "filtered",
  handler: (ctx: QueryCtx, args) => eventReports.eventNames(ctx, args),
});

export const eventProperties = door({
  args: { ...asked, filter, name: v.string(), limit: v.optional(v.number()) },
  returns: eventPropertiesReport,
  ofSegment: "filtered",
  handler: (ctx: QueryCtx, args) => eventReports.eventProperties(ctx, args),
});

export const breakdown = door({
  args: {
    ...asked,
    filter,
    dimension,
    rankBy: v.optional(rankBy),
    limit: v.optional(v.number()),
  },
  returns: breakdownReport,
  ofSegment: "filtered",
  handler: (ctx: QueryCtx, args) => reports.breakdown(ctx, args),
});

export const engagement = door({
  args: { ...asked, path: v.optional(v.string()) },
  returns: engagementReport,
  handler: (ctx: QueryCtx, args) => engaged.engagement(ctx, args),
});

export const engagedPaths = door({
  args: { ...asked, rankBy: v.optional(rankEngagedBy), limit: v.optional(v.number()) },
  returns: engagedPathsReport,
  handler: (ctx: QueryCtx, args) => engaged.engagedPaths(ctx, args),
});

export const leftOut = door({
  args: {},
  returns: filteredCount,
  handler: (ctx: QueryCtx, args) => countFiltered(ctx, args),
});

export const annotations = door({
  args: asked,
  returns: v.array(annotation),
  handler: (ctx: QueryCtx, args) => ofRange(ctx, args),
});

export const onlineByTime = door({
  args: { day: v.optional(v.string()) },
  returns: online.onlineByTime,
  handler: (ctx: QueryCtx, args) => online.readOnlineByTime(ctx, args),
});

export const movements = door({
  args: {},
  returns: movementList,
  handler: (ctx: QueryCtx, args) => readMovements(ctx, args),
});

export const segments = door({
  args: {},
  returns: v.array(segment),
  handler: (ctx: QueryCtx, args) => listSegments(ctx, args),
});

export const ask = door({
  args: { range: reportRange, filter: v.array(condition) },
  returns: v.null(),
  ofSegment: "filtered",
  handler: (ctx: MutationCtx, args) => askFor(ctx, args),
});

/** A step for whoever waits for it; true when nothing is left to do. */
export const make = door({
  args: { range: reportRange, filter: v.array(condition) },
  returns: v.boolean(),
  ofSegment: "filtered",
  handler: (ctx: MutationCtx, args) => askAndMake(ctx, args),
});

/** Null for whoever may read everything. */
export const shared = door({
  args: {},
  returns: v.union(sharedSegment, v.null()),
  ofSegment: readSharedSegment,
  handler: (_ctx: QueryCtx) => Promise.resolve(null),
});
