/**
 * Owns: one run of Vitest with its output passed on, and how many of its tests passed and failed.
 * Not: reading the report (vitest-report.ts), and which tests are run (test.ts, test-long.ts).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tally } from "./checks.ts";
import { run } from "./processes.ts";
import { readVitestReport } from "./vitest-report.ts";

/** `args` begins with Vitest's own command: `run`, `related`. */
export async function runVitest(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Tally> {
  const scratch = mkdtempSync(join(tmpdir(), "footfall-test-"));
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  process.once("exit", remove);
  const report = join(scratch, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code } = await run("vitest", [...args, "--maxWorkers=2", ...reporters], {
    env: { ...env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0" },
    onOutput: (text) => process.stdout.write(text),
  });
  return readVitestReport(report, code);
}
