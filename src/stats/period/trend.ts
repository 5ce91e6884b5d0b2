/**
 * Owns: what the trend shows: its bars, the compared line, the scale and which ticks are labelled.
 * Not: drawing (Trend.tsx).
 */
import type { FunctionReturnType } from "convex/server";
import { DAY_MS } from "../../../domain/calendar/civil.ts";
import { MAX_REPORT_DAYS } from "../../../domain/limits.ts";
import type { api } from "../../../convex/_generated/api.js";
import { SERIES_UNITS } from "./address.ts";
import type { SeriesUnit } from "./address.ts";
import type { Span } from "../../../domain/calendar/periods.ts";

export type Timeseries = FunctionReturnType<typeof api.reports.timeseries>;
export type Point = Timeseries["points"][number];

export type Bar = Point & {
  /** The value of the bucket at the same place of the compared time; null where there is none. */
  readonly before: number | null;
  readonly state: "finished" | "unfinished" | "ahead";
};

/** Figures of which a trend can be drawn. */
export const TREND_FIGURES = ["views", "visits", "visitors"] as const;
export type TrendFigure = (typeof TREND_FIGURES)[number];

export function barsOf(
  current: readonly Point[],
  before: readonly Point[] | null,
  { figure, now }: { figure: TrendFigure; now: number },
): Bar[] {
  return current.map((point, place) => ({
    ...point,
    before: before?.[place]?.[figure] ?? null,
    state: stateOf(point, now),
  }));
}

function stateOf({ startsAt, endsAt }: Point, now: number): Bar["state"] {
  if (startsAt > now) return "ahead";
  return endsAt > now ? "unfinished" : "finished";
}

/** Above zero. */
const SCALE_LINES = 4;
const ROUND = [1, 2, 2.5, 5, 10] as const;

/** Round values from zero up to at least the largest: whole numbers, because they count. */
export function scaleOf(values: readonly number[]): number[] {
  const largest = Math.max(SCALE_LINES, ...values);
  const rough = largest / SCALE_LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = ROUND.find((round) => round * power >= rough && Number.isInteger(round * power));
  const step = (factor ?? 10) * power;
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, line) => line * step);
}

const MOST_TICKS = 6;

/** Places of the bars that carry a label: evenly apart, the first among them, and not so near the end that it collides. */
export function tickPlaces(count: number): number[] {
  const apart = Math.max(1, Math.ceil(count / MOST_TICKS));
  const places = Array.from({ length: Math.ceil(count / apart) }, (_, tick) => tick * apart);
  return places.filter((place) => place === 0 || count - 1 - place >= apart / 2);
}

/** How long a span may be, in days, to be shown by a unit: more bars could not be told apart; the server keeps hours of a week at a time. */
const MOST_DAYS: Readonly<Record<SeriesUnit, number>> = {
  hour: 7,
  day: 100,
  week: 750,
  month: MAX_REPORT_DAYS,
};
const LEAST_DAYS: Readonly<Record<SeriesUnit, number>> = { hour: 0, day: 2, week: 14, month: 60 };

/** Without a wish. */
const HOURS_UP_TO_DAYS = 2;
const WEEKS_UP_TO_DAYS = 200;

export function unitsOf({ from, until }: Span): SeriesUnit[] {
  const days = Math.round((until - from) / DAY_MS);
  return SERIES_UNITS.filter((unit) => days >= LEAST_DAYS[unit] && days <= MOST_DAYS[unit]);
}

/** The wished one where it fits, or the one with the fewest bars that still show a course. */
export function unitFor(span: Span, wished: SeriesUnit | null): SeriesUnit {
  const fitting = unitsOf(span);
  if (wished !== null && fitting.includes(wished)) return wished;
  const days = Math.round((span.until - span.from) / DAY_MS);
  if (days <= HOURS_UP_TO_DAYS) return "hour";
  if (days > WEEKS_UP_TO_DAYS) return "month";
  return fitting.find((unit) => unit !== "hour") ?? "day";
}
