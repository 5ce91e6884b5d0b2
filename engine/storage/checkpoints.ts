/**
 * Owns: when the write-ahead log is copied into the database, and having that done beside the thread that runs
 * transactions: copying the pages of some hundreds of views takes as long as running dozens.
 * Not: the copying (checkpoint-thread.ts).
 *
 * The thread ends each time with a log that is copied whole, as a rule; then SQLite begins it anew with the next commit.
 * Should it fail or fall behind, then SQLite copies the log itself within a commit, when it is four times as long.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** What the thread is asked for, in the first place of the memory that it shares with us. */
export const CHECKPOINT_STATE = { idle: 0, wanted: 1, stop: 2, stopped: 3 } as const;

export type CheckpointTask = { readonly path: string; readonly state: Int32Array };

/** In the index of the log, which SQLite shares between connections: how many pages the log has. https://sqlite.org/walformat.html */
const PAGES_AT_BYTE = 16;
/** A copy that is under way takes a tenth of that. */
const MAX_CLOSING_MS = 10_000;
/** It runs one statement again and again. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

export class Checkpoints {
  readonly #path: string;
  readonly #afterPages: number;
  readonly #state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #pages = new Uint32Array(1);
  #index: number | null = null;
  #thread: Worker | null = null;
  #hasFailed = false;

  constructor(path: string, afterPages: number) {
    this.#path = path;
    this.#afterPages = afterPages;
  }

  /** After a commit. */
  consider(): void {
    if (this.#hasFailed || Atomics.load(this.#state, 0) !== CHECKPOINT_STATE.idle) return;
    if (this.logPages() < this.#afterPages) return;
    this.#thread ??= this.#start();
    Atomics.store(this.#state, 0, CHECKPOINT_STATE.wanted);
    Atomics.notify(this.#state, 0);
  }

  /** Pages in the log, also such as are copied already. */
  logPages(): number {
    this.#index ??= openSync(`${this.#path}-shm`, "r");
    readSync(this.#index, this.#pages, 0, this.#pages.byteLength, PAGES_AT_BYTE);
    return this.#pages[0] ?? 0;
  }

  /** Returns when the thread has closed its connection: whoever closes the last one leaves no log behind. */
  close(): void {
    if (this.#index !== null) closeSync(this.#index);
    this.#index = null;
    if (this.#thread === null || this.#hasFailed) return;
    const before = Atomics.exchange(this.#state, 0, CHECKPOINT_STATE.stop);
    Atomics.notify(this.#state, 0);
    if (before !== CHECKPOINT_STATE.stopped)
      Atomics.wait(this.#state, 0, CHECKPOINT_STATE.stop, MAX_CLOSING_MS);
    this.#thread = null;
  }

  #start(): Worker {
    const task: CheckpointTask = { path: this.#path, state: this.#state };
    const thread = new Worker(new URL("./checkpoint-thread.ts", import.meta.url), {
      workerData: task,
      resourceLimits: THREAD_LIMITS,
    });
    thread.once("error", (error: unknown) => {
      this.#hasFailed = true;
      const reason = error instanceof Error ? error.message : String(error);
      console.warn(
        `The thread that copies the log of ${this.#path} into the database ended (${reason}). ` +
          "Commits do that themselves from now on, which makes some of them slow; a restart brings it back.",
      );
    });
    thread.unref();
    return thread;
  }
}
