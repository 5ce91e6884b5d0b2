/**
 * Owns: which months, days and hours make up a range, so that each instant is covered once and visitors stay exact.
 * Not: reading them (convex/), adding them up (report.ts).
 */
import type { Calendar } from "../calendar/calendar.ts";
import { DAY_MS } from "../calendar/civil.ts";
import type { RollupUnit } from "./rollup.ts";

export interface PlannedBucket {
  unit: RollupUnit;
  startsAt: number;
}

export interface RangePlan {
  /** Where the range begins and ends after rounding to whole buckets. */
  from: number;
  until: number;
  buckets: PlannedBucket[];
}

export interface Sealed {
  /** Hours that begin before this are gone; only whole days are left. */
  hoursSince: number;
  /** Days that end by this are sealed. */
  daysUntil: number;
  /** Months that end by this are sealed. */
  monthsUntil: number;
}

/**
 * A range that begins inside a day is made of hours alone, at most a week of them: hours of a busy site are about
 * 25 kB each, and a transaction reads 16 MiB.
 */
export const MAX_HOUR_RANGE_MS = 7 * DAY_MS;

/**
 * The fewest buckets for [from, until). Days and months know only on which day a visitor was active before, so a
 * range that begins inside a day is made of hours alone. Where hours are gone, or would be too many, the range grows
 * to whole days, and the plan says so by its `from` and `until`.
 */
export function planRange(
  calendar: Calendar,
  range: { from: number; until: number },
  sealed: Sealed,
): RangePlan {
  const { from, until } = roundRange(calendar, range, sealed);
  const days = calendar.startOf("day", from) === from;
  const buckets: PlannedBucket[] = [];
  let at = from;
  while (at < until) {
    const unit = days ? largestUnit(calendar, at, until, sealed) : "hour";
    buckets.push({ unit, startsAt: at });
    at = calendar.next(unit, at);
  }
  return { from, until, buckets };
}

/** Where the range begins and ends when it is made of whole buckets. */
export function roundRange(
  calendar: Calendar,
  range: { from: number; until: number },
  sealed: Sealed,
): { from: number; until: number } {
  const until = end(calendar, range.until, sealed);
  return { from: beginning(calendar, range.from, until, sealed), until };
}

function largestUnit(calendar: Calendar, at: number, until: number, sealed: Sealed): RollupUnit {
  const month = calendar.bucketAt("month", at);
  const monthEnd = Math.min(until, sealed.monthsUntil);
  if (month.startsAt === at && month.endsAt <= monthEnd) return "month";
  const day = calendar.bucketAt("day", at);
  const dayEnd = Math.min(until, sealed.daysUntil);
  return day.startsAt === at && day.endsAt <= dayEnd ? "day" : "hour";
}

function beginning(calendar: Calendar, from: number, until: number, sealed: Sealed): number {
  const hour = calendar.startOf("hour", from);
  const needsDays = hour < sealed.hoursSince || until - hour > MAX_HOUR_RANGE_MS;
  return needsDays ? calendar.startOf("day", from) : hour;
}

function end(calendar: Calendar, until: number, sealed: Sealed): number {
  const { startsAt, endsAt } = calendar.bucketAt("hour", until - 1);
  return startsAt < sealed.hoursSince ? calendar.next("day", until - 1) : endsAt;
}
