/**
 * Owns: that one transaction runs at a time, in the order of arrival, and that the process still answers meanwhile.
 * Not: what a transaction does, or when it becomes durable (commits.ts).
 *
 * Transactions are chains of microtasks, which would block all I/O for as long as there is work; so the event loop
 * gets its turn after a few milliseconds, between transactions and (through `breathe`) within long ones.
 */

/** Long enough to share a flush among many commits, short enough that nobody notices a pause. */
const SLICE_MS = 4;

type Job = () => Promise<void>;

export class Executor {
  readonly #jobs: Job[] = [];
  readonly #afterEach: (() => void)[] = [];
  #isRunning = false;
  #sliceStartedAt = performance.now();

  /** Runs `work` alone; settles as it does. A failure does not stop the ones behind it. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    this.#jobs.push(async () => {
      const running = Promise.resolve().then(work);
      resolve(running);
      await running.catch(() => undefined);
    });
    if (!this.#isRunning) void this.#drain();
    return promise;
  }

  /** Called after each job, before the next begins; must not throw. */
  onAfterEach(listener: () => void): void {
    this.#afterEach.push(listener);
  }

  /** Within a job: null, or a pause to await when the event loop has waited long enough. */
  breathe(): Promise<void> | null {
    return performance.now() - this.#sliceStartedAt < SLICE_MS ? null : this.#pause();
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    this.#sliceStartedAt = performance.now();
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      await job();
      for (const listener of this.#afterEach) listener();
      await this.breathe();
    }
    this.#isRunning = false;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#sliceStartedAt = performance.now();
        resolve();
      });
    });
  }
}
