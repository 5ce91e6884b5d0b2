/**
 * Owns: how much a test does: little in `npm test`, much in `npm run test:long`.
 * Not: which tests the long run has: those that ask here, however far down (scripts/test-long.ts).
 */

/** Set by `npm run test:long`. */
export const IS_LONG_RUN = process.env["FOOTFALL_LONG"] === "1";

/** How many runs, kills, rows or clients: `runs(30, 400)`. */
export function runs(short: number, long: number): number {
  return IS_LONG_RUN ? long : short;
}
