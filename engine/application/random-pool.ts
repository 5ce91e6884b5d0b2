/**
 * Owns: random bytes that nobody can guess, fetched from the system in larger portions: each call of it costs as much
 * for a few bytes as for a thousand.
 * Not: what they are for.
 */
import { randomFillSync } from "node:crypto";

const POOL_BYTES = 4_096;

let pool = new Uint8Array(0);
let used = 0;

/** `count` bytes of the caller's own; none is given out twice. */
export function randomBytesFromPool(count: number): Uint8Array {
  if (count > POOL_BYTES) return randomFillSync(new Uint8Array(count));
  if (used + count > pool.length) {
    pool = randomFillSync(new Uint8Array(POOL_BYTES));
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}
