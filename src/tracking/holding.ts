/**
 * Owns: one running tracker for all the components that hold it, and its end when nobody has held it for a while.
 * Not: the tracker itself (hook-tracker.ts); React (usePageTracking.ts).
 */
import type { Clock, HookTracker, Page } from "./hook-tracker.ts";

/**
 * A component that unmounts is often back at once: React's StrictMode, a change of route, a hot reload. Only after
 * this long without a holder has the visitor left, so that no late "leave" wins over the view that follows it.
 */
export const LET_GO_AFTER_MS = 1_000;

/** A tracker that follows its page until `stop` is called. */
export type RunningTracker = { tracker: HookTracker; stop: () => void };

export type Holding = {
  /** Somebody holds the tracker and shows this page; it starts with the first holder. */
  hold(page: Page): void;
  /** One holder fewer. */
  release(): void;
};

export function createHolding(clock: Clock, start: () => RunningTracker): Holding {
  let running: RunningTracker | null = null;
  let holders = 0;
  let cancelEnd = () => {};

  function end() {
    running?.tracker.leave();
    running?.stop();
    running = null;
  }

  return {
    hold(page) {
      cancelEnd();
      holders += 1;
      running ??= start();
      running.tracker.visit(page);
    },
    release() {
      holders -= 1;
      if (holders === 0) cancelEnd = clock.setTimer(end, LET_GO_AFTER_MS);
    },
  };
}
