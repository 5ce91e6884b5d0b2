/**
 * Owns: when watchers may next be told that their results are stale.
 * Not: whose results are stale (live-queries.ts).
 *
 * After a quiet time they hear at once. While refreshing costs time, the pause grows with what the last round cost, so
 * that mutations keep most of the machine however many queries are watched.
 */
import type { Clock } from "../clock.ts";

/**
 * Evaluating may take a tenth of the time: a round that took 10 ms is followed by 90 ms without one. Telling everybody
 * costs about as much again, and writers shall keep four fifths of the machine (`npm run bench:engine`).
 */
const PAUSE_PER_COST = 9;
/** Two rounds within a frame or three look the same to a person. */
const MIN_PAUSE_MS = 50;
/** Nobody waits longer than this for a fresh number. */
const MAX_PAUSE_MS = 1_000;

export class RefreshThrottle {
  readonly #clock: Clock;
  readonly #refresh: () => void;
  #nextAt = -Infinity;
  #roundStartedAt = -Infinity;
  #roundCostMs = 0;
  #cancelTimer: (() => void) | null = null;

  /** `refresh` is called once per round, never while another caller of this class is on the stack. */
  constructor(clock: Clock, refresh: () => void) {
    this.#clock = clock;
    this.#refresh = refresh;
  }

  /** Something is stale: begins a round now, or when the pause is over. */
  request(): void {
    if (this.#cancelTimer !== null) return;
    const waitMs = Math.min(MAX_PAUSE_MS, Math.max(0, this.#nextAt - this.#clock.now()));
    this.#cancelTimer = this.#clock.setTimer(() => this.#begin(), waitMs);
  }

  /** `costMs` of work were done for the current round. */
  spend(costMs: number): void {
    this.#roundCostMs += costMs;
    const pauseMs = Math.min(
      MAX_PAUSE_MS,
      Math.max(MIN_PAUSE_MS, this.#roundCostMs * PAUSE_PER_COST),
    );
    this.#nextAt = this.#roundStartedAt + pauseMs;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #begin(): void {
    this.#cancelTimer = null;
    this.#roundStartedAt = this.#clock.now();
    this.#roundCostMs = 0;
    this.#nextAt = this.#roundStartedAt + MIN_PAUSE_MS;
    this.#refresh();
  }
}
