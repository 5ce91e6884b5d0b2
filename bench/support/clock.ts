/**
 * Owns: a clock, timers and chance that stand still until they are moved, for functions that run in this process.
 * Not: what the timers do.
 */
import { BenchRandom } from "./random.ts";

type Timer = { readonly id: number; readonly at: number; readonly fire: () => unknown };

export class BenchClock {
  now: number;
  #timers: Timer[] = [];
  #ids = 0;
  readonly #random = new BenchRandom(5);
  readonly #real = { now: Date.now, random: Math.random, setTimeout, clearTimeout };

  constructor(startsAt: number) {
    this.now = startsAt;
  }

  /** From here on everybody in this process reads this clock. */
  install(): void {
    Date.now = () => this.now;
    Math.random = () => this.#random.next();
    const set = (fire: () => unknown, ms = 0): number => this.setTimer(ms, fire);
    const clear = (id: number): void => {
      this.#timers = this.#timers.filter((timer) => timer.id !== id);
    };
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }

  /** What `fire` returns is awaited before the next timer fires. */
  setTimer(afterMs: number, fire: () => unknown): number {
    this.#ids += 1;
    this.#timers.push({ id: this.#ids, at: this.now + Math.max(0, afterMs), fire });
    return this.#ids;
  }

  uninstall(): void {
    Date.now = this.#real.now;
    Math.random = this.#real.random;
    const { setTimeout, clearTimeout } = this.#real;
    Object.assign(globalThis, { setTimeout, clearTimeout });
    this.#timers = [];
  }

  /** When the next timer is due. */
  nextAt(): number | undefined {
    if (this.#timers.length === 0) return undefined;
    return Math.min(...this.#timers.map(({ at }) => at));
  }

  /** Moves to `at`; each timer that is due on the way fires at its time, and `settle` is awaited before the next. */
  async advanceTo(at: number, settle: (fire: () => unknown) => Promise<void>): Promise<void> {
    for (;;) {
      const next = this.#takeNext(at);
      if (next === undefined) break;
      this.now = Math.max(this.now, next.at);
      await settle(next.fire);
    }
    this.now = Math.max(this.now, at);
  }

  #takeNext(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
    }
    if (next !== undefined) this.#timers.splice(this.#timers.indexOf(next), 1);
    return next;
  }
}
