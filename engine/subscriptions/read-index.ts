/**
 * Owns: from a written key to the readers whose ranges it falls into.
 * Not: what is done about them (live-queries.ts).
 *
 * Ranges are grouped by the table or index that they lie in, so a write is only held against readers of the same one;
 * within it, single keys are looked up and longer ranges are compared one by one.
 */
import type { Key } from "../storage/storage.ts";
import { justAfter } from "../transactions/key-space.ts";
import type { KeyRange } from "../transactions/read-set.ts";

/** The first byte and the four bytes of a table's or index's id. */
const GROUP_LENGTH = 5;

type Group<Reader> = {
  readonly points: Map<Key, Set<Reader>>;
  readonly ranges: Map<Reader, KeyRange[]>;
};

export class ReadIndex<Reader> {
  readonly #groups = new Map<string, Group<Reader>>();
  readonly #rangesOf = new Map<Reader, readonly KeyRange[]>();

  /** What the reader read before is forgotten. */
  set(reader: Reader, ranges: readonly KeyRange[]): void {
    this.delete(reader);
    this.#rangesOf.set(reader, ranges);
    for (const range of ranges) this.#add(reader, range);
  }

  delete(reader: Reader): void {
    for (const [lo, hi] of this.#rangesOf.get(reader) ?? []) {
      const name = groupOf(lo, hi);
      const group = this.#groups.get(name);
      if (group === undefined) continue;
      group.ranges.delete(reader);
      const readers = group.points.get(lo);
      readers?.delete(reader);
      if (readers?.size === 0) group.points.delete(lo);
      if (group.points.size === 0 && group.ranges.size === 0) this.#groups.delete(name);
    }
    this.#rangesOf.delete(reader);
  }

  readersOf(writtenKeys: readonly Key[]): Set<Reader> {
    const found = new Set<Reader>();
    if (this.#groups.size === 0) return found;
    for (const key of writtenKeys) {
      this.#collect(this.#groups.get(key.slice(0, GROUP_LENGTH)), key, found);
      this.#collect(this.#groups.get(ACROSS), key, found);
    }
    return found;
  }

  #add(reader: Reader, range: KeyRange): void {
    const [lo, hi] = range;
    const name = groupOf(lo, hi);
    const group: Group<Reader> = this.#groups.get(name) ?? { points: new Map(), ranges: new Map() };
    this.#groups.set(name, group);
    if (hi === justAfter(lo)) {
      const readers = group.points.get(lo) ?? new Set<Reader>();
      group.points.set(lo, readers.add(reader));
    } else {
      const ranges = group.ranges.get(reader) ?? [];
      ranges.push(range);
      group.ranges.set(reader, ranges);
    }
  }

  #collect(group: Group<Reader> | undefined, key: Key, found: Set<Reader>): void {
    if (group === undefined) return;
    for (const reader of group.points.get(key) ?? []) found.add(reader);
    for (const [reader, ranges] of group.ranges) {
      if (!found.has(reader) && ranges.some(([lo, hi]) => lo <= key && key < hi)) found.add(reader);
    }
  }
}

/** Ranges that lie in no single group. */
const ACROSS = "";

function groupOf(lo: Key, hi: Key): string {
  const group = lo.slice(0, GROUP_LENGTH);
  return group.length === GROUP_LENGTH && hi.startsWith(group) ? group : ACROSS;
}
