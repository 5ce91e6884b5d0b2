/** Owns: the shapes of what is asked over HTTP and of its answer. Not: the numbers (model/reports/, model/engagement/). */
import { v } from "convex/values";
import type { Infer } from "convex/values";
import { engagedPathsReport, engagementReport, rankEngagedBy } from "../engagement/shapes.ts";
import {
  breakdownReport,
  dimension,
  eventPropertiesReport,
  eventsReport,
  focus,
  rankBy,
  seriesUnit,
  summaryReport,
  timeseriesReport,
} from "../reports/shapes.ts";
import { headlineResult } from "../shapes.ts";
import { condition } from "../../schema.ts";

const period = v.string();
const limit = v.optional(v.number());
const only = v.optional(focus);
const filter = v.optional(v.array(condition));

/** What is asked, by the name of its report. */
export const reading = v.union(
  v.object({ report: v.literal("now") }),
  v.object({ report: v.literal("summary"), period, only, filter }),
  v.object({
    report: v.literal("timeseries"),
    ...{ period, only, filter },
    unit: v.optional(seriesUnit),
  }),
  v.object({
    report: v.literal("breakdown"),
    ...{ period, dimension, limit, filter },
    rankBy: v.optional(rankBy),
  }),
  v.object({ report: v.literal("events"), period, limit, filter }),
  v.object({
    report: v.literal("eventProperties"),
    ...{ period, limit, filter },
    name: v.string(),
  }),
  v.object({ report: v.literal("engagement"), period, path: v.optional(v.string()) }),
  v.object({
    report: v.literal("engagedPaths"),
    ...{ period, limit },
    rankBy: v.optional(rankEngagedBy),
  }),
);
export type Reading = Infer<typeof reading>;

export const answer = v.union(
  headlineResult,
  summaryReport,
  timeseriesReport,
  breakdownReport,
  eventsReport,
  eventPropertiesReport,
  engagementReport,
  engagedPathsReport,
);
export type Answer = Infer<typeof answer>;
