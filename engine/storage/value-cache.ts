/**
 * Owns: which values are kept in memory: the last used ones, up to a bound in bytes.
 * Not: whether they are current; the store writes through.
 */
import type { Key } from "./storage.ts";

/** JavaScript holds at most two bytes a character; entry and map slots are rounded up. */
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_ENTRY = 100;

export class ValueCache {
  /** Least recently used first: a Map keeps the order of insertion. */
  readonly #values = new Map<Key, string>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: Key): string | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: Key, value: string): void {
    this.delete(key);
    const bytes = sizeOfEntry(key, value);
    if (bytes > this.#maxBytes) return;
    this.#values.set(key, value);
    this.#bytes += bytes;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#bytes -= sizeOfEntry(key, value);
  }

  clear(): void {
    this.#values.clear();
    this.#bytes = 0;
  }

  get bytes(): number {
    return this.#bytes;
  }
}

function sizeOfEntry(key: Key, value: string): number {
  return BYTES_PER_ENTRY + BYTES_PER_CHARACTER * (key.length + value.length);
}
