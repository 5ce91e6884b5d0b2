/**
 * Owns: which months, days and hours make up a range, so that each instant is covered once and visitors stay exact.
 * Not: reading them (convex/), adding them up (report.ts).
 */
import type { Calendar } from "../calendar/calendar.ts";
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
 * The fewest buckets for [from, until). Days and months know only on which day a visitor was active before, so a
 * range that begins inside a day is made of hours alone: the caller bounds its length. Where hours are gone, the
 * range grows to whole days.
 */
export function planRange(
  calendar: Calendar,
  range: { from: number; until: number },
  sealed: Sealed,
): RangePlan {
  const from = beginning(calendar, range.from, sealed);
  const until = end(calendar, range.until, sealed);
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

function largestUnit(calendar: Calendar, at: number, until: number, sealed: Sealed): RollupUnit {
  const month = calendar.bucketAt("month", at);
  const monthEnd = Math.min(until, sealed.monthsUntil);
  if (month.startsAt === at && month.endsAt <= monthEnd) return "month";
  const day = calendar.bucketAt("day", at);
  const dayEnd = Math.min(until, sealed.daysUntil);
  return day.startsAt === at && day.endsAt <= dayEnd ? "day" : "hour";
}

function beginning(calendar: Calendar, from: number, sealed: Sealed): number {
  const hour = calendar.startOf("hour", from);
  return hour < sealed.hoursSince ? calendar.startOf("day", from) : hour;
}

function end(calendar: Calendar, until: number, sealed: Sealed): number {
  const { startsAt, endsAt } = calendar.bucketAt("hour", until - 1);
  return startsAt < sealed.hoursSince ? calendar.next("day", until - 1) : endsAt;
}
