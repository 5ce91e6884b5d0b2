/**
 * Owns: the reports of a period that can be taken away: how each is asked for, and the table that it makes.
 * Not: the files (files.ts). Each number is the report's own, unrounded; what is not measured is an empty cell.
 */
import type { ConvexReactClient } from "convex/react";
import { api } from "../../../convex/_generated/api.js";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import type { Span } from "../../../domain/calendar/periods.ts";
import type { CsvCell, CsvTable } from "../../../domain/csv.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import { MAX_REPORT_ROWS } from "../../../domain/limits.ts";
import type { SeriesUnit, ViewDimension } from "../period/address.ts";
import type { Summary } from "../period/change.ts";
import { filterArgument } from "../period/filtering.ts";
import { isWholly } from "../period/progress.ts";
import type { EngagedPaths } from "../period/engagement.ts";
import type { Breakdown, EventsReport } from "../period/panels.ts";
import type { Timeseries } from "../period/trend.ts";
import type { ReaderArguments } from "../readerToken.ts";
import { texts } from "../texts.ts";

export type ExportQuestion = {
  readonly span: Span;
  readonly unit: SeriesUnit;
  /** As on screen. What pages reported of their use is of all views. */
  readonly filter: Filter;
  /** Of a link that shows one segment alone, which is a filter of its own. */
  readonly isOfSegment: boolean;
  readonly calendar: Calendar;
  readonly reader: ReaderArguments;
};

export type Exported = { readonly answer: object; readonly table: CsvTable };

/** The figures of a row or of a bucket, in this order. */
const COLUMNS = [
  "views",
  "visits",
  "visitors",
  "newVisitors",
  "bounces",
  "exits",
  "durationMs",
] as const;

type Figures = Readonly<Record<(typeof COLUMNS)[number], number | null>>;
const figuresOf = (row: Figures): CsvCell[] => COLUMNS.map((name) => row[name]);

const DIMENSION_FILES = {
  pages: "path",
  sources: "source",
  channels: "channel",
  referrers: "referrer",
  campaigns: "utmCampaign",
  countries: "country",
  languages: "language",
  time_zones: "timeZone",
  browsers: "browser",
  systems: "system",
  devices: "device",
  screens: "screen",
  week_by_hour: "weekdayHour",
} as const satisfies Record<string, ViewDimension>;

const EXPORT_NAMES = [
  "figures",
  "trend",
  ...(Object.keys(DIMENSION_FILES) as (keyof typeof DIMENSION_FILES)[]),
  "events",
  "engaged_pages",
] as const;
export type ExportName = (typeof EXPORT_NAMES)[number];

/** What pages reported of their use is told of the whole site only. */
export function namesFor(isOfSegment: boolean): readonly ExportName[] {
  return isOfSegment ? EXPORT_NAMES.filter((name) => name !== "engaged_pages") : EXPORT_NAMES;
}

/** Throws what the server refuses, and where a filter is not made of all days yet: a file does not say that it is a part. */
export async function askFor(
  client: ConvexReactClient,
  name: ExportName,
  { span, unit, filter, isOfSegment, calendar, reader }: ExportQuestion,
): Promise<Exported> {
  const range = { from: span.from, until: span.until };
  const asked = { range, ...reader, ...filterArgument(filter) };
  const listed = { ...asked, limit: MAX_REPORT_ROWS };
  if (isOfSegment || filter.length > 0) {
    const answer = await client.query(api.reports.summary, asked);
    if (!isWholly(answer)) throw new Error(texts.period.exports.partly);
  }
  switch (name) {
    case "figures": {
      const answer = await client.query(api.reports.summary, asked);
      return { answer, table: summaryTable(answer) };
    }
    case "trend": {
      const answer = await client.query(api.reports.timeseries, { ...asked, unit });
      return { answer, table: trendTable(answer, calendar) };
    }
    case "events": {
      const answer = await client.query(api.reports.events, listed);
      return { answer, table: eventTable(answer) };
    }
    case "engaged_pages": {
      const ofAll = { range, ...reader, limit: MAX_REPORT_ROWS };
      const answer = await client.query(api.reports.engagedPaths, ofAll);
      return { answer, table: engagedTable(answer) };
    }
    default: {
      const dimension = DIMENSION_FILES[name];
      const answer = await client.query(api.reports.breakdown, { ...listed, dimension });
      return { answer, table: breakdownTable(answer) };
    }
  }
}

export function summaryTable(summary: Summary): CsvTable {
  const names = [...COLUMNS, "viewsPerVisit", "bounceRatio", "averageVisitMs"] as const;
  return { header: names, rows: [names.map((name) => summary[name])] };
}

export function trendTable({ points }: Timeseries, calendar: Calendar): CsvTable {
  return {
    header: ["from", "fromUtc", "untilUtc", ...COLUMNS],
    rows: points.map((point) => [
      // The hour that comes twice when the clock goes back is told apart by its instant.
      localTime(point.startsAt, calendar),
      ...[point.startsAt, point.endsAt].map((at) => new Date(at).toISOString()),
      ...figuresOf(point),
    ]),
  };
}

/** The last row is all that is not listed. */
export function breakdownTable({ dimension, rows, rest }: Breakdown): CsvTable {
  const others = rest === null ? [] : [["(other)", ...figuresOf(rest)]];
  return {
    header: [dimension, ...COLUMNS],
    rows: [...rows.map((row) => [row.value, ...figuresOf(row)]), ...others],
  };
}

function eventTable({ rows, rest }: EventsReport): CsvTable {
  const others = rest === null ? [] : [["(other)", rest.events, null]];
  return {
    header: ["event", "events", "visitors"],
    rows: [...rows.map(({ name, events, visitors }) => [name, events, visitors]), ...others],
  };
}

function engagedTable({ rows, rest }: EngagedPaths): CsvTable {
  const others = rest === null ? [] : [{ ...rest, path: "(other)" }];
  return {
    header: ["path", "views", "engagedMs", "averageEngagedMs"],
    rows: [...rows, ...others].map((row) => [
      ...[row.path, row.views, row.engagedMs, row.averageEngagedMs],
    ]),
  };
}

/** In the site's zone, as spreadsheets know it. */
function localTime(at: number, calendar: Calendar): string {
  const { date, hour } = calendar.localTime(at);
  return `${date} ${String(hour).padStart(2, "0")}:00`;
}
