/**
 * Owns: with which days a period is compared, and up to when, so that both had the same time.
 * Not: which days it is (domain/calendar/periods.ts), or what is asked of them (useReports.ts).
 *
 * All in the site's zone. A day that is not over is compared up to the last full hour, and where the hours of the
 * compared days are no longer kept, up to the last full day.
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { DAY_MS } from "../../../domain/calendar/civil.ts";
import { back } from "../../../domain/calendar/periods.ts";
import type { AskedPeriod, Span } from "../../../domain/calendar/periods.ts";
import { KEEP_HOURS_MS } from "../../../domain/intervals.ts";

/** `previous`: as many days right before; `year`: the same dates a year before. */
export const WAYS_TO_COMPARE = ["previous", "year", "none"] as const;
export type Comparison = (typeof WAYS_TO_COMPARE)[number];

/** Hours go at the end of a day, and a page may be open for a while. */
const HOURS_SURELY_KEPT_MS = KEEP_HOURS_MS - 2 * DAY_MS;

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
  return { from: back("day", from, days, calendar), until: from };
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
