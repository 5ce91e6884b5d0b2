/**
 * Owns: with which days a period is compared, and up to when, so that both had the same time.
 * Not: which days it is (domain/calendar/periods.ts), or what is asked of them (useReports.ts).
 *
 * All in the site's zone. A day that is not over is compared up to the last full hour, and where the hours of the
 * compared days are no longer kept, up to the last full day. Of two times with different numbers of days (March and
 * February, a leap year and another, days that somebody chose) as many of each are compared as the shorter has.
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { DAY_MS } from "../../../domain/calendar/civil.ts";
import { back, wholeDays } from "../../../domain/calendar/periods.ts";
import type { AskedPeriod, Days, Span } from "../../../domain/calendar/periods.ts";
import { KEEP_HOURS_MS } from "../../../domain/intervals.ts";
import { MAX_REPORT_DAYS } from "../../../domain/limits.ts";

/** `previous`: as many days right before, of a month or year the one before; `year`: the same dates a year before. */
export const WAYS_TO_COMPARE = ["previous", "year", "none"] as const;
export type WayToCompare = (typeof WAYS_TO_COMPARE)[number];
export type Comparison = WayToCompare | Days;

/** Hours go at the end of a day, and a page may be open for a while. */
const HOURS_SURELY_KEPT_MS = KEEP_HOURS_MS - 2 * DAY_MS;

/** Null when nothing is compared, or days that are none. */
export function comparedSpan(
  { from, until }: Span,
  { asked, how }: { asked: AskedPeriod; how: Comparison },
  calendar: Calendar,
): Span | null {
  if (how === "none") return null;
  if (typeof how !== "string") return chosenDays(how, calendar);
  const preset = asked.kind === "preset" ? asked.preset : null;
  if (how === "previous" && preset === "month") return monthBefore({ from, until }, calendar);
  if (how === "year" || preset === "year" || preset === "12mo")
    return { from: yearBefore(from, calendar), until: yearBefore(until, calendar) };
  const days = daysIn({ from, until }, calendar);
  return { from: back("day", from, days, calendar), until: from };
}

/** Null of more than a report may be of. */
function chosenDays(days: Days, calendar: Calendar): Span | null {
  const span = wholeDays(days, calendar);
  return span === null || span.until - span.from > MAX_REPORT_DAYS * DAY_MS ? null : span;
}

/** As many days of the month before, or all of it where it has fewer. */
function monthBefore({ from, until }: Span, calendar: Calendar): Span {
  const start = calendar.previous("month", from);
  const days = daysIn({ from, until }, calendar);
  return { from: start, until: Math.min(from, daysAfter(start, days, calendar)) };
}

/** How many days of each are compared, where one has fewer than the other; null where both have as many. */
export function daysInCommon(span: Span, compared: Span, calendar: Calendar): number | null {
  const [days, others] = [daysIn(span, calendar), daysIn(compared, calendar)];
  return days === others ? null : Math.min(days, others);
}

function daysIn({ from, until }: Span, calendar: Calendar): number {
  return calendar.between("day", from, until).length;
}

/** What may be compared: the same time of both; null when no full hour, or no full day, of the span is over. */
export function comparable(
  span: Span,
  compared: Span,
  now: number,
  calendar: Calendar,
): { current: Span; before: Span } | null {
  const days = daysInCommon(span, compared, calendar);
  if (days === null) return comparableDays(span, compared, now, calendar);
  const cut = ({ from }: Span) => ({ from, until: daysAfter(from, days, calendar) });
  return comparableDays(cut(span), cut(compared), now, calendar);
}

/** Of two times of as many days. */
function comparableDays(
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

function daysAfter(day: number, days: number, calendar: Calendar): number {
  let at = day;
  for (let count = 0; count < days; count += 1) at = calendar.next("day", at);
  return at;
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
