/**
 * Owns: where the random histories of property tests begin: at one seed in `npm test`, at a new one in
 * `npm run test:long`.
 * Not: how many there are (long.helpers.ts).
 *
 * What stands between a change and its landing says the same twice, on every machine; exploring is the long run's
 * work, which prints the seed of what it finds. Vitest runs this before each test file, so it imports nothing of ours:
 * the long run takes the tests that are related to long.helpers.ts.
 */
import fc from "fast-check";

const SEED = 20_261_201;

if (process.env["FOOTFALL_LONG"] !== "1") fc.configureGlobal({ seed: SEED });
