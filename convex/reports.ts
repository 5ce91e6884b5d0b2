/**
 * Owns: the doors of the reports: bounded, exact, and each a subscription. They hold what is rolled up; a reader that
 * does not watch calls stats:settle first.
 * Not: the rules (model/reports/).
 */
import { v } from "convex/values";
import { readerQuery } from "./readers.ts";
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

const asked = { range: reportRange };

/** The figures of a range, of all views or of one value `only`. Throws `unknown_site` or `invalid_range`. */
export const summary = readerQuery({
  args: { ...asked, only: v.optional(focus) },
  returns: summaryReport,
  handler: (ctx, args) => reports.summary(ctx, args),
});

/** The same for each hour, day, week or month of the range. */
export const timeseries = readerQuery({
  args: { ...asked, only: v.optional(focus), unit: v.optional(seriesUnit) },
  returns: timeseriesReport,
  handler: (ctx, args) => reports.timeseries(ctx, args),
});

/** Custom events by name: `limit` of them (50 by default), and the rest as one sum. `timeseries` with `only` shows one over time. Throws as above. */
export const events = readerQuery({
  args: { ...asked, limit: v.optional(v.number()) },
  returns: eventsReport,
  handler: (ctx, args) => eventReports.eventNames(ctx, args),
});

/** The properties of one event, each with its most frequent values: `limit` of them (50 by default), and the rest as one sum. */
export const eventProperties = readerQuery({
  args: { ...asked, name: v.string(), limit: v.optional(v.number()) },
  returns: eventPropertiesReport,
  handler: (ctx, args) => eventReports.eventProperties(ctx, args),
});

/** The values of a dimension, those with the most of `rankBy` (views by default) first: `limit` of them (50 by default), and the rest as one sum. */
export const breakdown = readerQuery({
  args: {
    ...asked,
    dimension,
    rankBy: v.optional(rankBy),
    limit: v.optional(v.number()),
  },
  returns: breakdownReport,
  handler: (ctx, args) => reports.breakdown(ctx, args),
});

/** Engaged time, scroll depth, Web Vitals and how many were touched, of the views of a range, of all or of one path. Throws as above. */
export const engagement = readerQuery({
  args: { ...asked, path: v.optional(v.string()) },
  returns: engagementReport,
  handler: (ctx, args) => engaged.engagement(ctx, args),
});

/** The same for each path, those with the most of `rankBy` (engaged time by default) first: `limit` of them (50 by default), and the rest as one sum. */
export const engagedPaths = readerQuery({
  args: { ...asked, rankBy: v.optional(rankEngagedBy), limit: v.optional(v.number()) },
  returns: engagedPathsReport,
  handler: (ctx, args) => engaged.engagedPaths(ctx, args),
});

/** How many hits of the last 30 days were filtered instead of counted, by reason, bots by kind. Throws `unknown_site`. */
export const leftOut = readerQuery({
  args: {},
  returns: filteredCount,
  handler: (ctx, args) => countFiltered(ctx, args),
});
