/**
 * Owns: the seam through which the engine reads the time and waits.
 * Not: what is done when the time has come.
 */
import { MAX_TIMER_MS } from "./limits.ts";

/** Timestamps of commits are epoch nanoseconds, as on Convex. */
export const NS_PER_MS = 1_000_000n;

export interface Clock {
  /** Epoch ms. May step back when the machine's clock is set. */
  now(): number;
  /** Calls `callback` once, `ms` from now or a little later; returns its cancellation. Any finite `ms` is allowed, also months. */
  setTimer(callback: () => void, ms: number): () => void;
}

function setLongTimer(callback: () => void, ms: number): () => void {
  const firstMs = Math.max(0, Math.min(ms, MAX_TIMER_MS));
  const restMs = ms - firstMs;
  let cancelRest = (): void => {};
  const timer = setTimeout(() => {
    if (restMs > 0) cancelRest = setLongTimer(callback, restMs);
    else callback();
  }, firstMs);
  return () => {
    clearTimeout(timer);
    cancelRest();
  };
}

export const systemClock: Clock = { now: () => Date.now(), setTimer: setLongTimer };
