/**
 * Owns: which key ranges a transaction has read, so that later commits can be held against them.
 * Not: which of those commits matter to whom (subscriptions/).
 */
import type { Key } from "../storage/storage.ts";

/** [lo, hi). */
export type KeyRange = readonly [lo: Key, hi: Key];

export class ReadSet {
  readonly #ranges: KeyRange[] = [];

  add(lo: Key, hi: Key): void {
    if (lo < hi) this.#ranges.push([lo, hi]);
  }

  /** Disjoint and ascending. */
  merged(): readonly KeyRange[] {
    const sorted = [...this.#ranges].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    const merged: KeyRange[] = [];
    for (const range of sorted) {
      const last = merged.at(-1);
      if (last === undefined || range[0] > last[1]) merged.push(range);
      else if (range[1] > last[1]) merged[merged.length - 1] = [last[0], range[1]];
    }
    return merged;
  }
}
