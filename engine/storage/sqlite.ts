/**
 * Owns: the store in one SQLite file: one table of pairs, one of pieces, group commit, a cache of hot values.
 * Not: the file's format and soundness (sqlite-file.ts), and who may open the folder (lock.ts).
 *
 * The first `apply` after a flush begins a transaction and `flush` commits it; reads go through the same connection,
 * so they see what is applied before it is durable. `sync` then waits for the disk while the next group gathers.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { StorageError } from "../errors.ts";
import { CHECKPOINT_AFTER_PAGES, STORAGE_CACHE_BYTES } from "../limits.ts";
import { Checkpoints } from "./checkpoints.ts";
import { RangeCache } from "./range-cache.ts";
import { openRange } from "./sqlite-range.ts";
import type { RangeSource } from "./sqlite-range.ts";
import { PieceReader, PieceWriter } from "./sqlite-pieces.ts";
import { openSnapshot } from "./sqlite-snapshot.ts";
import { ValueReader, ValueWriter } from "./packed-values.ts";
import { LogSync } from "./log-sync.ts";
import { damaged, isDamage, logOf, openDatabase, takesPackedValues } from "./sqlite-file.ts";
import type { Durability } from "./sqlite-file.ts";
import type { Cursor, Key, PieceWrite, Storage, StorageSnapshot, Write } from "./storage.ts";
import { ValueCache } from "./value-cache.ts";

export type { Durability } from "./sqlite-file.ts";

export type SqliteOptions = {
  readonly path: string;
  readonly durability: Durability;
  readonly cacheBytes?: number;
  /** Pages of the log after which it is copied into the database. */
  readonly checkpointAfterPages?: number;
};

/**
 * `reading`: SQLite reads one state until the next group begins, instead of locking and unlocking it for each look-up,
 * which takes longer than the look-up. Nobody else writes, so that state is always the current one.
 * `lost`: the group was rolled back (disk full, I/O error); only `discard` helps, since the engine's memory is ahead
 * of the store.
 */
type GroupState = "none" | "reading" | "open" | "lost";

export function openSqliteStorage(options: SqliteOptions): Storage {
  return new SqliteStorage(options);
}

class SqliteStorage implements Storage {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #cache: ValueCache;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #beginReading: StatementSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rangeCache = new RangeCache();
  readonly #ranges: RangeSource;
  readonly #reader: ValueReader;
  readonly #writer: ValueWriter | null;
  readonly #pieceReader: PieceReader;
  readonly #pieceWriter: PieceWriter;
  /** Null where only the death of the process must be survived. */
  readonly #log: LogSync | null;
  readonly #checkpoints: Checkpoints;
  #group: GroupState = "none";

