import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readVitestReport } from "./vitest-report.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "footfall-report-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function reportOf(...files: { status: string; tests: string[] }[]): string {
  const path = join(folder, "report.json");
  const testResults = files.map(({ status, tests }) => ({
    status,
    assertionResults: tests.map((outcome) => ({ status: outcome })),
  }));
  writeFileSync(path, JSON.stringify({ testResults }));
  return path;
}

test("passed and failed tests are summed over the files", () => {
  const path = reportOf(
    { status: "passed", tests: ["passed", "passed"] },
    { status: "failed", tests: ["passed", "failed"] },
  );
  expect(readVitestReport(path, 1)).toEqual({ passed: 3, failed: 1 });
});

test("a file that breaks before its first test is a failure", () => {
  expect(readVitestReport(reportOf({ status: "failed", tests: [] }), 1)).toEqual({
    passed: 0,
    failed: 1,
  });
});

test("an error outside of any test, or no report at all, is a failure", () => {
  expect(readVitestReport(reportOf({ status: "passed", tests: ["passed"] }), 1)).toEqual({
    passed: 1,
    failed: 1,
  });
  expect(readVitestReport(join(folder, "missing.json"), 1)).toEqual({ passed: 0, failed: 1 });
});
