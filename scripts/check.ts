/**
 * Owns: `npm run check`: format, lint, types, arrows, smells, generated code; under a minute.
 * Not: tests (`npm test` runs these checks and the tests).
 */
import { runChecks } from "./checks.ts";
import { endChildrenOnExit } from "./processes.ts";

endChildrenOnExit();
const { passed, failed } = await runChecks();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
