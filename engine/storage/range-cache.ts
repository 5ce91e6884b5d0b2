/**
 * Owns: what was found in short ranges whose neighbourhood nobody writes to: the settings that every call looks up.
 * Not: the values there (value-cache.ts).
 *
 * A neighbourhood is all keys with the same first bytes: one index of one table. A write there forgets every range of
 * it, so an index that is written all the time costs one look-up a write and is never answered from here.
 */
import type { Key } from "./storage.ts";

/** The byte that says what a key belongs to, and the number of an index or table. */
const NEIGHBOURHOOD_BYTES = 5;
/** When there are more, all go: the hot ones are back with their next use. */
export const MAX_CACHED_RANGES = 2_000;

type Order = "asc" | "desc";

export class RangeCache {
  readonly #neighbourhoods = new Map<Key, Map<string, readonly Key[]>>();
  #ranges = 0;

  /** All keys of [lo, hi) in this order; undefined where that is not known. */
  find(lo: Key, hi: Key, order: Order): readonly Key[] | undefined {
    return this.#neighbourhoods.get(neighbourhoodOf(lo))?.get(nameOf(lo, hi, order));
  }

  /** These are all keys of [lo, hi), and their values are empty. */
  keep(lo: Key, hi: Key, order: Order, keys: readonly Key[]): void {
    const neighbourhood = neighbourhoodOf(lo);
    if (lo.length < NEIGHBOURHOOD_BYTES || neighbourhoodOf(hi) !== neighbourhood) return;
    if (this.#ranges >= MAX_CACHED_RANGES) this.clear();
    const ranges = this.#neighbourhoods.get(neighbourhood) ?? new Map<string, readonly Key[]>();
    this.#neighbourhoods.set(neighbourhood, ranges);
    ranges.set(nameOf(lo, hi, order), keys);
    this.#ranges += 1;
  }

  /** The key was written or removed. */
  forget(key: Key): void {
    const neighbourhood = neighbourhoodOf(key);
    const ranges = this.#neighbourhoods.get(neighbourhood);
    if (ranges === undefined) return;
    this.#neighbourhoods.delete(neighbourhood);
    this.#ranges -= ranges.size;
  }

  clear(): void {
    this.#neighbourhoods.clear();
    this.#ranges = 0;
  }
}

function neighbourhoodOf(key: Key): Key {
  return key.slice(0, NEIGHBOURHOOD_BYTES);
}

/** No two ranges have the same, whatever bytes they begin and end with. */
function nameOf(lo: Key, hi: Key, order: Order): string {
  return `${order}${lo.length}:${lo}${hi}`;
}
