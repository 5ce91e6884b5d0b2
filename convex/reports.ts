/**
 * Owns: the doors of the reports: bounded, exact, and each a subscription. They hold what is rolled up; a reader that
 * does not watch calls stats:settle first.
 * Not: the rules (model/reports/).
 */
import { v } from "convex/values";
import { readerQuery } from "./readers.ts";
import * as reports from "./model/reports/reports.ts";
import {
  breakdownReport,
  dimension,
  focus,
  rankBy,
  reportRange,
  seriesUnit,
  summaryReport,
  timeseriesReport,
} from "./model/reports/shapes.ts";

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
