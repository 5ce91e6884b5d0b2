/**
 * Owns: what a transaction has written so far, in order, and going back to an earlier state of it.
 * Not: what was there before (storage/), or merging the two (merged-cursor.ts).
 */
import type { Key, Write } from "../storage/storage.ts";
import { SortedKeys } from "./sorted-keys.ts";

/** Null removes the key. */
export type Pending = string | null;

/** A point to go back to. */
export type Savepoint = { readonly undoLength: number };

export class Overlay {
  /** Undefined: written once, but that was rolled back. The key then stays in `#order`. */
  readonly #pending = new Map<Key, Pending | undefined>();
  readonly #order = new SortedKeys();
  readonly #undo: { readonly key: Key; readonly before: Pending | undefined }[] = [];

  /** Undefined when the transaction has not written the key. */
  get(key: Key): Pending | undefined {
    return this.#pending.get(key);
  }

  put(key: Key, value: Pending): void {
    if (!this.#pending.has(key)) this.#order.add(key);
    this.#undo.push({ key, before: this.#pending.get(key) });
    this.#pending.set(key, value);
  }

  /** As if the key had never been written. At the end of a transaction only: no savepoint leads back behind it. */
  withdraw(key: Key): void {
    if (this.#pending.has(key)) this.#pending.set(key, undefined);
  }

  savepoint(): Savepoint {
    return { undoLength: this.#undo.length };
  }

  rollback({ undoLength }: Savepoint): void {
    while (this.#undo.length > undoLength) {
      const step = this.#undo.pop();
      if (step) this.#pending.set(step.key, step.before);
    }
  }

  get isEmpty(): boolean {
    return this.#undo.length === 0;
  }

  /** The first written key in [lo, hi). */
  firstIn(lo: Key, hi: Key): Key | undefined {
    let key = this.#order.atOrAfter(lo);
    while (key !== undefined && key < hi && this.#pending.get(key) === undefined) {
      key = this.#order.atOrAfter(key + "\x00");
    }
    return key !== undefined && key < hi ? key : undefined;
  }

  /** The last written key in [lo, hi). */
  lastIn(lo: Key, hi: Key): Key | undefined {
    let key = this.#order.before(hi);
    while (key !== undefined && key >= lo && this.#pending.get(key) === undefined) {
      key = this.#order.before(key);
    }
    return key !== undefined && key >= lo ? key : undefined;
  }

  /** Ascending. */
  writes(): Write[] {
    const writes: Write[] = [];
    for (const key of this.#order) {
      const value = this.#pending.get(key);
      if (value !== undefined) writes.push([key, value]);
    }
    return writes;
  }
}
