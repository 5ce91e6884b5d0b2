/**
 * Owns: the ordered map in memory, for tests and for throw-away engines. A flush is only a mark that `discard` returns to.
 * Not: durability: what it holds is gone with the process.
 */
import { StorageError } from "../errors.ts";
import { MemoryPieces } from "./memory-pieces.ts";
import type { Cursor, Key, PieceWrite, Storage, StorageSnapshot, Write } from "./storage.ts";

export function createMemoryStorage(): Storage {
  return new MemoryStorage();
}

class MemoryStorage implements Storage {
  readonly #values = new Map<Key, string>();
  /** The keys of `#values`, ascending. */
  readonly #keys: Key[] = [];
  /** What each key that changed since the last flush held then. */
  readonly #flushed = new Map<Key, string | undefined>();
  #pieces = new MemoryPieces();
  #generation = 0;
  #isClosed = false;

  get(key: Key): string | undefined {
    this.#assertOpen();
    return this.#values.get(key);
  }

  range(lo: Key, hi: Key, order: "asc" | "desc"): Cursor {
    this.#assertOpen();
    const first = this.#positionOf(lo);
    const end = Math.max(first, this.#positionOf(hi));
    const generation = this.#generation;
    return new MemoryCursor(first, end, order, (position) => {
      if (this.#generation !== generation) {
        throw new Error(
          "A cursor was used after the store changed; open a new one after each apply.",
        );
      }
      const key = this.#keys[position] ?? "";
      return { key, value: this.#values.get(key) ?? "" };
    });
  }

  piece(file: Key, number: number): Uint8Array | undefined {
    this.#assertOpen();
    return this.#pieces.get(file, number);
  }

  pieceNumbers(file: Key, limit: number): readonly number[] {
    this.#assertOpen();
    return this.#pieces.numbers(file, limit);
  }

  apply(writes: readonly Write[], pieces: readonly PieceWrite[] = []): void {
    this.#assertOpen();
    this.#generation++;
    this.#pieces.write(pieces);
    for (const [key, value] of writes) {
      if (!this.#flushed.has(key)) this.#flushed.set(key, this.#values.get(key));
      this.#write(key, value ?? undefined);
    }
  }

  flush(): void {
    this.#assertOpen();
    this.#flushed.clear();
    this.#pieces.flush();
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  discard(): void {
    this.#assertOpen();
    this.#generation++;
    for (const [key, value] of this.#flushed) this.#write(key, value);
    this.#flushed.clear();
    this.#pieces.discard();
  }

  snapshot(): StorageSnapshot {
    this.#assertOpen();
    const flushed = new MemoryStorage();
    for (const [key, value] of this.#values) flushed.#values.set(key, value);
    flushed.#keys.push(...this.#keys);
    for (const [key, value] of this.#flushed) flushed.#write(key, value);
    flushed.#pieces = this.#pieces.flushed();
    return {
      get: (key) => flushed.get(key),
      page: (lo, hi, limit) => flushed.#pairs(lo, hi).slice(0, limit),
      count: (lo, hi) => flushed.#pairs(lo, hi).length,
      piece: (file, number) => flushed.piece(file, number),
      close: () => flushed.close(),
    };
  }

  #pairs(lo: Key, hi: Key): (readonly [Key, string])[] {
    this.#assertOpen();
    const keys = this.#keys.slice(this.#positionOf(lo), this.#positionOf(hi));
    return keys.map((key) => [key, this.#values.get(key) ?? ""]);
  }

  close(): void {
    this.#generation++;
    this.#isClosed = true;
  }

  #write(key: Key, value: string | undefined): void {
    const position = this.#positionOf(key);
    const isKnown = this.#keys[position] === key;
    if (value === undefined) {
      if (isKnown) this.#keys.splice(position, 1);
      this.#values.delete(key);
    } else {
      if (!isKnown) this.#keys.splice(position, 0, key);
      this.#values.set(key, value);
    }
  }

  /** Of the first key that is not below `key`. */
  #positionOf(key: Key): number {
    let lo = 0;
    let hi = this.#keys.length;
    while (lo < hi) {
      const middle = (lo + hi) >>> 1;
      if ((this.#keys[middle] ?? "") < key) lo = middle + 1;
      else hi = middle;
    }
    return lo;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StorageError("closed", "The store in memory is closed.");
  }
}

type Pair = { readonly key: Key; readonly value: string };

class MemoryCursor implements Cursor {
  readonly #end: number;
  readonly #step: 1 | -1;
  readonly #pairAt: (position: number) => Pair;
  #position: number;
  #pair: Pair | undefined;

  constructor(
    first: number,
    end: number,
    order: "asc" | "desc",
    pairAt: (position: number) => Pair,
  ) {
    this.#pairAt = pairAt;
    this.#step = order === "asc" ? 1 : -1;
    this.#position = order === "asc" ? first : end - 1;
    this.#end = order === "asc" ? end : first - 1;
  }

  next(): boolean {
    if (this.#position === this.#end) {
      this.#pair = undefined;
      return false;
    }
    this.#pair = this.#pairAt(this.#position);
    this.#position += this.#step;
    return true;
  }

  get key(): Key {
    return this.#current().key;
  }

  get value(): string {
    return this.#current().value;
  }

  #current(): Pair {
    if (!this.#pair) throw new Error("A cursor has a pair only after next() gave true.");
    return this.#pair;
  }
}
