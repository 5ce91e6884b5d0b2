/**
 * Owns: a site's calendar, the face of this folder: which bucket an instant is in, the one before, the one
 * after, the list of a range, and the local names of an instant.
 * Not: the clock; every instant is passed in.
 */
import { type Bucket, type BucketUnit, bucketAt, firstReach } from "./buckets.ts";
import { HOUR_MS, DAY_MS, isoDate, isoWeekday, parseIsoDate } from "./civil.ts";
import { offsetsOf } from "./offsets.ts";
import { isTimeZone } from "./zones.ts";

export type { Bucket, BucketUnit } from "./buckets.ts";

export interface LocalTime {
  /** `2026-11-01` */
  date: string;
  /** 1 = Monday … 7 = Sunday. */
  weekday: number;
  /** 0..23 */
  hour: number;
}

export interface Calendar {
  timeZone: string;
  bucketAt(unit: BucketUnit, at: number): Bucket;
  startOf(unit: BucketUnit, at: number): number;
  /** The start of the bucket after the one that holds `at`. */
  next(unit: BucketUnit, at: number): number;
  /** The start of the bucket before the one that holds `at`. */
  previous(unit: BucketUnit, at: number): number;
  /** The starts of every bucket that shares an instant with [from, until), ascending. The caller bounds the range. */
  between(unit: BucketUnit, from: number, until: number): number[];
  localTime(at: number): LocalTime;
  /** Where the day `2026-11-01` begins; null when the zone has no such day. */
  startOfDate(date: string): number | null;
}

/** Building one asks `Intl` some hundred questions, so each zone is built once; the number of zones is finite. */
const calendars = new Map<string, Calendar>();

export function calendarOf(timeZone: string): Calendar {
  const known = calendars.get(timeZone);
  if (known !== undefined) return known;
  if (!isTimeZone(timeZone)) {
    const shown = JSON.stringify(timeZone.slice(0, 64));
    throw new RangeError(`${shown} is no time zone. Wanted: an IANA name such as "Europe/Madrid".`);
  }
  const calendar = createCalendar(timeZone);
  calendars.set(timeZone, calendar);
  return calendar;
}

function createCalendar(timeZone: string): Calendar {
  const offsets = offsetsOf(timeZone);
  const lastAsked = new Map<BucketUnit, Bucket>();

  function bucketOf(unit: BucketUnit, at: number): Bucket {
    const last = lastAsked.get(unit);
    if (last !== undefined && at >= last.startsAt && at < last.endsAt) return last;
    const bucket = bucketAt(offsets, unit, at);
    lastAsked.set(unit, bucket);
    return bucket;
  }

  return {
    timeZone,
    bucketAt: bucketOf,
    startOf: (unit, at) => bucketOf(unit, at).startsAt,
    next: (unit, at) => bucketOf(unit, at).endsAt,
    previous: (unit, at) => bucketOf(unit, bucketOf(unit, at).startsAt - 1).startsAt,
    between(unit, from, until) {
      const starts: number[] = [];
      let bucket = bucketOf(unit, from);
      while (bucket.startsAt < until) {
        starts.push(bucket.startsAt);
        bucket = bucketOf(unit, bucket.endsAt);
      }
      return starts;
    },
    localTime(at) {
      const localMs = at + offsets.offsetAt(at);
      const hour = Math.floor(localMs / HOUR_MS) - Math.floor(localMs / DAY_MS) * 24;
      return { date: isoDate(localMs), weekday: isoWeekday(localMs), hour };
    },
    startOfDate(date) {
      const localMs = parseIsoDate(date);
      if (localMs === null) return null;
      const startsAt = firstReach(offsets, localMs);
      return isoDate(startsAt + offsets.offsetAt(startsAt)) === date ? startsAt : null;
    },
  };
}
