/**
 * Owns: the views of the last minutes as a ring that rolls forward.
 * Not: hours and days.
 */
import { LISTED_MINUTES } from "./limits.ts";

export const MINUTE_MS = 60_000;

/** Views per minute, the newest, which begins at `newestAt` (epoch ms), last. Always LISTED_MINUTES of them. */
export type Minutes = { readonly newestAt: number; readonly views: readonly number[] };

/** When the minute that contains `at` begins. */
export function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/** No views, up to and including the minute of `now`. */
export function emptyMinutes(now: number): Minutes {
  return { newestAt: minuteOf(now), views: new Array<number>(LISTED_MINUTES).fill(0) };
}

/** The same views with the minute of `now` as the newest; never rolls back. */
export function rollMinutes(minutes: Minutes, now: number): Minutes {
  const steps = (minuteOf(now) - minutes.newestAt) / MINUTE_MS;
  if (steps <= 0) return minutes;
  if (steps >= LISTED_MINUTES) return emptyMinutes(now);
  const fresh = new Array<number>(steps).fill(0);
  return { newestAt: minuteOf(now), views: [...minutes.views.slice(steps), ...fresh] };
}

/** Adds one view for each of `timestamps`; those before the oldest minute are left out. Rolls forward to the newest. */
export function addToMinutes(minutes: Minutes, timestamps: readonly number[]): Minutes {
  const newest = timestamps.reduce((latest, at) => Math.max(latest, at), minutes.newestAt);
  const rolled = rollMinutes(minutes, newest);
  const views = [...rolled.views];
  for (const at of timestamps) {
    const place = LISTED_MINUTES - 1 - (rolled.newestAt - minuteOf(at)) / MINUTE_MS;
    const before = views[place];
    if (before !== undefined) views[place] = before + 1;
  }
  return { newestAt: rolled.newestAt, views };
}

/** Takes one view away for each of `timestamps`, where it is still among the minutes. */
export function takeFromMinutes(minutes: Minutes, timestamps: readonly number[]): Minutes {
  const views = [...minutes.views];
  for (const at of timestamps) {
    const place = LISTED_MINUTES - 1 - (minutes.newestAt - minuteOf(at)) / MINUTE_MS;
    const before = views[place] ?? 0;
    if (before > 0) views[place] = before - 1;
  }
  return { newestAt: minutes.newestAt, views };
}

/** The minutes as a reader gets them, the oldest first. */
export function listMinutes(minutes: Minutes): { startedAt: number; views: number }[] {
  return minutes.views.map((views, place) => ({
    startedAt: minutes.newestAt - (LISTED_MINUTES - 1 - place) * MINUTE_MS,
    views,
  }));
}
