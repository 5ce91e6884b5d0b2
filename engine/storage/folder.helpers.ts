/** Owns: temporary folders for tests. Not: what is put into them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Removed when the test that asked for it is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "footfall-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
