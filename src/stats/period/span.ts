/**
 * Owns: which days a period is, with which it is compared, and up to when, so that both had the same time.
 * Not: how the address says it (address.ts), or what is asked of them (useReports.ts).
 *
 * All in the site's zone. A day that is not over is compared up to the last full hour, and where the hours of the
 * compared days are no longer kept, up to the last full day.
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { DAY_MS } from "../../../domain/calendar/civil.ts";
import { KEEP_HOURS_MS } from "../../../domain/intervals.ts";

export const PRESETS = ["today", "yesterday", "7d", "28d", "90d", "12mo"] as const;
export type Preset = (typeof PRESETS)[number];

export type AskedPeriod =
  | { readonly kind: "preset"; readonly preset: Preset }
  | { readonly kind: "days"; readonly firstDay: string; readonly lastDay: string };

/** `previous`: as many days right before; `year`: the same dates a year before. */
export const WAYS_TO_COMPARE = ["previous", "year", "none"] as const;
export type Comparison = (typeof WAYS_TO_COMPARE)[number];

/** Whole local days, [from, until) in epoch ms. */
export type Span = { readonly from: number; readonly until: number };

const DAYS_OF: Readonly<Record<"7d" | "28d" | "90d", number>> = { "7d": 7, "28d": 28, "90d": 90 };
const MONTHS_OF_A_YEAR = 12;

/** Hours go at the end of a day, and a page may be open for a while. */
const HOURS_SURELY_KEPT_MS = KEEP_HOURS_MS - 2 * DAY_MS;

export function spanOf(asked: AskedPeriod, now: number, calendar: Calendar): Span {
  if (asked.kind === "days") return spanOfDays(asked, now, calendar);
  const today = calendar.bucketAt("day", now);
  const until = today.endsAt;
  switch (asked.preset) {
    case "today":
      return { from: today.startsAt, until };
    case "yesterday":
      return { from: calendar.previous("day", now), until: today.startsAt };
    case "7d":
    case "28d":
    case "90d":
      return { from: daysBefore(today.startsAt, DAYS_OF[asked.preset] - 1, calendar), until };
    case "12mo":
      return { from: back("month", now, MONTHS_OF_A_YEAR - 1, calendar), until };
    default:
      return asked.preset satisfies never;
  }
}

/** Days that the zone does not have, or that are the wrong way round, are the last 28 instead. */
function spanOfDays(
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
  now: number,
  calendar: Calendar,
): Span {
  const from = calendar.startOfDate(firstDay);
  const last = calendar.startOfDate(lastDay);
  const isSpan = from !== null && last !== null && from <= last && from <= now;
  if (!isSpan) return spanOf({ kind: "preset", preset: "28d" }, now, calendar);
  return { from, until: calendar.next("day", Math.min(last, now)) };
}

/** Null when nothing is compared. */
export function comparedSpan(
  { from, until }: Span,
  { asked, how }: { asked: AskedPeriod; how: Comparison },
  calendar: Calendar,
): Span | null {
  if (how === "none") return null;
  const isYear = how === "year" || (asked.kind === "preset" && asked.preset === "12mo");
  if (isYear) return { from: yearBefore(from, calendar), until: yearBefore(until, calendar) };
  const days = calendar.between("day", from, until).length;
  return { from: daysBefore(from, days, calendar), until: from };
}

/** What may be compared: the same time of both; null when no full hour, or no full day, of the span is over. */
export function comparable(
  span: Span,
  compared: Span,
  now: number,
  calendar: Calendar,
): { current: Span; before: Span } | null {
  if (now >= span.until) return { current: span, before: compared };
  const today = calendar.startOf("day", now);
  const days = calendar.between("day", span.from, today).length;
  const dayBefore = daysAfter(compared.from, days, calendar);
  const hasHours = now - dayBefore < HOURS_SURELY_KEPT_MS;
  const elapsedMs = hasHours ? calendar.startOf("hour", now) - today : 0;
  const until = today + elapsedMs;
  if (until <= span.from) return null;
  const dayEnd = calendar.next("day", dayBefore);
  const before = { from: compared.from, until: Math.min(dayBefore + elapsedMs, dayEnd) };
  return { current: { from: span.from, until }, before };
}

function daysBefore(day: number, days: number, calendar: Calendar): number {
  return back("day", day, days, calendar);
}

function daysAfter(day: number, days: number, calendar: Calendar): number {
  let at = day;
  for (let count = 0; count < days; count += 1) at = calendar.next("day", at);
  return at;
}

function back(unit: "day" | "month", at: number, times: number, calendar: Calendar): number {
  let start = calendar.startOf(unit, at);
  for (let count = 0; count < times; count += 1) start = calendar.previous(unit, start);
  return start;
}

/** The same date of the year before; the 29th of February is the 28th there. */
function yearBefore(day: number, calendar: Calendar): number {
  const { date } = calendar.localTime(day);
  const [year = "", month = "", ofMonth = ""] = date.split("-");
  const before = `${String(Number(year) - 1).padStart(4, "0")}-${month}`;
  return (
    calendar.startOfDate(`${before}-${ofMonth}`) ??
    calendar.startOfDate(`${before}-28`) ??
    back("day", day, 365, calendar)
  );
}
