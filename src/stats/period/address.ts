/**
 * Owns: how the address of /stats says which period, comparison, unit and filter are shown, so that a link shows the
 * same, and Back works.
 * Not: which days those are (span.ts).
 */
import { parseDays, readPeriod } from "../../../domain/calendar/periods.ts";
import type { AskedPeriod } from "../../../domain/calendar/periods.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import { filterText, parseFilter } from "../../../domain/filters/text.ts";
import type { DimensionName, EventDimension } from "../../../domain/rollups/dimension.ts";
import { WAYS_TO_COMPARE } from "./span.ts";
import type { Comparison } from "./span.ts";

export const SERIES_UNITS = ["hour", "day", "week", "month"] as const;
export type SeriesUnit = (typeof SERIES_UNITS)[number];

/** A dimension of views. */
export type ViewDimension = Exclude<DimensionName, EventDimension>;

export type Asked = {
  readonly period: AskedPeriod;
  readonly compare: Comparison;
  /** The unit of the trend; null for the one that fits. */
  readonly unit: SeriesUnit | null;
  /** Empty where there is none, or one that nobody can follow. */
  readonly filter: Filter;
};

export function readAddress(parameters: URLSearchParams): Asked {
  return {
    period: readPeriod(parameters.get("period") ?? ""),
    compare: readComparison(parameters.get("compare") ?? ""),
    unit: oneOf(SERIES_UNITS, parameters.get("by")),
    filter: parseFilter(parameters.get("filter") ?? "") ?? [],
  };
}

function readComparison(text: string): Comparison {
  return parseDays(text) ?? oneOf(WAYS_TO_COMPARE, text) ?? "previous";
}

/** The parameters with one of them changed; null takes it out. */
export function changed(
  parameters: URLSearchParams,
  name: "period" | "compare" | "by" | "filter",
  value: string | null,
): URLSearchParams {
  const next = new URLSearchParams(parameters);
  if (value === null) next.delete(name);
  else next.set(name, value);
  return next;
}

/** Null of no filter, which takes it out. */
export function writeFilter(filter: Filter): string | null {
  return filter.length === 0 ? null : filterText(filter);
}

function oneOf<T extends string>(all: readonly T[], text: string | null): T | null {
  return all.find((one) => one === text) ?? null;
}
