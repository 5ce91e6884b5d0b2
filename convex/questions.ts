/**
 * Owns: what may be asked of a site's statistics: the arguments, the answer, the rule that gives it.
 * Not: who may ask: readers (stats.ts, reports.ts), or operators, whoever else may (operators.ts).
 */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import type { PropertyValidators } from "convex/values";
import type { QueryCtx } from "./_generated/server.js";
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
import type { Door, Result } from "./readers.ts";
import { condition } from "./schema.ts";
import { listSegments } from "./model/filters/segments.ts";
import { segment } from "./model/filters/shapes.ts";

const asked = { range: reportRange };

/** Only what meets it, of the days that are made under it (filters:ask). */
const filter = v.optional(v.array(condition));

/** Local days of the site such as 2026-11-30, both included; an end that is left out is open. */
export const days = { from: v.optional(v.string()), to: v.optional(v.string()) };

function question<A extends PropertyValidators, R extends Result>(
  door: Door<QueryCtx, A, R>,
): Door<QueryCtx, A, R> {
  return door;
}

export const getStats = question({
  args: { freshness: v.optional(freshness) },
  returns: statsResult,
  handler: (ctx, args) => stats.getStats(ctx, args),
});

export const getHeadline = question({
  args: {},
  returns: headlineResult,
  handler: (ctx, args) => stats.getHeadline(ctx, args),
});

export const getPanels = question({
  args: {},
  returns: panelsResult,
  handler: (ctx, args) => stats.getPanels(ctx, args),
});

export const countOnline = question({
  args: { path: v.optional(v.string()) },
  returns: v.union(v.number(), v.null()),
  handler: (ctx, args) => stats.countOnline(ctx, args),
});

export const listPages = question({
  args: { paginationOpts: paginationOptsValidator },
  returns: paginationResultValidator(pageStat),
  handler: (ctx, args) => ranking.listPages(ctx, args),
});

export const countViews = question({
  args: { path: v.optional(v.string()), ...days },
  returns: viewCount,
  handler: (ctx, args) => counts.countViews(ctx, args),
});

export const countNewVisitors = question({
  args: { ...days },
  returns: v.union(v.number(), v.null()),
  handler: (ctx, args) => counts.countNewVisitors(ctx, args),
});

export const getWorker = question({
  args: {},
  returns: shapes.workerState,
  handler: (ctx, args) => health.getWorker(ctx, args),
});

export const getHealth = question({
  args: {},
  returns: shapes.health,
  handler: (ctx, args) => health.getHealth(ctx, args),
});

export const summary = question({
  args: { ...asked, filter, only: v.optional(focus) },
  returns: summaryReport,
  handler: (ctx, args) => reports.summary(ctx, args),
});

export const timeseries = question({
  args: { ...asked, filter, only: v.optional(focus), unit: v.optional(seriesUnit) },
  returns: timeseriesReport,
  handler: (ctx, args) => reports.timeseries(ctx, args),
});

export const events = question({
  args: { ...asked, filter, limit: v.optional(v.number()) },
  returns: eventsReport,
  handler: (ctx, args) => eventReports.eventNames(ctx, args),
});

export const eventProperties = question({
  args: { ...asked, filter, name: v.string(), limit: v.optional(v.number()) },
  returns: eventPropertiesReport,
  handler: (ctx, args) => eventReports.eventProperties(ctx, args),
});

export const breakdown = question({
  args: {
    ...asked,
    filter,
    dimension,
    rankBy: v.optional(rankBy),
    limit: v.optional(v.number()),
  },
  returns: breakdownReport,
  handler: (ctx, args) => reports.breakdown(ctx, args),
});

export const engagement = question({
  args: { ...asked, path: v.optional(v.string()) },
  returns: engagementReport,
  handler: (ctx, args) => engaged.engagement(ctx, args),
});

export const engagedPaths = question({
  args: { ...asked, rankBy: v.optional(rankEngagedBy), limit: v.optional(v.number()) },
  returns: engagedPathsReport,
  handler: (ctx, args) => engaged.engagedPaths(ctx, args),
});

export const leftOut = question({
  args: {},
  returns: filteredCount,
  handler: (ctx, args) => countFiltered(ctx, args),
});

export const annotations = question({
  args: asked,
  returns: v.array(annotation),
  handler: (ctx, args) => ofRange(ctx, args),
});

export const onlineByTime = question({
  args: { day: v.optional(v.string()) },
  returns: online.onlineByTime,
  handler: (ctx, args) => online.readOnlineByTime(ctx, args),
});

export const movements = question({
  args: {},
  returns: movementList,
  handler: (ctx, args) => readMovements(ctx, args),
});

export const segments = question({
  args: {},
  returns: v.array(segment),
  handler: (ctx, args) => listSegments(ctx, args),
});
