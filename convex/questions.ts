/**
 * Owns: what may be asked of a site's reports: the arguments, the answer, the rule that gives it.
 * Not: who may ask: readers (reports.ts), or operators, whoever else may (operators.ts).
 */
import { v } from "convex/values";
import type { PropertyValidators } from "convex/values";
import type { QueryCtx } from "./_generated/server.js";
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
import { filteredCount } from "./model/shapes.ts";

import type { Door, Result } from "./readers.ts";

const asked = { range: reportRange };

function question<A extends PropertyValidators, R extends Result>(
  door: Door<QueryCtx, A, R>,
): Door<QueryCtx, A, R> {
  return door;
}

export const summary = question({
  args: { ...asked, only: v.optional(focus) },
  returns: summaryReport,
  handler: (ctx, args) => reports.summary(ctx, args),
});

export const timeseries = question({
  args: { ...asked, only: v.optional(focus), unit: v.optional(seriesUnit) },
  returns: timeseriesReport,
  handler: (ctx, args) => reports.timeseries(ctx, args),
});

export const events = question({
  args: { ...asked, limit: v.optional(v.number()) },
  returns: eventsReport,
  handler: (ctx, args) => eventReports.eventNames(ctx, args),
});

export const eventProperties = question({
  args: { ...asked, name: v.string(), limit: v.optional(v.number()) },
  returns: eventPropertiesReport,
  handler: (ctx, args) => eventReports.eventProperties(ctx, args),
});

export const breakdown = question({
  args: {
    ...asked,
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
