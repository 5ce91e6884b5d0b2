/**
 * Owns: one unit of reading and writing over the store: its snapshot, its writes, what it read, what it used.
 * Not: documents and indexes (catalog/), running user code (functions/), making it last (commits.ts).
 */
import type { Cursor, Key, PieceWrite, Storage, Write } from "../storage/storage.ts";
import { justAfter } from "./key-space.ts";
import { MergedCursor } from "./merged-cursor.ts";
import type { Order } from "./merged-cursor.ts";
import { Overlay } from "./overlay.ts";
import type { Savepoint as WrittenBefore } from "./overlay.ts";
import { ReadSet } from "./read-set.ts";
import { Usage } from "./usage.ts";

export type TransactionStart = {
  /** Epoch ms; what Date.now() says inside. */
  readonly now: number;
  /** Epoch nanoseconds of the last commit that is visible. */
  readonly snapshotTs: bigint;
};

/** A point to go back to. */
export type Savepoint = { readonly written: WrittenBefore; readonly pieceCount: number };

export class Transaction {
  readonly now: number;
  readonly snapshotTs: bigint;
  readonly reads = new ReadSet();
  readonly usage: Usage;
  readonly #storage: Storage;
  readonly #overlay = new Overlay();
  readonly #pieces: PieceWrite[] = [];
  readonly #touched = new Set<Key>();
  readonly #finishers: ((commitTs: bigint) => void)[] = [];

  constructor(storage: Storage, { now, snapshotTs }: TransactionStart, usage = new Usage()) {
    this.#storage = storage;
    this.usage = usage;
    this.now = now;
    this.snapshotTs = snapshotTs;
  }

  /** The same snapshot without this transaction's writes. It counts on the same limits but records its own reads. */
  base(): Transaction {
    return new Transaction(this.#storage, this, this.usage);
  }

  /** Without recording it as read. */
  peek(key: Key): string | undefined {
    const pending = this.#overlay.get(key);
    if (pending !== undefined) return pending ?? undefined;
    return this.#storage.get(key);
  }

  read(key: Key): string | undefined {
    this.reads.add(key, justAfter(key));
    return this.peek(key);
  }

  /** Pairs in [lo, hi); the caller records in `reads` how far it went. */
  range(lo: Key, hi: Key, order: Order): Cursor {
    return new MergedCursor(this.#storage, this.#overlay, lo, hi, order);
  }

  put(key: Key, value: string | null): void {
    this.#overlay.put(key, value);
  }

  /** Takes back what this transaction has put there; the key must not be in the store. Not to be rolled back. */
  withdraw(key: Key): void {
    this.#overlay.withdraw(key);
  }

  /** Readers of this key must hear of the commit, though what stands there stays the same. */
  touch(key: Key): void {
    this.#touched.add(key);
  }

  /** Pieces of files are held until the commit; null removes. */
  putPiece(file: Key, number: number, bytes: Uint8Array | null): void {
    this.#pieces.push([file, number, bytes]);
  }

  piece(file: Key, number: number): Uint8Array | undefined {
    const held = this.#pieces.findLast((piece) => piece[0] === file && piece[1] === number);
    return held === undefined ? this.#storage.piece(file, number) : (held[2] ?? undefined);
  }

  /** The file's pieces come with this transaction. */
  holdsFile(file: Key): boolean {
    return this.#pieces.some(([holder]) => holder === file);
  }

  pieceNumbers(file: Key, limit: number): readonly number[] {
    return this.#storage.pieceNumbers(file, limit);
  }

  savepoint(): Savepoint {
    return { written: this.#overlay.savepoint(), pieceCount: this.#pieces.length };
  }

  rollback({ written, pieceCount }: Savepoint): void {
    this.#overlay.rollback(written);
    this.#pieces.length = pieceCount;
  }

  /** Called when the commit's timestamp is known; may still write. */
  onCommit(finish: (commitTs: bigint) => void): void {
    this.#finishers.push(finish);
  }

  get hasWrites(): boolean {
    return !this.#overlay.isEmpty || this.#pieces.length > 0;
  }

  finish(commitTs: bigint): Write[] {
    for (const finish of this.#finishers) finish(commitTs);
    return this.#overlay.writes();
  }

  get pieces(): readonly PieceWrite[] {
    return this.#pieces;
  }

  /** Every key whose readers must hear of the commit. */
  writtenKeys(): Key[] {
    const keys = new Set(this.#touched);
    for (const [key] of this.#overlay.writes()) keys.add(key);
    return [...keys].sort();
  }
}
