/**
 * Owns: walking a range of the SQLite table page by page.
 * Not: the order of keys, which is SQLite's order of blobs.
 */
import type { StatementSync } from "node:sqlite";
import { FIRST_RANGE_PAGE_PAIRS, MAX_RANGE_PAGE_PAIRS } from "../limits.ts";
import type { RangeCache } from "./range-cache.ts";
import type { Cursor, Key } from "./storage.ts";

/** What a walk needs of its store. `generation` moves with every change that makes open walks invalid. */
export type RangeSource = {
  readonly ascending: StatementSync;
  readonly descending: StatementSync;
  readonly cache: RangeCache;
  read<T>(body: () => T): T;
  /** What was stored as this value. */
  textOf(value: unknown): string;
  generation: number;
};

/** The value as it stands in the database: many are walked past without being read. */
type Pair = { readonly key: Key; readonly value: unknown };

export function openRange(source: RangeSource, lo: Key, hi: Key, order: "asc" | "desc"): Cursor {
  return new RangeCursor(source, lo, hi, order);
}

class RangeCursor implements Cursor {
  readonly #source: RangeSource;
  readonly #order: "asc" | "desc";
  readonly #generation: number;
  /** The part of the range that is not fetched yet. */
  #lo: Key;
  #hi: Key;
  #page: readonly Pair[] = [];
  #position = -1;
  #pagePairs = FIRST_RANGE_PAGE_PAIRS;
  #isLastPage = false;

  constructor(source: RangeSource, lo: Key, hi: Key, order: "asc" | "desc") {
    this.#source = source;
    this.#order = order;
    this.#generation = source.generation;
    this.#lo = lo;
    this.#hi = hi;
  }

  next(): boolean {
    if (this.#source.generation !== this.#generation) {
      throw new Error(
        "A cursor was used after the store changed; open a new one after each apply.",
      );
    }
    this.#position++;
    if (this.#position >= this.#page.length && !this.#isLastPage) this.#turnPage();
    return this.#position < this.#page.length;
  }

  get key(): Key {
    return this.#current().key;
  }

  get value(): string {
    return this.#source.textOf(this.#current().value);
  }

  #current(): Pair {
    const pair = this.#page[this.#position];
    if (pair === undefined) throw new Error("A cursor has a pair only after next() gave true.");
    return pair;
  }

  #turnPage(): void {
    const isFirst = this.#page.length === 0;
    const [lo, hi, order] = [this.#lo, this.#hi, this.#order];
    const { cache } = this.#source;
    const known = isFirst ? cache.find(lo, hi, order) : undefined;
    if (known !== undefined) {
      this.#page = known.map((key) => ({ key, value: "" }));
      this.#position = 0;
      this.#isLastPage = true;
      return;
    }
    this.#fetchPage();
    if (isFirst && this.#isLastPage && this.#page.every(({ value }) => value === ""))
      cache.keep(
        lo,
        hi,
        order,
        this.#page.map(({ key }) => key),
      );
  }

  #fetchPage(): void {
    const statement = this.#order === "asc" ? this.#source.ascending : this.#source.descending;
    const rows = this.#source.read(() =>
      statement.all(bytesOf(this.#lo), bytesOf(this.#hi), this.#pagePairs),
    );
    this.#page = rows.map(toPair);
    this.#position = 0;
    this.#isLastPage = rows.length < this.#pagePairs;
    this.#pagePairs = Math.min(this.#pagePairs * 2, MAX_RANGE_PAGE_PAIRS);
    const last = this.#page.at(-1);
    if (last === undefined) return;
    if (this.#order === "asc") this.#lo = justAfter(last.key);
    else this.#hi = last.key;
  }
}

/** The smallest key above `key`. */
function justAfter(key: Key): Key {
  return key + "\0";
}

/** Of a row that is an array: the key, the value. */
function toPair(row: Record<number, unknown>): Pair {
  const bytes = row[0];
  if (!(bytes instanceof Uint8Array)) throw new Error("A stored key is not a blob.");
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return { key, value: row[1] };
}

function bytesOf(key: Key): Buffer {
  return Buffer.from(key, "latin1");
}
