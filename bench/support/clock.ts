/**
 * Owns: a clock and timers that stand still until they are moved, for functions that run in this process.
 * Not: what the timers do.
 */
type Timer = { readonly id: number; readonly at: number; readonly fire: () => void };

export class BenchClock {
  now: number;
  #timers: Timer[] = [];
  #ids = 0;
  readonly #real = { now: Date.now, setTimeout, clearTimeout };

  constructor(startsAt: number) {
    this.now = startsAt;
  }

  /** From here on everybody in this process reads this clock. */
  install(): void {
    Date.now = () => this.now;
    const set = (fire: () => void, ms = 0): number => {
      this.#ids += 1;
      this.#timers.push({ id: this.#ids, at: this.now + Math.max(0, ms), fire });
      return this.#ids;
    };
    const clear = (id: number): void => {
      this.#timers = this.#timers.filter((timer) => timer.id !== id);
    };
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }

  uninstall(): void {
    Date.now = this.#real.now;
    const { setTimeout, clearTimeout } = this.#real;
    Object.assign(globalThis, { setTimeout, clearTimeout });
    this.#timers = [];
  }

  /** Moves to `at`; each timer that is due on the way fires at its time, and `settle` is awaited before the next. */
  async advanceTo(at: number, settle: (fire: () => void) => Promise<void>): Promise<void> {
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
