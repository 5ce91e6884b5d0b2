/**
 * Owns: `npm run test:long`: the tests that can do more than `npm test` has time for, doing it; the last line is
 * `N passed, N failed`.
 * Not: which those are: every test that imports tests/long.helpers.ts, itself or through others.
 *
 *   npm run test:long                    all of them
 *   npm run test:long -- --project unit  Vitest's own options choose among them
 */
import { endChildrenOnExit } from "./processes.ts";
import { runVitest } from "./vitest-run.ts";

const HOW_LONG = "tests/long.helpers.ts";

endChildrenOnExit();
const chosen = ["related", HOW_LONG, "--run", ...process.argv.slice(2)];
const { passed, failed } = await runVitest(chosen, { FOOTFALL_LONG: "1" });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
