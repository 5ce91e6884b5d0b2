import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "convex";
import { expect, test } from "vitest";
import { PROVEN_WITH } from "./proven-with.helpers.ts";

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
  expect({ version, sources: hash.digest("hex").slice(0, 16) }).toEqual({
    version: PROVEN_WITH.version,
    sources: PROVEN_WITH.sources,
  });
});
