/**
 * Owns: the budgets of design.md as rows: what was measured, and the most that it may be.
 * Not: measuring (original/, footfall/).
 */
import { DEFAULT_RETENTION_DAYS } from "../domain/limits.ts";
import type { CallFigures, RateFigures, TableFigures, WatchFigures } from "./footfall/figures.ts";
import type { ReportCost } from "./footfall/reports.ts";
import { DESIGN_SAYS, TOLERANCE, deviationOf } from "./original/figures.ts";
import type { Apart, Figures } from "./original/figures.ts";
import type { Row } from "./report.ts";
import { dollarsPerMillion, timesAMonthForFree } from "./support/prices.ts";

/** Heartbeats that come with a view, as the design reckons. */
const HEARTBEATS_PER_VIEW = 1.58;

const DAYS_PER_MONTH = 365.25 / 12;

/** At full traffic the original's getStats runs again with every call, at most once a second. */
const SECONDS_PER_HOUR = 3_600;

/** By views per second. */
const RATE_BUDGETS: ReadonlyMap<number, { kilobytes: number; calls: number }> = new Map([
  [0.02, { kilobytes: 9, calls: 2.2 }],
  [0.2, { kilobytes: 6, calls: 1.3 }],
  [2, { kilobytes: 5, calls: 1.1 }],
  [20, { kilobytes: 4.5, calls: 1.05 }],
]);

export function meterRows(views: number, measured: Figures & Apart): Row[] {
  const names = {
    documents: "documents",
    ranges: "ranges",
    kilobytes: "KB",
    statsKilobytes: "KB of getStats",
    statsRanges: "ranges of getStats",
  } as const;
  const rows: Row[] = [];
  for (const name of Object.keys(names) as (keyof typeof names)[]) {
    const said = DESIGN_SAYS.get(views)?.[name];
    const deviation = deviationOf(views, name, measured);
    const what = `original, N = ${views}: ${names[name]}`;
    rows.push(row(what, measured[name], "", null));
    if (said === undefined || deviation === null) continue;
    rows.push(
      row(`${what}: from the design's ${said}`, Math.abs(deviation) * 100, "%", TOLERANCE * 100),
    );
  }
  return rows;
}

export function originalRows(views: number, measured: Figures & Apart): Row[] {
  const { limiter, heartbeatKilobytes, kilobytes, statsKilobytes } = measured;
  const perView = {
    calls: 1 + HEARTBEATS_PER_VIEW,
    kilobytes: kilobytes + HEARTBEATS_PER_VIEW * heartbeatKilobytes,
  };
  const nothingStored = { storedKilobytes: 0, keptMonths: 0 };
  const forFree = timesAMonthForFree(perView, { ...nothingStored, callsAnyway: 0 });
  const name = `original, N = ${views}`;
  return [
    row(`${name}: its rate limiter, documents`, limiter.documents, "", null),
    row(`${name}: its rate limiter, KB`, limiter.kilobytes, "KB", null),
    row(`${name}: a heartbeat`, heartbeatKilobytes, "KB", null),
    row(
      `${name}: an open /stats, an hour`,
      (statsKilobytes * SECONDS_PER_HOUR) / 1_000,
      "MB",
      null,
    ),
    row(`${name}: a million views`, dollarsPerMillion(perView), "$", null),
    row(`${name}: views a month for free`, forFree, "", null),
  ];
}

export function callRows(views: number, figures: TableFigures): Row[] {
  const at = (name: string): string => `N = ${views}: ${name}`;
  const { view, viewAtMost, waking, heartbeat, stats } = figures;
  return [
    ...callRow(at("a view, at most"), viewAtMost, { documents: 3, ranges: 6 }),
    row(at("a view"), view.kilobytes, "KB", null),
    ...callRow(at("a view that wakes the worker"), waking, { documents: 5, ranges: 8 }),
    ...callRow(at("a heartbeat"), heartbeat, { documents: 1, ranges: null }),
    row(at("a heartbeat"), heartbeat.kilobytes, "KB", null),
    row(at("settled getStats, ranges"), stats.ranges, "", 8),
    row(at("settled getStats"), stats.kilobytes, "KB", 15),
  ];
}

