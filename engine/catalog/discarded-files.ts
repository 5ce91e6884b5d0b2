/**
 * Owns: removing the bytes of files that no row stands for: deleted ones, and uploads that were never finished.
 * They are remembered in the store until they are gone, so a crash leaves nothing behind for ever.
 * Not: which row stands for which file (stored-files.ts).
 */
import type { Key } from "../storage/storage.ts";
import type { Commits } from "../transactions/commits.ts";
import type { Executor } from "../transactions/executor.ts";
import { DISCARDED_FILES, endOf } from "../transactions/key-space.ts";

/** A few milliseconds of work, so that others hardly wait. */
const REMOVED_PIECES_PER_BATCH = 8;

export class DiscardedFiles {
  readonly #commits: Commits;
  readonly #executor: Executor;
  readonly #onProblem: (error: unknown) => void;
  /** Uploads that are under way. */
  readonly #held = new Set<Key>();
  #isRemoving = false;
  #isStopped = false;

  constructor(commits: Commits, executor: Executor, onProblem: (error: unknown) => void) {
    this.#commits = commits;
    this.#executor = executor;
    this.#onProblem = onProblem;
    commits.onCommit((writtenKeys, transaction) => {
      const isDiscarded = writtenKeys.some(
        (key) => key.startsWith(DISCARDED_FILES) && transaction.peek(key) !== undefined,
      );
      if (isDiscarded) this.removeSoon();
    });
  }

  /** Until it is released, the file is not removed though no row stands for it. */
  hold(file: Key): () => void {
    this.#held.add(file);
    return () => {
      this.#held.delete(file);
      this.removeSoon();
    };
  }

  /** At start, and whenever there is something. */
  removeSoon(): void {
    if (this.#isRemoving || this.#isStopped) return;
    this.#isRemoving = true;
    this.#removeAll().catch((error: unknown) => {
      this.#isRemoving = false;
      if (!this.#isStopped) this.#onProblem(error);
    });
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #removeAll(): Promise<void> {
    while (this.#isRemoving) {
      await this.#executor.run(() => {
        // Told within the job: whatever is discarded after it begins the removal anew.
        this.#isRemoving = !this.#isStopped && this.#removeBatch();
      });
    }
  }

  /** False when there is nothing left to remove. */
  #removeBatch(): boolean {
    const transaction = this.#commits.begin();
    const found = transaction.range(DISCARDED_FILES, endOf(DISCARDED_FILES), "asc");
    while (found.next()) {
      const { key } = found;
      const file = key.slice(DISCARDED_FILES.length);
      if (this.#held.has(file)) continue;
      const numbers = transaction.pieceNumbers(file, REMOVED_PIECES_PER_BATCH);
      for (const number of numbers) transaction.putPiece(file, number, null);
      if (numbers.length < REMOVED_PIECES_PER_BATCH) transaction.put(key, null);
      this.#commits.commit(transaction);
      return true;
    }
    return false;
  }
}
