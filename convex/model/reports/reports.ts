/**
 * Owns: the three reports: a range as one line of figures, as a series, as the rows of a dimension.
 * Not: the arithmetic (domain/rollups/report.ts), or which roll-ups are read (reading.ts).
 */
import type { Filter } from "../../../domain/filters/filter.ts";
import { MAX_REPORT_ROWS } from "../../../domain/limits.ts";
import { focusOn, unpackedFor } from "../../../domain/rollups/focus.ts";
import type { Focus } from "../../../domain/rollups/focus.ts";
import {
  averageVisitMs,
  bounceRatio,
  breakdown as breakDown,
  series,
  summarise,
  viewsPerVisit,
} from "../../../domain/rollups/report.ts";
import type { Figures } from "../../../domain/rollups/report.ts";
import type { Rollup } from "../../../domain/rollups/rollup.ts";
import { leastOf, visitorsAre } from "../../../domain/visitor-modes.ts";
import type { VisitorsAre } from "../../../domain/visitor-modes.ts";
import type { QueryCtx } from "../../_generated/server.js";
import { asMeasured } from "./measured.ts";
import { readFilteredScope } from "./range.ts";
import type { Scope } from "./range.ts";
import { readScopeRollups } from "./reading.ts";
import { asSeries, unitOf } from "./series.ts";
import type {
  BreakdownReport,
  ReportDimension,
  ReportRange,
  SeriesUnit,
  SummaryReport,
  TimeseriesReport,
} from "./shapes.ts";

/** Rows of a breakdown when the caller does not say. */
const DEFAULT_ROWS = 50;

type Asked = { site?: string; range: ReportRange; filter?: Filter; only?: Focus };

export async function summary(ctx: QueryCtx, args: Asked): Promise<SummaryReport> {
  const scope = await readFilteredScope(ctx, args);
  const figures = summarise(await readTotalsOf(ctx, scope, args.only), scope.from);
  const covered = coveredBy(scope);
  // Where some views were nobody's, they are in no visit, and yet among the views.
  const isPartly = covered.visitorsAre === "partly measured";
  const ratios = {
    bounceRatio: bounceRatio(figures),
    viewsPerVisit: isPartly ? null : viewsPerVisit(figures),
    averageVisitMs: averageVisitMs(figures),
  };
  return { ...covered, ...asMeasured({ ...figures, ...ratios }, covered.visitorsAre) };
}

export async function timeseries(
  ctx: QueryCtx,
  args: Asked & { unit?: SeriesUnit },
): Promise<TimeseriesReport> {
  const asked = await readFilteredScope(ctx, args);
  const unit = unitOf(asked, args.unit);
  const scope = asSeries(asked, unit);
  const { calendar, from, until } = scope;
  const rollups = await readTotalsOf(ctx, scope, args.only);
  const counted = new Map(
    series(rollups, { unit, from }, calendar).map((point) => [point.startsAt, point]),
  );
  const labels: VisitorsAre[] = [];
  const points = calendar.between(unit, from, until).map((startsAt) => {
    const endsAt = calendar.next(unit, startsAt);
    const within = { from: Math.max(startsAt, from), until: Math.min(endsAt, until) };
    const label = visitorsAre(scope.visitorModes, within);
    labels.push(label);
    const figures = counted.get(startsAt) ?? { startsAt, ...noFigures() };
    return asMeasured({ ...figures, endsAt }, label);
  });
  return { ...coveredBy(scope), visitorsAre: leastOf(labels), unit, points };
}

export async function breakdown(
  ctx: QueryCtx,
  args: {
    site?: string;
    range: ReportRange;
    filter?: Filter;
    dimension: ReportDimension;
    rankBy?: keyof Figures;
    limit?: number;
  },
): Promise<BreakdownReport> {
  const { dimension, rankBy = "views" } = args;
  const scope = await readFilteredScope(ctx, args);
  const countryBy = scope.hasCountryHeader ? "headerOrTimeZone" : "timeZone";
  const rollups = await readScopeRollups(ctx, scope, unpackedFor(dimension));
  const request = { dimension, from: scope.from, rankBy, maxRows: rowsWithin(args.limit) };
  const covered = coveredBy(scope);
  const { rows, rest, ...whole } = breakDown(rollups, request, scope.calendar);
  return {
    ...covered,
    dimension,
    ...whole,
    rows: rows.map((row) => asMeasured(row, covered.visitorsAre)),
    rest: rest === null ? null : asMeasured(rest, covered.visitorsAre),
    visitorsBy: visitorsByOf(dimension),
    countryBy: dimension === "country" ? countryBy : null,
  };
}

/** How many rows a report lists. */
export function rowsWithin(limit = DEFAULT_ROWS): number {
  return Math.min(MAX_REPORT_ROWS, Math.max(1, Math.floor(limit)));
}

async function readTotalsOf(
  ctx: QueryCtx,
  scope: Scope,
  only: Focus | undefined,
): Promise<Rollup[]> {
  if (only === undefined) return await readScopeRollups(ctx, scope, "totals");
  const rollups = await readScopeRollups(ctx, scope, unpackedFor(only.dimension));
  return rollups.map((rollup) => focusOn(rollup, only, scope.calendar));
}

function visitorsByOf(dimension: ReportDimension): BreakdownReport["visitorsBy"] {
  if (dimension === "path") return "page";
  return dimension === "event" ? "event" : "firstVisit";
}

export function coveredBy(scope: Scope) {
  const { from, until, calendar, isBeyondRetention, visitorModes, part } = scope;
  const label = visitorsAre(visitorModes, { from, until });
  const covered = { from, until, timeZone: calendar.timeZone, isBeyondRetention };
  if (part === undefined) return { ...covered, visitorsAre: label };
  const progress = { done: part.made.length, total: part.total };
  return { ...covered, visitorsAre: label, progress };
}

function noFigures(): Figures {
  return summarise([], 0);
}
