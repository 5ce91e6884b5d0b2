import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Checkpoints } from "./checkpoints.ts";
import { temporaryFolder } from "./folder.helpers.ts";
import { openSqliteStorage } from "./sqlite.ts";
import { logOf } from "./sqlite-file.ts";
import type { Storage } from "./storage.ts";

const AFTER_PAGES = 40;

/** Commits until the log has begun anew: only a log that was copied whole does. */
async function writeUntilCopied(storage: Storage, path: string): Promise<number> {
  const watching = new Checkpoints(path, Infinity);
  onTestFinished(() => watching.close());
  let most = 0;
  for (let group = 0; ; group += 1) {
    storage.apply([[`group ${group}`, "x".repeat(3_000)]]);
    storage.flush();
    const pages = watching.logPages();
    if (pages < most) return group;
    most = pages;
    // What a thread beside us needs is time.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a long log is copied into the database beside whoever writes, and begins anew", async () => {
  const path = join(temporaryFolder(), "data.sqlite");
  const options = { path, durability: "power", checkpointAfterPages: AFTER_PAGES } as const;
  const storage = openSqliteStorage(options);
  const sizeBefore = statSync(path).size;
  const groups = await writeUntilCopied(storage, path);
  expect(groups).toBeGreaterThan(AFTER_PAGES / 4);
  expect(statSync(path).size).toBeGreaterThan(sizeBefore + AFTER_PAGES * 1_000);
  storage.close();
  expect(existsSync(logOf(path))).toBe(false);

  const reopened = openSqliteStorage(options);
  for (const group of [0, groups]) expect(reopened.get(`group ${group}`)).toHaveLength(3_000);
  reopened.close();
});

test("a store that closes while its log is being copied leaves no log behind", () => {
  for (let round = 0; round < 3; round += 1) {
    const path = join(temporaryFolder(), "data.sqlite");
    const storage = openSqliteStorage({ path, durability: "os", checkpointAfterPages: 1 });
    for (let group = 0; group < 20 * round + 1; group += 1) {
      storage.apply([[`group ${group}`, "x"]]);
      storage.flush();
    }
    storage.close();
    expect(existsSync(logOf(path))).toBe(false);
  }
});
