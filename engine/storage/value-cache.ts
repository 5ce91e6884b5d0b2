/**
 * Owns: which values are kept in memory: those of the last uses, up to a bound in bytes.
 * Not: whether they are current; the store writes through.
 *
 * Two generations instead of a list in order of use: a hit costs one look-up, and nothing is moved. When the young one
 * is half full it becomes the old one, and what was not used since then goes.
 */
import type { Key } from "./storage.ts";

/** JavaScript holds at most two bytes a character; entry and map slots are rounded up. */
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_ENTRY = 100;

type Generation = { readonly values: Map<Key, string>; bytes: number };

export class ValueCache {
  readonly #maxBytesOfOne: number;
  #young: Generation = { values: new Map(), bytes: 0 };
  #old: Generation = { values: new Map(), bytes: 0 };

  constructor(maxBytes: number) {
    this.#maxBytesOfOne = Math.floor(maxBytes / 2);
  }

  get(key: Key): string | undefined {
    const value = this.#young.values.get(key);
    if (value !== undefined) return value;
    const older = this.#old.values.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  /** An empty value is not kept: it is a row of an index, which is only walked past. */
  set(key: Key, value: string): void {
    this.delete(key);
    if (value === "") return;
    const bytes = sizeOfEntry(key, value);
    if (bytes > this.#maxBytesOfOne) return;
    if (this.#young.bytes + bytes > this.#maxBytesOfOne) {
      this.#old = this.#young;
      this.#young = { values: new Map(), bytes: 0 };
    }
    this.#young.values.set(key, value);
    this.#young.bytes += bytes;
  }

  delete(key: Key): void {
    remove(this.#young, key);
    remove(this.#old, key);
  }

  clear(): void {
    this.#young = { values: new Map(), bytes: 0 };
    this.#old = { values: new Map(), bytes: 0 };
  }

  get bytes(): number {
    return this.#young.bytes + this.#old.bytes;
  }
}

function remove(generation: Generation, key: Key): void {
  const value = generation.values.get(key);
  if (value === undefined) return;
  generation.values.delete(key);
  generation.bytes -= sizeOfEntry(key, value);
}

function sizeOfEntry(key: Key, value: string): number {
  return BYTES_PER_ENTRY + BYTES_PER_CHARACTER * (key.length + value.length);
}