  constructor(options: SqliteOptions) {
    const { path, durability, cacheBytes = STORAGE_CACHE_BYTES } = options;
    const { checkpointAfterPages = CHECKPOINT_AFTER_PAGES } = options;
    this.#path = path;
    this.#checkpoints = new Checkpoints(path, checkpointAfterPages);
    this.#database = openDatabase(path, durability);
    this.#log = durability === "power" ? new LogSync(logOf(path)) : null;
    this.#cache = new ValueCache(cacheBytes);
    this.#get = this.#database.prepare("SELECT value FROM pairs WHERE key = ?");
    this.#put = this.#database.prepare(
      "INSERT INTO pairs (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    );
    this.#remove = this.#database.prepare("DELETE FROM pairs WHERE key = ?");
    this.#beginReading = this.#database.prepare("BEGIN");
    this.#begin = this.#database.prepare("BEGIN IMMEDIATE");
    this.#commit = this.#database.prepare("COMMIT");
    const ascending = this.#database.prepare(
      "SELECT key, value FROM pairs WHERE key >= ? AND key < ? ORDER BY key LIMIT ?",
    );
    const descending = this.#database.prepare(
      "SELECT key, value FROM pairs WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT ?",
    );
    // An object for each row costs as much as the row.
    for (const read of [this.#get, ascending, descending]) read.setReturnArrays(true);
    this.#reader = new ValueReader(this.#database);
    this.#writer = takesPackedValues(this.#database) ? new ValueWriter(this.#database) : null;
    this.#pieceReader = new PieceReader(this.#database);
    this.#pieceWriter = new PieceWriter(this.#database);
    this.#ranges = {
      ascending,
      descending,
      cache: this.#rangeCache,
      read: (body) => this.#read(body),
      textOf: (value) => this.#attempt("read", () => this.#reader.text(value)),
      generation: 0,
    };
  }

  get(key: Key): string | undefined {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const row = this.#read(() => this.#get.get(toBytes(key)));
    if (row === undefined) return undefined;
    const value = this.#attempt("read", () => this.#reader.text(row[0]));
    this.#cache.set(key, value);
    return value;
  }

  range(lo: Key, hi: Key, order: "asc" | "desc"): Cursor {
    return openRange(this.#ranges, lo, hi, order);
  }

  piece(file: Key, number: number): Uint8Array | undefined {
    return this.#read(() => this.#pieceReader.get(file, number));
  }

  pieceNumbers(file: Key, limit: number): readonly number[] {
    return this.#read(() => this.#pieceWriter.numbers(file, limit));
  }

  apply(writes: readonly Write[], pieces: readonly PieceWrite[] = []): void {
    this.#ranges.generation++;
    if (this.#group === "lost") throw this.#groupLost();
    this.#attempt("written", () => {
      this.#endReading();
      if (this.#group === "none") this.#begin.run();
      this.#group = "open";
      try {
        this.#writeAll(writes);
        this.#pieceWriter.write(pieces);
      } catch (error) {
        this.#loseGroup();
        throw error;
      }
    });
  }

  #writeAll(writes: readonly Write[]): void {
    for (const [key, value] of writes) {
      this.#rangeCache.forget(key);
      if (value === null) {
        this.#remove.run(toBytes(key));
        this.#cache.delete(key);
      } else {
        this.#put.run(toBytes(key), this.#writer?.stored(key, value) ?? value);
        this.#cache.set(key, value);
      }
    }
  }

  /**
   * A savepoint for each `apply` would undo that one alone, and copy each page that it changes beforehand: half of what
   * is written. What fails here is a disk, and then the group cannot be made durable anyway.
   */
  #loseGroup(): void {
    this.#forgetCached();
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    this.#forgetDictionaries();
    this.#group = "lost";
  }

  flush(): void {
    if (this.#group === "lost") throw this.#groupLost();
    if (this.#group !== "open") return this.#assertOpen();
    this.#attempt("made durable", () => {
      try {
        this.#commit.run();
        this.#group = "none";
      } catch (error) {
        if (!this.#database.isTransaction) this.#group = "lost";
        throw error;
      }
      this.#checkpoints.consider();
    });
  }

  async sync(): Promise<void> {
    this.#assertOpen();
    try {
      await this.#log?.sync();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StorageError(
        "unsynced",
        `The disk did not take the log of ${this.#path}: ${reason}.`,
        error,
      );
    }
  }

  discard(): void {
    this.#assertOpen();
    this.#ranges.generation++;
    this.#forgetCached();
    if (this.#database.isTransaction)
      this.#attempt("undone", () => this.#database.exec("ROLLBACK"));
    this.#forgetDictionaries();
    this.#group = "none";
  }

  #forgetCached(): void {
    this.#cache.clear();
    this.#rangeCache.clear();
  }

  /** One that the group has made is gone with it, and its number may come again. */
  #forgetDictionaries(): void {
    this.#reader.forget();
    this.#writer?.forget();
  }

  snapshot(): StorageSnapshot {
    return this.#attempt("read", () => openSnapshot(this.#path));
  }

  close(): void {
    if (!this.#database.isOpen) return;
    this.#ranges.generation++;
    this.#forgetCached();
    this.#log?.close();
    this.#checkpoints.close();
    this.#endReading();
    this.#database.close();
  }

  #read<T>(body: () => T): T {
    return this.#attempt("read", () => {
      if (this.#group === "none") {
        this.#beginReading.run();
        this.#group = "reading";
      }
      return body();
    });
  }

  /** A group that began from a state that was read before could not begin the log anew. */
  #endReading(): void {
    if (this.#group !== "reading") return;
    this.#group = "none";
    this.#commit.run();
  }

  #attempt<T>(done: string, body: () => T): T {
    this.#assertOpen();
    try {
      return body();
    } catch (error) {
      if (error instanceof StorageError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (isDamage(error)) throw damaged(this.#path, reason, error);
      const code = done === "read" ? "unreadable" : "not-durable";
      throw new StorageError(
        code,
        `The database ${this.#path} could not be ${done}: ${reason}.`,
        error,
      );
    }
  }

  #assertOpen(): void {
    if (this.#database.isOpen) return;
    throw new StorageError("closed", `The database ${this.#path} is closed.`);
  }

  #groupLost(): StorageError {
    return new StorageError(
      "not-durable",
      `The database ${this.#path} has undone the writes since the last flush. Discard the group and run it again.`,
    );
  }
}

function toBytes(key: Key): Buffer {
  return Buffer.from(key, "latin1");
}
