/**
 * Owns: the last calls, and waking whoever waits for the next one (`npx convex logs` polls).
 * Not: how a call looks there (function-log-entries.ts) or on the terminal (call-lines.ts).
 *
 * A cursor is the time of a call in epoch ms, made unique, so that a reader's cursor stays good over a restart.
 */
import type { FunctionLog } from "../application.ts";
import type { Clock } from "../clock.ts";
import { completionEntry } from "./function-log-entries.ts";

/** Enough to look back over a busy minute; a few MB at most. */
const MAX_KEPT_CALLS = 1000;
/** Below the idle timeouts of common proxies. */
const POLL_MS = 20_000;
/** Keeps cursors of calls within one millisecond apart. */
const CURSOR_STEP_MS = 0.001;

export type LogPage = { readonly entries: readonly object[]; readonly newCursor: number };

/** Not the call itself, whose footprint holds all that its transaction wrote. */
type Kept = { readonly cursor: number; readonly entry: object };

export class FunctionLogs {
  readonly #clock: Clock;
  #kept: Kept[] = [];
  #lastCursor: number;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastCursor = clock.now();
  }

  add(log: FunctionLog): void {
    this.#lastCursor = Math.max(this.#lastCursor + CURSOR_STEP_MS, this.#clock.now());
    this.#kept.push({ cursor: this.#lastCursor, entry: completionEntry(log) });
    if (this.#kept.length > 2 * MAX_KEPT_CALLS) this.#kept = this.#kept.slice(-MAX_KEPT_CALLS);
    this.#wakeAll();
  }

  /** Calls after `cursor` (0: all that are kept); waits a while for the first one when there are none yet. */
  async after(cursor: number): Promise<LogPage> {
    if (cursor > 0 && this.#lastCursor <= cursor) await this.#nextCall();
    const later = this.#kept.filter((kept) => kept.cursor > cursor).slice(-MAX_KEPT_CALLS);
    return {
      entries: later.map((kept) => kept.entry),
      newCursor: Math.max(cursor, this.#lastCursor),
    };
  }

  /** Lets every waiting reader go, so that the engine can stop. */
  close(): void {
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #nextCall(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancelTimer();
        this.#waiting.delete(wake);
        resolve();
      };
      const cancelTimer = this.#clock.setTimer(wake, POLL_MS);
      this.#waiting.add(wake);
    });
  }
}
