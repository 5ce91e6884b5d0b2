/**
 * Owns: the three reports: a range as one line of figures, as a series, as the rows of a dimension.
 * Not: the arithmetic (domain/rollups/report.ts), or which roll-ups are read (reading.ts).
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
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
import type { QueryCtx } from "../../_generated/server.js";
import { readScope } from "./range.ts";
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

type Asked = { site?: string; range: ReportRange; only?: Focus };

export async function summary(ctx: QueryCtx, args: Asked): Promise<SummaryReport> {
  const scope = await readScope(ctx, args);
  const figures = summarise(await readTotalsOf(ctx, scope, args.only), scope.from);
  return {
    ...coveredBy(scope),
    ...figures,
    bounceRatio: bounceRatio(figures),
    viewsPerVisit: viewsPerVisit(figures),
    averageVisitMs: averageVisitMs(figures),
  };
}

export async function timeseries(
  ctx: QueryCtx,
  args: Asked & { unit?: SeriesUnit },
): Promise<TimeseriesReport> {
  const asked = await readScope(ctx, args);
  const unit = unitOf(asked, args.unit);
  const scope = asSeries(asked, unit);
  const { calendar, from, until } = scope;
  const rollups = await readTotalsOf(ctx, scope, args.only);
  const counted = new Map(
    series(rollups, { unit, from }, calendar).map((point) => [point.startsAt, point]),
  );
  const points = calendar.between(unit, from, until).map((startsAt) => ({
    ...(counted.get(startsAt) ?? { startsAt, ...noFigures() }),
    endsAt: calendar.next(unit, startsAt),
  }));
  return { ...coveredBy(scope), unit, points };
}

export async function breakdown(
  ctx: QueryCtx,
  args: {
    site?: string;
    range: ReportRange;
    dimension: ReportDimension;
    rankBy?: keyof Figures;
    limit?: number;
  },
): Promise<BreakdownReport> {
  const { dimension, rankBy = "views" } = args;
  const scope = await readScope(ctx, args);
  const countryBy = scope.hasCountryHeader ? "headerOrTimeZone" : "timeZone";
  const rollups = await readScopeRollups(ctx, scope, unpackedFor(dimension));
  const request = { dimension, from: scope.from, rankBy, maxRows: rowsWithin(args.limit) };
  return {
    ...coveredBy(scope),
    dimension,
    ...breakDown(rollups, request, scope.calendar),
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

export function coveredBy({ from, until, calendar, isBeyondRetention }: Scope): {
  from: number;
  until: number;
  timeZone: Calendar["timeZone"];
  isBeyondRetention: boolean;
} {
  return { from, until, timeZone: calendar.timeZone, isBeyondRetention };
}

function noFigures(): Figures {
  return summarise([], 0);
}
