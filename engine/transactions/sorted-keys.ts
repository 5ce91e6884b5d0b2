/**
 * Owns: a growing set of keys in order, quick for one key and for a hundred thousand.
 * Not: what the keys stand for. Keys are never removed: a transaction ends as a whole.
 */
import type { Key } from "../storage/storage.ts";

/** Splitting keeps the copying of one insertion small; a block is one array that is searched by halves. */
const MAX_BLOCK_KEYS = 512;

export class SortedKeys {
  /** Each block ascends and is never empty; so do the blocks. */
  readonly #blocks: Key[][] = [];

  /** The key must not be there yet. */
  add(key: Key): void {
    const blocks = this.#blocks;
    if (blocks.length === 0) {
      blocks.push([key]);
      return;
    }
    const at = Math.max(0, this.#blocksStartingBelow(justAbove(key)) - 1);
    const block = blocks[at] ?? [];
    block.splice(countBelow(block, key), 0, key);
    if (block.length > MAX_BLOCK_KEYS) {
      blocks.splice(at + 1, 0, block.splice(block.length >> 1));
    }
  }

  /** The smallest key that is `key` or greater. */
  atOrAfter(key: Key): Key | undefined {
    const at = Math.max(0, this.#blocksStartingBelow(justAbove(key)) - 1);
    const block = this.#blocks[at];
    if (block === undefined) return undefined;
    return block[countBelow(block, key)] ?? this.#blocks[at + 1]?.[0];
  }

  /** The greatest key that is less than `key`. */
  before(key: Key): Key | undefined {
    const block = this.#blocks[this.#blocksStartingBelow(key) - 1];
    return block?.[countBelow(block, key) - 1];
  }

  *[Symbol.iterator](): Iterator<Key> {
    for (const block of this.#blocks) yield* block;
  }

  #blocksStartingBelow(key: Key): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#blocks[middle]?.[0] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function justAbove(key: Key): Key {
  return key + "\x00";
}

function countBelow(keys: readonly Key[], key: Key): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
