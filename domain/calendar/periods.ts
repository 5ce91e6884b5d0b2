/**
 * Owns: which days a period such as "the last 28 days" is, and how a text says it: the address of /stats and the HTTP
 * reports say it alike.
 * Not: with what it is compared (src/stats/period/span.ts).
 *
 * All in the site's zone, in whole local days, so a day of 23 or 25 hours is one day. What somebody typed wrong is the
 * last 28 days.
 */
import type { Calendar } from "./calendar.ts";

export const PRESETS = [
  "today",
  "yesterday",
  "7d",
  "28d",
  "30d",
  "90d",
  "month",
  "year",
  "12mo",
  "all",
] as const;
export type Preset = (typeof PRESETS)[number];

/** Both included, as `2026-11-30`. */
export type Days = { readonly kind: "days"; readonly firstDay: string; readonly lastDay: string };

export type AskedPeriod = { readonly kind: "preset"; readonly preset: Preset } | Days;

/** Whole local days, [from, until) in epoch ms. */
export type Span = { readonly from: number; readonly until: number };

/** `since`: when counting began; where it has not, all is today. */
export type PeriodClock = { readonly now: number; readonly since: number | null };

export const DEFAULT_PERIOD: AskedPeriod = { kind: "preset", preset: "28d" };
const FIRST_AND_LAST_DAY = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/;
const DAYS_OF = { "7d": 7, "28d": 28, "30d": 30, "90d": 90 } as const;
const MONTHS_OF_A_YEAR = 12;

/** Of `2026-11-03..2026-11-30`; null for anything else. */
export function parseDays(text: string): Days | null {
  const [, firstDay, lastDay] = FIRST_AND_LAST_DAY.exec(text) ?? [];
  if (firstDay === undefined || lastDay === undefined) return null;
  return { kind: "days", firstDay, lastDay };
}

/** A preset, or days; null for anything else. */
export function parsePeriod(text: string): AskedPeriod | null {
  const days = parseDays(text);
  if (days !== null) return days;
  const preset = PRESETS.find((one) => one === text);
  return preset === undefined ? null : { kind: "preset", preset };
}

export function readPeriod(text: string): AskedPeriod {
  return parsePeriod(text) ?? DEFAULT_PERIOD;
}

export function writePeriod(period: AskedPeriod): string {
  return period.kind === "preset" ? period.preset : writeDays(period);
}

export function writeDays({ firstDay, lastDay }: Omit<Days, "kind">): string {
  return `${firstDay}..${lastDay}`;
}

export function spanOf(asked: AskedPeriod, clock: PeriodClock, calendar: Calendar): Span {
  if (asked.kind === "days") return spanOfDays(asked, clock, calendar);
  const { now, since } = clock;
  const today = calendar.bucketAt("day", now);
  const until = today.endsAt;
  switch (asked.preset) {
    case "today":
      return { from: today.startsAt, until };
    case "yesterday":
      return { from: calendar.previous("day", now), until: today.startsAt };
    case "7d":
    case "28d":
    case "30d":
    case "90d":
      return { from: back("day", today.startsAt, DAYS_OF[asked.preset] - 1, calendar), until };
    case "month":
      return { from: calendar.startOf("month", now), until };
    case "year":
      return { from: startOfYear(now, calendar), until };
    case "12mo":
      return { from: back("month", now, MONTHS_OF_A_YEAR - 1, calendar), until };
    case "all":
      return { from: calendar.startOf("day", Math.min(since ?? now, now)), until };
    default:
      return asked.preset satisfies never;
  }
}

/** Days that the zone does not have, or that are the wrong way round, are the last 28 instead. */
function spanOfDays(days: Days, clock: PeriodClock, calendar: Calendar): Span {
  const whole = wholeDays(days, calendar);
  if (whole === null || whole.from > clock.now) return spanOf(DEFAULT_PERIOD, clock, calendar);
  return { from: whole.from, until: Math.min(whole.until, calendar.next("day", clock.now)) };
}

/** Null of days that the zone does not have, or that are the wrong way round. */
export function wholeDays({ firstDay, lastDay }: Days, calendar: Calendar): Span | null {
  const from = calendar.startOfDate(firstDay);
  const last = calendar.startOfDate(lastDay);
  if (from === null || last === null || from > last) return null;
  return { from, until: calendar.next("day", last) };
}

function startOfYear(now: number, calendar: Calendar): number {
  const [year = ""] = calendar.localTime(now).date.split("-");
  return calendar.startOfDate(`${year}-01-01`) ?? calendar.startOf("month", now);
}

/** The start of the bucket that lies so many before the one of `at`. */
export function back(unit: "day" | "month", at: number, times: number, calendar: Calendar): number {
  let start = calendar.startOf(unit, at);
  for (let count = 0; count < times; count += 1) start = calendar.previous(unit, start);
  return start;
}
