import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "convex";
import { expect, test } from "vitest";

/**
 * The version of `convex` that the protocols were proven with (sync/, server/clients.test.ts, server/cli.test.ts), and
 * a fingerprint of the sources that define them there. When this fails after an update: read what changed in those
 * files, run both test files, then write the new pair here.
 */
const PROVEN_WITH = { version: "1.49.0", fingerprint: "3eeba8bc6eda5f1a" };

const SOURCES = resolve(import.meta.dirname, "../../../node_modules/convex/src");

function protocolFiles(): string[] {
  const pushFolder = join(SOURCES, "cli/lib/deployApi");
  const pushFiles = readdirSync(pushFolder).filter((name) => !name.includes(".test."));
  return [
    join(SOURCES, "browser/sync/protocol.ts"),
    join(SOURCES, "cli/lib/generatedFunctionLogsApi.ts"),
    ...pushFiles.sort().map((name) => join(pushFolder, name)),
  ];
}

test("the protocols are those of the convex version that they were proven with", () => {
  const hash = createHash("sha256");
  for (const file of protocolFiles()) hash.update(readFileSync(file));
  expect({ version, fingerprint: hash.digest("hex").slice(0, 16) }).toEqual(PROVEN_WITH);
});
