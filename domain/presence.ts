/** Owns: the one rule of who is online. Not: where sessions are stored. */
import { SESSION_TIMEOUT_MS } from "./intervals.ts";

/** A session whose last sign of life (epoch ms) is at this instant or before is no longer online at `now`. */
export function timedOutSince(now: number): number {
  return now - SESSION_TIMEOUT_MS;
}

/** When a session that was last seen then goes offline. */
export function deadlineOf(lastSeenAt: number): number {
  return lastSeenAt + SESSION_TIMEOUT_MS;
}
