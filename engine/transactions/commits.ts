/**
 * Owns: the order and timestamps of commits, and making them durable in groups.
 * Not: which results become stale (subscriptions/); it only tells which keys were written.
 *
 * A commit is visible to the next transaction at once and acknowledged when its group is on the disk. One group is on
 * its way there while the next one gathers. When a flush fails, the group never happened: its waiters hear the error,
 * the store goes back, and listeners reset what they remember. When the disk fails after that, nobody can tell whether
 * the group happened, and no further transaction begins.
 */
import { NS_PER_MS, type Clock } from "../clock.ts";
import { StorageError } from "../errors.ts";
import type { Key, PieceWrite, Storage, Write } from "../storage/storage.ts";
import type { Executor } from "./executor.ts";
import { COMMIT_TS_KEY } from "./key-space.ts";
import { Transaction } from "./transaction.ts";
import type { Usage } from "./usage.ts";

/** A flush costs about the same for one commit and for hundreds; beyond this the first ones wait too long. */
const MAX_GROUP_COMMITS = 256;
/** How long a commit waits for company while others keep coming: at least this on a quick disk. */
const MIN_GROUP_AGE_MS = 25;
/** When writing the log is slow, a group gathers for four times that long, so that transactions keep most of the machine. */
const AGE_PER_FLUSH_COST = 4;
const MAX_GROUP_AGE_MS = 50;

type Group = {
  readonly startedAt: number;
  readonly settled: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: StorageError) => void;
  size: number;
};

type CommitListener = (writtenKeys: readonly Key[], transaction: Transaction) => void;

export class Commits {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #executor: Executor;
  readonly #onCommit = new Set<CommitListener>();
  readonly #onLost: (() => void)[] = [];
  #lastTs: bigint;
  /** Never behind a timestamp that was given out, also when its commit was lost. */
  #highestTs: bigint;
  /** Gathers commits. */
  #group: Group | null = null;
  /** Flushed, and on its way to the disk; the next one is flushed when it is there. */
  #syncing: Group | null = null;
  #groupAgeMs = MIN_GROUP_AGE_MS;
  #isFlushPlanned = false;
  /** Of `runDurably`: what stands behind the job that runs. */
  #waiting = 0;
  #losses = 0;
  #broken: StorageError | null = null;

