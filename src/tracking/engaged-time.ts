/**
 * Owns: for how long somebody reads a view: the time in which its page is attended to (can be seen, and has the
 * focus), cut off at a while after the last input.
 * Not: what an input is, and whether the page is attended to (parts/engagement.ts).
 *
 * No timer runs: the time so far is added up whenever something happens, so that a page that is frozen, or asleep
 * with its machine, adds nothing later than the cut.
 */
import { ENGAGED_IDLE_MS } from "../../domain/intervals.ts";

export type EngagedTime = {
  /** Something happened: by the reader when `isInput`, and else perhaps to the page. To come back is an input. */
  note: (isAttended: boolean, isInput?: boolean) => void;
  /** Of this view, up to the last note: ms, never less than before. */
  readMs: () => number;
  /** The next view begins. */
  restart: () => void;
};

/** `now` is of a clock that nobody sets; one that goes back adds nothing. */
export function createEngagedTime(now: () => number): EngagedTime {
  let engagedMs = 0;
  let notedAt = 0;
  let idleAt = 0;
  let wasAttended = false;
  return {
    note(isAttended, isInput) {
      const at = now();
      if (wasAttended) engagedMs += Math.max(0, Math.min(at, idleAt) - notedAt);
      const cutAt = at + ENGAGED_IDLE_MS;
      idleAt = isInput || (isAttended && !wasAttended) ? cutAt : Math.min(idleAt, cutAt);
      notedAt = at;
      wasAttended = isAttended;
    },
    readMs: () => Math.round(engagedMs),
    restart() {
      engagedMs = 0;
    },
  };
}
