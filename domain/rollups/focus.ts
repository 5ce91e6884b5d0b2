/**
 * Owns: looking at one value of a dimension as if nothing else had been counted: a page, a country, an hour.
 * Not: the rows of all values (report.ts).
 */
import type { Calendar } from "../calendar/calendar.ts";
import { emptyCell } from "./cell.ts";
import { clockValues } from "./clock.ts";
import type { DimensionName } from "./dimension.ts";
import type { Rollup } from "./rollup.ts";

export interface Focus {
  dimension: DimensionName;
  value: string;
}

/** A roll-up whose total is the value's cell. Takes nothing from its argument but numbers that nobody changes. */
export function focusOn(rollup: Rollup, { dimension, value }: Focus, calendar: Calendar): Rollup {
  const values =
    dimension === "hour" || dimension === "weekdayHour"
      ? clockValues(rollup, dimension, calendar)
      : rollup.dimensions.get(dimension);
  const total = values?.cells.get(value) ?? emptyCell();
  return { ...rollup, total, dimensions: new Map() };
}

/** What must be unpacked to see a dimension: the clock's are made of the totals, or of each other. */
export function unpackedFor(dimension: DimensionName): ReadonlySet<DimensionName> {
  return dimension === "weekdayHour" || dimension === "hour"
    ? new Set(["hour", "weekdayHour"])
    : new Set([dimension]);
}
