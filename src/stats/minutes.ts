/**
 * Owns: the last half hour as bars, and what time it is at the server.
 * Not: how a bar is drawn.
 */
import { LISTED_MINUTES } from "../../domain/limits.ts";
import { MINUTE_MS, minuteOf } from "../../domain/minutes.ts";

/**
 * A reader's clock may be off by hours. Below this, the difference between it and a fresh result is travel,
 * throttled timers of a background tab, or a worker that has just woken.
 */
export const CLOCK_TOLERANCE_MS = 90_000;

export type Minute = { readonly startedAt: number; readonly views: number };
export type MinuteBar = Minute & { readonly isCurrent: boolean };

/**
 * The half hour up to `now`, oldest first, gaps filled with zero: settled minutes stop where the traffic did.
 * A minute after `now` cannot be; it moves the end, so that nothing that was counted is hidden.
 */
export function lastMinutes(minutes: readonly Minute[], now: number): MinuteBar[] {
  const viewsAt = new Map(minutes.map(({ startedAt, views }) => [startedAt, views]));
  const newest = Math.max(...minutes.map(({ startedAt }) => startedAt), 0);
  const current = Math.max(minuteOf(now), newest);
  return Array.from({ length: LISTED_MINUTES }, (_, index) => {
    const startedAt = current - (LISTED_MINUTES - 1 - index) * MINUTE_MS;
    return { startedAt, views: viewsAt.get(startedAt) ?? 0, isCurrent: startedAt === current };
  });
}

/** The value of the line above the bars: 1, 2, 3, 4, 5, then multiples of 5 and 10, never below the largest bar. */
export function scaleTop(bars: readonly Minute[]): number {
  const largest = Math.max(...bars.map(({ views }) => views), 1);
  if (largest <= 5) return largest;
  const magnitude = 10 ** Math.floor(Math.log10(largest));
  const step = largest <= 20 ? 5 : largest / magnitude <= 5 ? magnitude / 2 : magnitude;
  return Math.ceil(largest / step) * step;
}

/**
 * How far the reader's clock is behind the server's, ms, judged when the worker has just settled (`settledAt`, server
 * clock) and the reader's clock says `readerNow`. 0 within the tolerance.
 */
export function clockOffsetMs(settledAt: number, readerNow: number): number {
  const differenceMs = settledAt - readerNow;
  return Math.abs(differenceMs) <= CLOCK_TOLERANCE_MS ? 0 : differenceMs;
}
