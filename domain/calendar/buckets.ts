/**
 * Owns: the buckets of local time (hour, day, ISO week, month), each named by the instant at which it begins.
 * Not: what is counted in them (rollups/).
 *
 * Two rules settle every odd day:
 * - A day, week or month begins at the first instant at which local time reaches it, and never twice. A day
 *   that skips midnight begins at 01:00, a date that a zone skips has no bucket.
 * - An hour ends at the next full local hour or when the offset changes, whichever is first. So the two hours
 *   called 01 of a 25-hour day are two buckets, and every day begins where an hour begins.
 */
import { type DateUnit, HOUR_MS, nextLocal, startOfLocal } from "./civil.ts";
import type { Offsets } from "./offsets.ts";

export type BucketUnit = "hour" | DateUnit;

export interface Bucket {
  startsAt: number;
  /** The first instant that is no longer in it. */
  endsAt: number;
}

/** No zone was ever further from UTC than this (local mean times of Alaska and Manila: 15 h 58 min). */
const MAX_OFFSET_MS = 16 * HOUR_MS;

/** The largest jump of a clock: a zone that changes sides of the date line. */
const MAX_JUMP_MS = 24 * HOUR_MS;

export function bucketAt(offsets: Offsets, unit: BucketUnit, at: number): Bucket {
  if (unit === "hour") return hourAt(offsets, at);
  const startLocalMs = startOfLocal(unit, latestLocal(offsets, at));
  return {
    startsAt: firstReach(offsets, startLocalMs),
    endsAt: firstReach(offsets, nextLocal(unit, startLocalMs)),
  };
}

/** The first instant at which local time is at or past `localMs`. */
export function firstReach(offsets: Offsets, localMs: number): number {
  let from = localMs - MAX_OFFSET_MS;
  let offsetMs = offsets.offsetAt(from);
  for (const transition of offsets.transitionsIn(from, localMs + MAX_OFFSET_MS)) {
    if (localMs - offsetMs < transition.at) break;
    from = transition.at;
    offsetMs = transition.afterMs;
  }
  return Math.max(from, localMs - offsetMs);
}

/** The furthest that local time had come by `at`: a clock that is turned back does not begin a day again. */
function latestLocal(offsets: Offsets, at: number): number {
  let latestMs = at + offsets.offsetAt(at);
  for (const transition of offsets.transitionsIn(at - MAX_JUMP_MS, at)) {
    latestMs = Math.max(latestMs, transition.at + transition.beforeMs - 1);
  }
  return latestMs;
}

function hourAt(offsets: Offsets, at: number): Bucket {
  const offsetMs = offsets.offsetAt(at);
  const startsAt = Math.floor((at + offsetMs) / HOUR_MS) * HOUR_MS - offsetMs;
  const endsAt = startsAt + HOUR_MS;
  const bucket = { startsAt, endsAt };
  for (const transition of offsets.transitionsIn(startsAt, endsAt)) {
    if (transition.at <= at) bucket.startsAt = transition.at;
    else bucket.endsAt = Math.min(bucket.endsAt, transition.at);
  }
  return bucket;
}
