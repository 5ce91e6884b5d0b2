/**
 * Owns: by which unit of time a series goes, and of which roll-ups it is made then.
 * Not: its points (reports.ts).
 */
import { DAY_MS, HOUR_MS } from "../../../domain/calendar/civil.ts";
import { MAX_HOUR_RANGE_MS } from "../../../domain/rollups/range.ts";
import type { Scope } from "./range.ts";
import type { SeriesUnit } from "./shapes.ts";

/** Without a wish: few enough points to be seen apart. */
const HOURS_UP_TO_MS = 2 * DAY_MS;
const DAYS_UP_TO_MS = 100 * DAY_MS;

/** Each day is a document of its own. */
const MAX_DAYS_MS = 1_500 * DAY_MS;

/** A week in which the clock is turned back has an hour more. */
const MAX_HOURS_MS = MAX_HOUR_RANGE_MS + HOUR_MS;

/** The wished unit, or the next larger one where the range is too long for it or its hours are gone. */
export function unitOf({ from, until, sealed }: Scope, wished: SeriesUnit | undefined): SeriesUnit {
  const lengthMs = until - from;
  const unit = wished ?? fittingUnit(lengthMs);
  const hasHours = from >= sealed.hoursSince && lengthMs <= MAX_HOURS_MS;
  if (unit === "month" || lengthMs > MAX_DAYS_MS) return "month";
  return unit === "hour" && !hasHours ? "day" : unit;
}

function fittingUnit(lengthMs: number): SeriesUnit {
  if (lengthMs <= HOURS_UP_TO_MS) return "hour";
  return lengthMs <= DAYS_UP_TO_MS ? "day" : "month";
}

/** The same range, to be read from roll-ups that are no larger than the unit. */
export function asSeries(scope: Scope, unit: SeriesUnit): Scope {
  const sealed = { ...scope.sealed };
  if (unit !== "month") sealed.monthsUntil = Number.NEGATIVE_INFINITY;
  if (unit === "hour") sealed.daysUntil = Number.NEGATIVE_INFINITY;
  return { ...scope, sealed };
}
