/**
 * Owns: the numbers of a range from the roll-ups of its buckets: summary, series, rows of a dimension, ratios.
 * Not: which buckets make up a range (range.ts), reading them (convex/).
 *
 * `from` is always where the range begins. The roll-ups given must cover it without overlap, as planned by range.ts.
 */
import type { Calendar } from "../calendar/calendar.ts";
import type { BucketUnit } from "../calendar/buckets.ts";
import {
  type Cell,
  type Counts,
  CELL_METRICS,
  emptyCounts,
  newVisitors,
  visitorsSince,
} from "./cell.ts";
import { clockValues } from "./clock.ts";
import type { DimensionName } from "./dimension.ts";
import type { Rollup, RollupUnit, Values } from "./rollup.ts";

export interface Figures extends Counts {
  /** Distinct. Of a path: distinct visitors of that page. Of any other value: visitors whose first visit in the range had it. */
  visitors: number;
  /** Those who were never seen before. Of a path: who never saw that page before. */
  newVisitors: number;
}

export interface Row extends Figures {
  value: string;
}

export interface BreakdownReport {
  /** The top rows. */
  rows: Row[];
  /**
   * All other values of the range together, listed or folded; null when `rows` is all there is. Its visitors are
   * the sum over its values: for paths, one visitor may be in it several times.
   */
  rest: Figures | null;
  /** Values that are known by name, listed or not. */
  valuesTotal: number;
  /** False when an hour had more values than are kept: `rest` then holds some that might have made a row. */
  complete: boolean;
}

export interface SeriesPoint extends Figures {
  startsAt: number;
}

export function summarise(rollups: Iterable<Rollup>, from: number): Figures {
  const figures = noFigures();
  for (const rollup of rollups) addFigures(figures, rollup.total, from);
  return figures;
}

const FITS_INTO: Record<RollupUnit, BucketUnit[]> = {
  hour: ["hour", "day", "week", "month"],
  day: ["day", "week", "month"],
  month: ["month"],
};

/** One point a bucket of `unit` that has a roll-up; each point counts its own distinct visitors. */
export function series(
  rollups: Iterable<Rollup>,
  { unit, from }: { unit: BucketUnit; from: number },
  calendar: Calendar,
): SeriesPoint[] {
  const points = new Map<number, SeriesPoint>();
  for (const rollup of rollups) {
    if (!FITS_INTO[rollup.unit].includes(unit)) {
      throw new Error(`A series by ${unit} cannot be made of the roll-up of a ${rollup.unit}.`);
    }
    const startsAt = calendar.startOf(unit, rollup.startsAt);
    const point = points.get(startsAt) ?? { startsAt, ...noFigures() };
    points.set(startsAt, point);
    addFigures(point, rollup.total, Math.max(startsAt, from));
  }
  return [...points.values()].sort((a, b) => a.startsAt - b.startsAt);
}

export interface BreakdownRequest {
  dimension: DimensionName;
  from: number;
  rankBy: keyof Figures;
  maxRows: number;
}

export function breakdown(
  rollups: Iterable<Rollup>,
  request: BreakdownRequest,
  calendar: Calendar,
): BreakdownReport {
  const rows = new Map<string, Row>();
  const rest = noFigures();
  let complete = true;
  for (const rollup of rollups) {
    const values = storedOrClock(rollup, request.dimension, calendar);
    for (const [value, cell] of values?.cells ?? []) {
      const row = rows.get(value) ?? { value, ...noFigures() };
      rows.set(value, row);
      addFigures(row, cell, request.from);
    }
    if (values?.other) {
      complete = false;
      addFigures(rest, values.other, request.from);
    }
  }
  const ranked = [...rows.values()]
    .filter(isSeen)
    .sort((a, b) => b[request.rankBy] - a[request.rankBy] || (a.value < b.value ? -1 : 1));
  const shown = ranked.slice(0, request.maxRows);
  for (const row of shown) rows.delete(row.value);
  for (const row of rows.values()) addRow(rest, row);
  return {
    rows: shown,
    rest: complete && !isSeen(rest) ? null : rest,
    valuesTotal: ranked.length,
    complete,
  };
}

/** Share of visits with one view, 0..1; 0 without visits. Kept in bounds: a range may begin inside a visit. */
export function bounceRatio({ bounces, visits }: Pick<Counts, "bounces" | "visits">): number {
  return Math.min(1, Math.max(0, ratio(bounces, visits)));
}

export function viewsPerVisit({ views, visits }: Counts): number {
  return ratio(views, visits);
}

/** Milliseconds from a visit's first view to its last; a visit of one view has none. */
export function averageVisitMs({ durationMs, visits }: Counts): number {
  return ratio(durationMs, visits);
}

/** Share of a page's views after which the visitor left, 0..1. */
export function exitRatio({ exits, views }: Counts): number {
  return Math.min(1, Math.max(0, ratio(exits, views)));
}

/** 0 when there is nothing to divide by, so that no NaN reaches a screen. Never average ratios: add up, then divide. */
export function ratio(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : numerator / denominator;
}

function storedOrClock(
  rollup: Rollup,
  dimension: DimensionName,
  calendar: Calendar,
): Values | undefined {
  if (dimension === "hour" || dimension === "weekdayHour") {
    return clockValues(rollup, dimension, calendar);
  }
  return rollup.dimensions.get(dimension);
}

/** A value may be here only because an earlier bucket's bounce or exit was taken back: that makes no row. */
function isSeen({ views, visits, visitors, events }: Figures): boolean {
  return views !== 0 || visits !== 0 || visitors !== 0 || events !== 0;
}

function noFigures(): Figures {
  return { ...emptyCounts(), visitors: 0, newVisitors: 0 };
}

function addFigures(into: Figures, cell: Cell, from: number): void {
  for (const metric of CELL_METRICS) into[metric] += cell[metric];
  into.visitors += visitorsSince(cell, from);
  into.newVisitors += newVisitors(cell);
}

function addRow(into: Figures, row: Figures): void {
  for (const metric of CELL_METRICS) into[metric] += row[metric];
  into.visitors += row.visitors;
  into.newVisitors += row.newVisitors;
}
