/**
 * Owns: how the address of /stats says which period, comparison, unit and value are shown, so that a link shows the
 * same, and Back works.
 * Not: which days those are (span.ts).
 */
import { readPeriod } from "../../../domain/calendar/periods.ts";
import type { AskedPeriod } from "../../../domain/calendar/periods.ts";
import { DIMENSIONS } from "../../../domain/rollups/dimension.ts";
import type { DimensionName, EventDimension, Scope } from "../../../domain/rollups/dimension.ts";
import { WAYS_TO_COMPARE } from "./span.ts";
import type { Comparison } from "./span.ts";

export const SERIES_UNITS = ["hour", "day", "week", "month"] as const;
export type SeriesUnit = (typeof SERIES_UNITS)[number];

/** A dimension of views: of those the figures and the trend can be asked for one value. */
export type ViewDimension = Exclude<DimensionName, EventDimension>;

/** One value of a dimension alone. */
export type Only = { readonly dimension: ViewDimension; readonly value: string };

export type Asked = {
  readonly period: AskedPeriod;
  readonly compare: Comparison;
  /** The unit of the trend; null for the one that fits. */
  readonly unit: SeriesUnit | null;
  readonly only: Only | null;
};

export function readAddress(parameters: URLSearchParams): Asked {
  return {
    period: readPeriod(parameters.get("period") ?? ""),
    compare: oneOf(WAYS_TO_COMPARE, parameters.get("compare")) ?? "previous",
    unit: oneOf(SERIES_UNITS, parameters.get("by")),
    only: readOnly(parameters.get("only")),
  };
}

/** The parameters with one of them changed; null takes it out. */
export function changed(
  parameters: URLSearchParams,
  name: "period" | "compare" | "by" | "only",
  value: string | null,
): URLSearchParams {
  const next = new URLSearchParams(parameters);
  if (value === null) next.delete(name);
  else next.set(name, value);
  return next;
}

export function writeOnly({ dimension, value }: Only): string {
  return `${dimension}:${value}`;
}

function readOnly(text: string | null): Only | null {
  if (text === null) return null;
  const colon = text.indexOf(":");
  const dimension = text.slice(0, Math.max(0, colon));
  return isDimension(dimension) ? { dimension, value: text.slice(colon + 1) } : null;
}

function isDimension(name: string): name is ViewDimension {
  const known: Readonly<Record<string, { scope: Scope }>> = DIMENSIONS;
  return Object.hasOwn(known, name) && known[name]?.scope !== "event";
}

function oneOf<T extends string>(all: readonly T[], text: string | null): T | null {
  return all.find((one) => one === text) ?? null;
}
