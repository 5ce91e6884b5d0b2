/** Owns: what Convex asks for, and what its free plan holds, a month. Not: how much is used (bill.ts). */
const DOLLARS_PER_MILLION_CALLS = 2;
const DOLLARS_PER_GIGABYTE = 0.2;

const FREE_CALLS = 1_000_000;
const FREE_IO_KILOBYTES = 1_000_000;
const FREE_STORED_KILOBYTES = 500_000;

/** What each leaves in the tables, and for how long. */
export type Stored = { storedKilobytes: number; keptMonths: number };

export type Use = { calls: number; kilobytes: number };

/** Of a million times that. */
export function dollarsPerMillion({ calls, kilobytes }: Use): number {
  return calls * DOLLARS_PER_MILLION_CALLS + kilobytes * DOLLARS_PER_GIGABYTE;
}

/** How often a month that fits the free plan, given what is called anyway. */
export function timesAMonthForFree(
  { calls, kilobytes }: Use,
  { storedKilobytes, keptMonths, callsAnyway }: Stored & { callsAnyway: number },
): number {
  return Math.min(
    (FREE_CALLS - callsAnyway) / calls,
    FREE_IO_KILOBYTES / kilobytes,
    storedKilobytes === 0 ? Infinity : FREE_STORED_KILOBYTES / keptMonths / storedKilobytes,
  );
}
