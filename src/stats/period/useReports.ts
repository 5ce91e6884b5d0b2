/**
 * Owns: the live subscriptions to the reports of a period; the numbers of before stay until the new ones are there.
 * Not: which times are asked for (usePeriod.ts).
 */
import { useQueries } from "convex/react";
import type { Value } from "convex/values";
import { useMemo, useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import { useReaderArguments } from "../readerToken.ts";
import type { ReaderArguments } from "../readerToken.ts";
import type { Summary } from "./change.ts";
import type { Timeseries } from "./trend.ts";
import type { Period } from "./usePeriod.ts";
import { filterArgument } from "./filtering.ts";
import { isWholly } from "./progress.ts";
import { isThere } from "./useReport.ts";

export type Reports = {
  /** Of the whole period. */
  readonly summary: Summary;
  readonly series: Timeseries;
  readonly seriesBefore: Timeseries | null;
  /** Of the times that may be compared; null when nothing may. */
  readonly same: { readonly current: Summary; readonly before: Summary } | null;
};

export type ReportsAnswer =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: Error }
  /** `isOfBefore`: of what was asked for before, until the answer is there. */
  | { readonly kind: "ready"; readonly reports: Reports; readonly isOfBefore: boolean };

type Results = {
  summary?: Summary | Error;
  series?: Timeseries | Error;
  seriesBefore?: Timeseries | Error;
  current?: Summary | Error;
  before?: Summary | Error;
};

function requestsOf({ span, compared, same, unit, asked }: Period, reader: ReaderArguments) {
  const filter: Record<string, Value> = filterArgument(asked.filter);
  const summaryOf = (range: { from: number; until: number }) => ({
    query: api.reports.summary,
    args: { range, ...filter, ...reader },
  });
  const seriesOf = (range: { from: number; until: number }) => ({
    query: api.reports.timeseries,
    args: { range, unit, ...filter, ...reader },
  });
  return {
    summary: summaryOf(span),
    series: seriesOf(span),
    ...(compared === null ? {} : { seriesBefore: seriesOf(compared) }),
    ...(same === null ? {} : { current: summaryOf(same.current), before: summaryOf(same.before) }),
  };
}

/** Undefined until everything that was asked for is there. */
function joined(results: Results, { compared, same }: Period): Reports | Error | undefined {
  const { summary, series, seriesBefore, current, before } = results;
  for (const result of Object.values(results)) if (result instanceof Error) return result;
  if (!isThere(summary) || !isThere(series)) return undefined;
  const isWhole =
    (compared === null || isThere(seriesBefore)) &&
    (same === null || (isThere(current) && isThere(before)));
  if (!isWhole) return undefined;
  return {
    summary,
    series,
    seriesBefore: isThere(seriesBefore) ? seriesBefore : null,
    // Of a part of the days there is no comparison.
    same:
      isThere(current) && isThere(before) && isWholly(current) && isWholly(before)
        ? { current, before }
        : null,
  };
}

export function useReports(period: Period): ReportsAnswer {
  const reader = useReaderArguments();
  const requests = useMemo(() => requestsOf(period, reader), [period, reader]);
  const results: Results = useQueries(requests);
  const reports = useMemo(() => joined(results, period), [results, period]);
  return useHeld(reports);
}

function useHeld(reports: Reports | Error | undefined): ReportsAnswer {
  const [held, setHeld] = useState<Reports | null>(null);
  if (reports instanceof Error) return { kind: "failed", error: reports };
  if (reports !== undefined && reports !== held) setHeld(reports);
  const shown = reports ?? held;
  if (shown === null) return { kind: "loading" };
  return { kind: "ready", reports: shown, isOfBefore: reports === undefined };
}