  constructor(storage: Storage, clock: Clock, executor: Executor) {
    this.#storage = storage;
    this.#clock = clock;
    this.#executor = executor;
    this.#lastTs = this.#storedTs();
    this.#highestTs = this.#lastTs;
    executor.onAfterEach(() => this.#flushWhenDue());
  }

  /** Epoch nanoseconds of the last commit. */
  get lastTs(): bigint {
    return this.#lastTs;
  }

  /** Grows whenever commits that others may have seen are lost. */
  get losses(): number {
    return this.#losses;
  }

  /** Only inside of a job of the executor. */
  begin(usage?: Usage): Transaction {
    if (this.#broken !== null) throw this.#broken;
    const lastMs = Number((this.#lastTs + NS_PER_MS - 1n) / NS_PER_MS);
    const start = { now: Math.max(this.#clock.now(), lastMs), snapshotTs: this.#lastTs };
    return new Transaction(this.#storage, start, usage);
  }

  /**
   * Runs `work` alone and settles as it does, when all that it may have seen is durable; rejects with a StorageError
   * when that was lost. Which group to wait for is decided before the next job begins.
   */
  async runDurably<T>(work: () => T | Promise<T>): Promise<T> {
    this.#waiting += 1;
    const { result, durable } = await this.#executor.run(async () => {
      this.#waiting -= 1;
      const [outcome] = await Promise.allSettled([Promise.resolve().then(work)]);
      return { result: outcome, durable: this.durable() };
    });
    await durable;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }

  /** A transaction of the engine's own. Resolves with what `work` returned when that is durable. */
  transact<T>(work: (transaction: Transaction) => T): Promise<T> {
    return this.runDurably(() => {
      const transaction = this.begin();
      const result = work(transaction);
      this.commit(transaction);
      return result;
    });
  }

  /** Applies what was written; durable once `durable()` resolves. Returns the commit's timestamp, or the last one. */
  commit(transaction: Transaction): bigint {
    if (!transaction.hasWrites) return this.#lastTs;
    const commitTs = this.#nextTs();
    const writes = transaction.finish(commitTs);
    this.#apply(writes, transaction.pieces);
    this.#lastTs = commitTs;
    this.#highestTs = commitTs;
    this.#group ??= this.#openGroup();
    this.#group.size++;
    const writtenKeys = transaction.writtenKeys();
    for (const listener of this.#onCommit) listener(writtenKeys, transaction);
    return commitTs;
  }

  /** Of a file, outside of any transaction: pieces never change, they only go away. */
  piece(file: Key, number: number): Uint8Array | undefined {
    return this.#storage.piece(file, number);
  }

  /** Resolves when everything committed so far is durable; rejects with a StorageError when it was lost. */
  durable(): Promise<void> {
    if (this.#broken?.code === "unsynced") return Promise.reject(this.#broken);
    return (this.#group ?? this.#syncing)?.settled ?? Promise.resolve();
  }

  /** Heard within the job of the commit, before the next transaction begins. Returns how to stop. */
  onCommit(listener: CommitListener): () => void {
    this.#onCommit.add(listener);
    return () => this.#onCommit.delete(listener);
  }

  /** Commits that others may have seen were lost: forget everything that was derived from them. */
  onLost(listener: () => void): void {
    this.#onLost.push(listener);
  }

  /** A batch that is refused leaves the store as it was, but memory may be ahead of it. */
  #apply(writes: readonly Write[], pieces: readonly PieceWrite[]): void {
    try {
      this.#storage.apply(writes, pieces);
    } catch (error) {
      this.#tellLoss();
      throw error;
    }
  }

  #nextTs(): bigint {
    const now = BigInt(Math.trunc(this.#clock.now())) * NS_PER_MS;
    return now > this.#highestTs ? now : this.#highestTs + 1n;
  }

  #storedTs(): bigint {
    return BigInt(this.#storage.get(COMMIT_TS_KEY) ?? "0");
  }

  #openGroup(): Group {
    let resolve = (): void => {};
    let reject = (_error: StorageError): void => {};
    const settled = new Promise<void>((onResolve, onReject) => {
      resolve = onResolve;
      reject = onReject;
    });
    settled.catch(() => undefined);
    return { startedAt: performance.now(), settled, resolve, reject, size: 0 };
  }

  /**
   * A full or old group at once; otherwise when what has arrived meanwhile has joined it, and nobody more waits who could:
   * each flush writes the pages that its commits share once. Work in the background, as filling an index, is not waited for.
   */
  #flushWhenDue(): void {
    if (this.#group === null || this.#syncing !== null) return;
    const isDue =
      this.#group.size >= MAX_GROUP_COMMITS ||
      performance.now() - this.#group.startedAt >= this.#groupAgeMs;
    if (isDue) this.#flush();
    else this.#planFlush();
  }

  #planFlush(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    setImmediate(() => {
      this.#isFlushPlanned = false;
      void this.#executor.run(() => {
        if (this.#waiting === 0) this.#flush();
      });
    });
  }

  #flush(): void {
    const group = this.#group;
    if (group === null || this.#syncing !== null) return;
    this.#group = null;
    // A disk that failed once may say yes to what it has dropped.
    if (this.#broken !== null) return group.reject(this.#broken);
    const startedAt = performance.now();
    try {
      this.#storage.apply([[COMMIT_TS_KEY, String(this.#lastTs)]]);
      this.#storage.flush();
      void this.#bringToDisk(group);
    } catch (cause) {
      this.#undo();
      group.reject(
        new StorageError(
          "not-durable",
          `${group.size} commits could not be written to disk and were undone; none of them happened. ` +
            "Free disk space or check the disk, then send them again.",
          cause,
        ),
      );
    }
    const gatherMs = (performance.now() - startedAt) * AGE_PER_FLUSH_COST;
    this.#groupAgeMs = Math.min(MAX_GROUP_AGE_MS, Math.max(MIN_GROUP_AGE_MS, gatherMs));
  }

  async #bringToDisk(group: Group): Promise<void> {
    this.#syncing = group;
    try {
      await this.#storage.sync();
      this.#syncing = null;
      group.resolve();
      if (this.#group !== null) this.#planFlush();
    } catch (cause) {
      this.#giveUp(group, cause);
    }
  }

  /** The disk did not answer for a group that cannot be undone any more. */
  #giveUp(group: Group, cause: unknown): void {
    this.#broken = new StorageError(
      "unsynced",
      `The disk failed while ${group.size} commits were on their way to it; whether they are there shows after a restart. ` +
        "Check the disk, then start again.",
      cause,
    );
    this.#syncing = null;
    group.reject(this.#broken);
    this.#group?.reject(this.#broken);
    this.#group = null;
  }

  /** Should even this fail, then nobody knows what the store holds: no further transaction begins. */
  #undo(): void {
    try {
      this.#storage.discard();
      this.#lastTs = this.#storedTs();
      this.#tellLoss();
    } catch (cause) {
      this.#broken = new StorageError(
        "unreadable",
        "The database failed and could not be brought back to its last good state. Check the disk, then start again.",
        cause,
      );
    }
  }

  #tellLoss(): void {
    this.#losses++;
    for (const listener of this.#onLost) listener();
  }
}
