/**
 * Owns: `npm test`: a browser is there, every check, every test; the last line is `N passed, N failed`.
 * Not: what is checked (checks.ts) and tested (vitest.config.ts).
 */
import { runChecks, type Tally } from "./checks.ts";
import { ensureChromium, NoChromium } from "./chromium.ts";
import { endChildrenOnExit } from "./processes.ts";
import { runVitest } from "./vitest-run.ts";

/** Browser tests run alone: beside others, their waiting would be for a busy machine. */
const TEST_RUNS = [["unit", "conformance"], ["browser"]];

endChildrenOnExit();
const tallies: Tally[] = [await browserIsThere(), await runChecks()];
for (const projects of TEST_RUNS) tallies.push(await runTests(projects));

const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function browserIsThere(): Promise<Tally> {
  try {
    console.log(`ok      browser (${await ensureChromium()})`);
    return { passed: 1, failed: 0 };
  } catch (error) {
    if (!(error instanceof NoChromium)) throw error;
    console.log(`FAILED  browser\n${error.message}`);
    return { passed: 0, failed: 1 };
  }
}

function runTests(projects: readonly string[]): Promise<Tally> {
  return runVitest(["run", ...projects.flatMap((project) => ["--project", project])]);
}
