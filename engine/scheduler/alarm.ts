/**
 * Owns: one timer that waits for the earliest of what is asked for.
 * Not: what is due; the ringing part looks that up itself.
 */
import type { Clock } from "../clock.ts";

/** Timers do not notice when the machine's clock is set or the machine slept; looking again this often bounds how late anything runs. */
export const LONGEST_WAIT_MS = 60_000;

export interface Alarm {
  /** Rings at `dueAt` (epoch ms) or before; it may ring early, and once for several. */
  ringAt(dueAt: number): void;
  stop(): void;
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let armedFor = Infinity;
  let cancel = (): void => {};
  return {
    ringAt(dueAt) {
      const ringAt = Math.min(dueAt, clock.now() + LONGEST_WAIT_MS);
      if (ringAt >= armedFor) return;
      cancel();
      armedFor = ringAt;
      cancel = clock.setTimer(() => {
        armedFor = Infinity;
        ring();
      }, ringAt - clock.now());
    },
    stop() {
      cancel();
      armedFor = Infinity;
    },
  };
}
