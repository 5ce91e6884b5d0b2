/**
 * Owns: calls that may fail: made again where that matters, and reported once, without the page hearing of it.
 * Not: what is called (convex-transport.ts).
 *
 * The client queues and resends by itself while the server cannot be reached; what is retried here is a call that
 * the server answered with a failure of its own. A refusal (a ConvexError) is an answer: it is not asked again.
 */
import { ConvexError } from "convex/values";
import type { Clock } from "./hook-tracker.ts";

/** Waits before a failed call is made again; after the last one it is given up. */
export const RETRY_WAITS_MS = [1_000, 5_000, 25_000];

export type DeliveryParts = {
  clock: Clock;
  /** Asked before anything is sent again: a reader who has opted out meanwhile is not counted late. */
  hasOptedOut: () => boolean;
  /** Hears of the first failure, once. */
  report: (sentence: string) => void;
};

type Call = () => Promise<unknown>;

export type Delivery = {
  /** Ends when the call has, also when it failed: even one that throws at once reaches nobody else. */
  once(what: string, call: Call): Promise<unknown>;
  /** Again and again, and `againToo` with it; for what counts once however often it arrives. */
  untilTaken(what: string, call: Call, againToo?: () => void): void;
  failed(what: string, reason: unknown): void;
};

function start(call: Call, onFailure: (reason: unknown) => void): Promise<unknown> {
  return new Promise<unknown>((resolve) => resolve(call())).catch(onFailure);
}

export function createDelivery({ clock, hasOptedOut, report }: DeliveryParts): Delivery {
  let hasReported = false;

  function failed(what: string, reason: unknown) {
    if (hasReported) return;
    hasReported = true;
    report(`Footfall could not send ${what}: ${String(reason)}. The page itself is not affected.`);
  }

  function attempt(what: string, call: Call, againToo: () => void, failures = 0) {
    void start(call, (reason) => {
      const waitMs = RETRY_WAITS_MS[failures];
      if (reason instanceof ConvexError || waitMs === undefined) return failed(what, reason);
      clock.setTimer(() => {
        if (hasOptedOut()) return;
        attempt(what, call, againToo, failures + 1);
        againToo();
      }, waitMs);
    });
  }

  return {
    once: (what, call) => start(call, (reason) => failed(what, reason)),
    untilTaken: (what, call, againToo = () => {}) => attempt(what, call, againToo),
    failed,
  };
}