function callRow(
  name: string,
  figures: CallFigures,
  most: { documents: number; ranges: number | null },
): Row[] {
  return [
    row(`${name}: documents`, figures.documents, "", most.documents),
    row(`${name}: ranges`, figures.ranges, "", most.ranges),
  ];
}

export function rateRows(
  viewsPerSecond: number,
  figures: RateFigures,
  heartbeat: CallFigures,
): Row[] {
  const budget = RATE_BUDGETS.get(viewsPerSecond);
  const name = `${viewsPerSecond} views/s, nobody watching`;
  const use = useOf(figures, heartbeat);
  return [
    row(`${name}: all I/O of a view`, figures.kilobytesPerView, "KB", budget?.kilobytes ?? null),
    row(`${name}: calls of a view`, figures.callsPerView, "", budget?.calls ?? null),
    row(`${name}: hits that are no view, for each view`, figures.otherHits, "", null),
    row(`${name}: a million views, heartbeats included`, dollarsPerMillion(use), "$", null),
  ];
}

/** `figures`: at about the rate that the plan holds. The crons are in its calls. */
export function freePlanRows(
  figures: RateFigures,
  { heartbeat, storedKilobytes }: { heartbeat: CallFigures; storedKilobytes: number },
): Row[] {
  const use = useOf(figures, heartbeat);
  const forFree = (keptMonths: number) =>
    timesAMonthForFree(use, { storedKilobytes, keptMonths, callsAnyway: 0 });
  return [
    row("a view leaves in the tables", storedKilobytes, "KB", null),
    {
      ...row("views a month for free, rows kept for 90 days", forFree(3), "", 100_000),
      isAtLeast: true,
    },
    row(
      `views a month for free, rows kept for ${DEFAULT_RETENTION_DAYS} days`,
      forFree(DEFAULT_RETENTION_DAYS / DAYS_PER_MONTH),
      "",
      null,
    ),
  ];
}

function useOf(figures: RateFigures, heartbeat: CallFigures) {
  return {
    calls: figures.callsPerView + HEARTBEATS_PER_VIEW,
    kilobytes: figures.kilobytesPerView + HEARTBEATS_PER_VIEW * heartbeat.kilobytes,
  };
}

export function watchRows(viewsPerSecond: number, figures: WatchFigures): Row[] {
  const name = `${viewsPerSecond} views/s, an open /stats`;
  const { totalMegabytesPerHour, megabytesPerHour, callsPerHour, rerunsPerSecond, reports } =
    figures;
  return [
    row(`${name}: I/O an hour, more than unwatched`, megabytesPerHour, "MB", 60),
    row(
      `${name}: with what the same views cost the worker anyway`,
      totalMegabytesPerHour,
      "MB",
      null,
    ),
    row(`${name}: calls an hour`, callsPerHour, "", 15_000),
    row(`${name}: re-runs a second`, rerunsPerSecond, "", 1),
    row(
      `${name}: five reports on today besides, I/O an hour`,
      reports.megabytesPerHour,
      "MB",
      null,
    ),
    row(`${name}: five reports on today besides, calls an hour`, reports.callsPerHour, "", null),
  ];
}

export function reportRows(costs: ReadonlyMap<string, ReportCost>): Row[] {
  return [...costs].flatMap(([name, { documents, kilobytes }]) => {
    const isYear = name.endsWith("12 months");
    return [
      row(`report ${name}: documents`, documents, "", isYear ? 75 : null),
      row(`report ${name}`, kilobytes, "KB", isYear ? 500 : null),
    ];
  });
}

function row(name: string, value: number, unit: string, target: number | null): Row {
  const digits = Math.abs(value) < 100 ? 100 : 1;
  return { name, value: Math.round(value * digits) / digits, unit, target };
}
