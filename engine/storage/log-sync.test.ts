import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.helpers.ts";
import { LogSync } from "./log-sync.ts";
import { openSqliteStorage } from "./sqlite.ts";

test("what was flushed is brought to the disk, as often as it is asked, and after close not", async () => {
  const path = join(temporaryFolder(), "data.sqlite");
  const storage = openSqliteStorage({ path, durability: "power" });
  for (const value of ["1", "2"]) {
    storage.apply([["k", value]]);
    storage.flush();
    await storage.sync();
  }
  storage.close();
  await expect(storage.sync()).rejects.toMatchObject({ code: "closed" });
});

test("a log that cannot be brought to the disk is told", async () => {
  const log = new LogSync(join(temporaryFolder(), "no such log"));
  await expect(log.sync()).rejects.toThrow(/ENOENT/);
  log.close();
});
