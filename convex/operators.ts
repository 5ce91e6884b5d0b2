/**
 * Owns: the doors through which operators read statistics, whoever else may: nobody reaches them without the
 * deployment's key.
 * Not: the doors of readers (stats.ts, reports.ts), which answer the same.
 */
import { v } from "convex/values";
import { internalMutation, internalQuery } from "./_generated/server.js";
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
import { freshness, statsResult } from "./model/shapes.ts";
import * as stats from "./model/stats.ts";
import * as worker from "./model/worker.ts";

const site = v.optional(v.string());
const asked = { site, range: reportRange };

export const getStats = internalQuery({
  args: { site, freshness: v.optional(freshness) },
  returns: statsResult,
  handler: (ctx, args) => stats.getStats(ctx, args),
});

/** Before a report, again while it is not settled. */
export const settle = internalMutation({
  args: { site },
  returns: v.object({ isSettled: v.boolean() }),
  handler: (ctx, args) => worker.settleAll(ctx, args),
});

export const summary = internalQuery({
  args: { ...asked, only: v.optional(focus) },
  returns: summaryReport,
  handler: (ctx, args) => reports.summary(ctx, args),
});

export const timeseries = internalQuery({
  args: { ...asked, only: v.optional(focus), unit: v.optional(seriesUnit) },
  returns: timeseriesReport,
  handler: (ctx, args) => reports.timeseries(ctx, args),
});

export const breakdown = internalQuery({
  args: { ...asked, dimension, rankBy: v.optional(rankBy), limit: v.optional(v.number()) },
  returns: breakdownReport,
  handler: (ctx, args) => reports.breakdown(ctx, args),
});
