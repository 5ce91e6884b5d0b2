/**
 * Owns: the dimensions that the clock gives: the local hour, and weekday and hour; made of the totals of hours.
 * Not: which bucket an instant is in (calendar/).
 */
import type { Calendar } from "../calendar/calendar.ts";
import { addCell } from "./cell.ts";
import type { ClockDimension } from "./dimension.ts";
import { type Rollup, type Values, addValues, cellOf } from "./rollup.ts";

/** "00" … "23"; both hours of a fold have one name. */
export function hourValue(hour: number): string {
  return String(hour).padStart(2, "0");
}

/** "1T00" (Monday, midnight) … "7T23": the weekday is always one character. */
export function weekdayHourValue(weekday: number, hour: string): string {
  return `${weekday}T${hour}`;
}

/** What a roll-up says by the clock: its total for an hour, its hours for a day, what it stored for a month. */
export function clockValues(rollup: Rollup, dimension: ClockDimension, calendar: Calendar): Values {
  const values: Values = { cells: new Map(), other: null };
  const { hour } = calendar.localTime(rollup.startsAt);
  // The weekday is the bucket day's: where clocks go back at midnight, an hour of it is named for the evening before.
  const { weekday } = calendar.localTime(calendar.startOf("day", rollup.startsAt));
  const hours = rollup.dimensions.get("hour");
  if (rollup.unit === "hour") {
    const hourName = hourValue(hour);
    const value = dimension === "hour" ? hourName : weekdayHourValue(weekday, hourName);
    addCell(cellOf(values, value), rollup.total);
  } else if (rollup.unit === "day" && dimension === "weekdayHour") {
    for (const [hourName, cell] of hours?.cells ?? []) {
      addCell(cellOf(values, weekdayHourValue(weekday, hourName)), cell);
    }
  } else {
    const stored = dimension === "hour" ? hours : rollup.dimensions.get("weekdayHour");
    if (stored !== undefined) addValues(values, stored);
  }
  return values;
}
