/** Owns: a clock that tests move by hand. Not: real time. */
import type { Clock } from "./clock.ts";

export interface ManualClock extends Clock {
  /** Moves the time and fires what becomes due, in order, letting promises settle after each. */
  advance(ms: number): Promise<void>;
  /** Sets the time without firing anything, as when a machine sleeps or its clock is corrected. */
  jumpTo(now: number): void;
  /** Epoch ms at which each pending timer is due, ascending. */
  dueTimes(): readonly number[];
}

type Timer = { readonly dueAt: number; readonly callback: () => void };

/** Lets every promise that can settle without a timer or a socket settle. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function manualClock(startsAt = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startsAt;
  const timers = new Set<Timer>();
  const nextTimer = (until: number): Timer | undefined =>
    [...timers].filter((timer) => timer.dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];

  return {
    now: () => now,
    setTimer(callback, ms) {
      const timer = { dueAt: now + Math.max(0, ms), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let timer = nextTimer(until); timer; timer = nextTimer(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.dueAt);
        timer.callback();
        await settle();
      }
      now = until;
    },
    jumpTo(time) {
      now = time;
    },
    dueTimes: () => [...timers].map((timer) => timer.dueAt).sort((a, b) => a - b),
  };
}
