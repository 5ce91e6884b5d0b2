/**
 * Owns: how many tests of a Vitest run passed and failed, from the report that its json reporter wrote.
 * Not: running it.
 */
import { existsSync, readFileSync } from "node:fs";
import type { Tally } from "./checks.ts";

type Report = {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
};

/**
 * A file that broke before its first test counts as one failure, and so does a run that failed without a test that did
 * (an error outside of any test, no report at all): a failure never disappears from the sum.
 */
export function readVitestReport(path: string, exitCode: number): Tally {
  const files = existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as Report).testResults
    : [];
  let passed = 0;
  let failed = 0;
  for (const { status, assertionResults } of files) {
    const failedHere = assertionResults.filter((result) => result.status === "failed").length;
    passed += assertionResults.filter((result) => result.status === "passed").length;
    failed += status === "failed" ? Math.max(failedHere, 1) : failedHere;
  }
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed };
}
