/** Owns: how long to wait after the engine itself failed to run something. Not: failures of user code, which are results. */

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** Doubles with each failure in a row, so that a full disk is not hammered, and recovers within a minute. */
export function retryDelayMs(failuresInARow: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failuresInARow - 1));
}
