/**
 * Owns: what the engine needs of a store: an ordered map with group durability.
 * Not: documents, indexes, transactions. One compliance suite (storage.compliance.helpers.ts) runs on every implementation.
 *
 * Keys are byte strings: each UTF-16 unit holds one byte (0..255), so `<` on strings is the byte order.
 * Values are JSON text.
 */
export type Key = string;
export type Write = readonly [key: Key, value: string | null];
/** A part of a file: bytes that are no text, found by the file's key and the part's number alone. Null removes. */
export type PieceWrite = readonly [file: Key, number: number, bytes: Uint8Array | null];

/** A lazily filled walk over a range. Valid until the next `apply`, `discard` or `close`. */
export interface Cursor {
  /** False at the end. After true, `key` and `value` hold the current pair. */
  next(): boolean;
  readonly key: Key;
  readonly value: string;
}

export interface Storage {
  get(key: Key): string | undefined;
  /** Pairs in [lo, hi), ascending or descending. */
  range(lo: Key, hi: Key, order: "asc" | "desc"): Cursor;
  /** All or none. Visible to reads at once; kept only by the next `flush`. Null removes. When it throws, the whole group since the last flush is lost, and stays so until it is discarded. */
  apply(writes: readonly Write[], pieces?: readonly PieceWrite[]): void;
  /** Visible as soon as it is applied. Never kept in memory. */
  piece(file: Key, number: number): Uint8Array | undefined;
  /** Of the file's pieces, the first ones, ascending. */
  pieceNumbers(file: Key, limit: number): readonly number[];
  /** Keeps everything applied so far as one atomic group, which from then on survives the death of the process. Throws StorageError (errors.ts); the group can then be flushed again or discarded. */
  flush(): void;
  /**
   * Resolves when what was flushed survives a loss of power, too; others may apply meanwhile, and must not flush. A
   * rejection (StorageError "unsynced") cannot be undone: whether the group is on the disk is not known.
   */
  sync(): Promise<void>;
  /** Forgets everything applied since the last successful flush. */
  discard(): void;
  /** All pairs as of the last flush, for as long as it is open, while writing goes on. Close it: it keeps old pages alive. */
  snapshot(): StorageSnapshot;
  close(): void;
}

/** Read by pages that are small enough to do something else between two of them. */
export interface StorageSnapshot {
  get(key: Key): string | undefined;
  /** At most `limit` pairs of [lo, hi), ascending. */
  page(lo: Key, hi: Key, limit: number): readonly (readonly [key: Key, value: string])[];
  piece(file: Key, number: number): Uint8Array | undefined;
  /** How many pairs lie in [lo, hi). */
  count(lo: Key, hi: Key): number;
  /** May be called twice. */
  close(): void;
}
