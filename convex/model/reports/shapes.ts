/** Owns: the shapes of reports as validators; types are inferred from them. Not: the numbers (domain/rollups/report.ts). */
import { v } from "convex/values";
import type { Infer } from "convex/values";
import { DIMENSION_NAMES } from "../../../domain/rollups/dimension.ts";
import type { DimensionName } from "../../../domain/rollups/dimension.ts";
import { visitorsAre } from "../shapes.ts";

/**
 * Instants in epoch ms, half-open; or local days of the site, both included, each as 2026-11-30. A range is rounded
 * to whole hours, and to whole days where it is long or its hours are gone: the report says by its `from` and `until`.
 */
export const reportRange = v.union(
  v.object({ from: v.number(), until: v.number() }),
  v.object({ firstDay: v.string(), lastDay: v.string() }),
);
export type ReportRange = Infer<typeof reportRange>;

/** Properties of events have a report of their own. */
export type ReportDimension = Exclude<DimensionName, "eventProperty">;

const REPORT_DIMENSIONS = DIMENSION_NAMES.filter(
  (name): name is ReportDimension => name !== "eventProperty",
);

export const dimension = v.union(...REPORT_DIMENSIONS.map((name) => v.literal(name)));

/** One value alone: a page, a country. */
export const focus = v.object({ dimension, value: v.string() });

/** Null where the site told nobody apart (`visitorsAre`). */
const measured = v.union(v.number(), v.null());

const figures = {
  views: v.number(),
  /** Visits that began; of a path: visits that began there. */
  visits: measured,
  bounces: measured,
  exits: measured,
  /** From the first view of each visit to its last. */
  durationMs: measured,
  /** Custom events, of all or of the one that is looked at; 0 for values of other dimensions. */
  events: v.number(),
  /** Distinct, or what `visitorsAre` says. Of a path: of that page; of an event: who sent it. Of another value: those whose first visit in the range had it, so that all values add up. */
  visitors: measured,
  /** Never seen before; of a path: never there before; of an event: who never sent it before. */
  newVisitors: measured,
};

export const rankBy = v.union(
  v.literal("views"),
  v.literal("visits"),
  v.literal("bounces"),
  v.literal("exits"),
  v.literal("durationMs"),
  v.literal("events"),
  v.literal("visitors"),
  v.literal("newVisitors"),
);

const covered = {
  from: v.number(),
  until: v.number(),
  timeZone: v.string(),
  /**
   * True where the range begins before the site's raw rows are kept: who stayed away for longer than that and came
   * back counts as new, so `visitors` is at most so many.
   */
  isBeyondRetention: v.boolean(),
  /** What `visitors` is, by whom the site counted as one visitor at the time; of a series: of its points. Views of nobody (Do Not Track) are never in it. */
  visitorsAre,
  /**
   * Of a report under a filter: of how many local days of the range there are numbers, and how many days have rows in
   * the log. What is not there yet is in no figure.
   */
  progress: v.optional(v.object({ done: v.number(), total: v.number() })),
};

export const summaryReport = v.object({
  ...covered,
  ...figures,
  /** Share of visits with one view, 0..1. */
  bounceRatio: measured,
  /** All views, also those of nobody, which are in no visit. Null also where only a part was measured. */
  viewsPerVisit: measured,
  averageVisitMs: measured,
});
export type SummaryReport = Infer<typeof summaryReport>;

export const seriesUnit = v.union(
  v.literal("hour"),
  v.literal("day"),
  v.literal("week"),
  v.literal("month"),
);
export type SeriesUnit = Infer<typeof seriesUnit>;

export const timeseriesReport = v.object({
  ...covered,
  /** The unit that was asked for, or the next larger one of which the range can be made. */
  unit: seriesUnit,
  /** One for each bucket, also for those without views; visitors are distinct within each. */
  points: v.array(v.object({ startsAt: v.number(), endsAt: v.number(), ...figures })),
});
export type TimeseriesReport = Infer<typeof timeseriesReport>;

const row = v.object({ value: v.string(), ...figures });

export const breakdownReport = v.object({
  ...covered,
  dimension,
  rows: v.array(row),
  /** All values that are not listed, together; null when there are none. */
  rest: v.union(v.object(figures), v.null()),
  valuesTotal: v.number(),
  /** False when an hour had more values than are kept: `rest` then holds some that might have made a row. */
  complete: v.boolean(),
  /** How a visitor is counted in a row: in each page that they saw, each event that they sent, or under the value of their first visit in the range. */
  visitorsBy: v.union(v.literal("page"), v.literal("event"), v.literal("firstVisit")),
  /** Of countries: from what they are known. A zone may cover several countries, and then stands for its largest. Null for other dimensions. */
  countryBy: v.union(v.literal("timeZone"), v.literal("headerOrTimeZone"), v.null()),
});
export type BreakdownReport = Infer<typeof breakdownReport>;

const eventFigures = {
  events: v.number(),
  /** Distinct visitors who sent it, or what `visitorsAre` says. */
  visitors: measured,
};

export const eventsReport = v.object({
  ...covered,
  /** The most frequent first. */
  rows: v.array(v.object({ name: v.string(), ...eventFigures })),
  /** All names that are not listed, together; null when there are none. Its visitors are the sum over its names: one visitor may be in it several times. */
  rest: v.union(v.object(eventFigures), v.null()),
  namesTotal: v.number(),
  /** False when an hour had more names than are kept: `rest` then holds some that might have made a row. */
  complete: v.boolean(),
});
export type EventsReport = Infer<typeof eventsReport>;

export const eventPropertiesReport = v.object({
  ...covered,
  name: v.string(),
  /** The most frequent key first. */
  properties: v.array(
    v.object({
      key: v.string(),
      /** Events of the name that had the key. */
      events: v.number(),
      /** The most frequent first. */
      values: v.array(v.object({ value: v.string(), events: v.number() })),
      /** Events with a value that is not listed, "(other)" to a reader. */
      restEvents: v.number(),
    }),
  ),
  /** False when an hour had more keys, of all events, than are kept: some events are under none then. */
  complete: v.boolean(),
});
export type EventPropertiesReport = Infer<typeof eventPropertiesReport>;
