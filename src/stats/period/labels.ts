/** Owns: what a bucket of the trend is called, on the axis and in full. Not: the buckets. */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { formatDay, formatTime } from "../formats.ts";
import type { SeriesUnit } from "./address.ts";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** Monday is 1. */
export function weekdayName(weekday: number): string {
  return WEEKDAYS[weekday - 1] ?? "";
}

/** "3 Nov 2026" without its year. */
function shortDay(at: number, calendar: Calendar): string {
  return formatDay(at, calendar).replace(/ \d+$/, "");
}

function monthOf(at: number, calendar: Calendar): string {
  return formatDay(at, calendar).replace(/^\d+ /, "");
}

export function tickLabel(at: number, unit: SeriesUnit, calendar: Calendar): string {
  switch (unit) {
    case "hour":
      return formatTime(at, calendar);
    case "day":
    case "week":
      return shortDay(at, calendar);
    case "month":
      return monthOf(at, calendar);
    default:
      return unit satisfies never;
  }
}

export function bucketLabel(at: number, unit: SeriesUnit, calendar: Calendar): string {
  const weekday = weekdayName(calendar.localTime(at).weekday);
  switch (unit) {
    case "hour":
      return `${weekday} ${shortDay(at, calendar)}, ${formatTime(at, calendar)}`;
    case "day":
      return `${weekday} ${shortDay(at, calendar)}`;
    case "week":
      return `${shortDay(at, calendar)} – ${shortDay(calendar.next("week", at) - 1, calendar)}`;
    case "month":
      return monthOf(at, calendar);
    default:
      return unit satisfies never;
  }
}
