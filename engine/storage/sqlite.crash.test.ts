import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.helpers.ts";
import { openSqliteStorage } from "./sqlite.ts";
import { pairsOf } from "./storage.compliance.helpers.ts";

/** Starting a process and syncing a disk take as long as the machine likes. */
const TIMEOUT_MS = 120_000;
const WRITER = fileURLToPath(new URL("./crash-writer.helpers.ts", import.meta.url));

/** Kills the writer at whatever it does some acknowledgements later; returns the last number that it printed. */
async function writeUntilKilled(path: string, acknowledgements: number): Promise<number> {
  const writer = spawn(process.execPath, [WRITER, path], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(writer, "close");
  let acknowledged = 0;
  let count = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged = Number(line);
    count++;
    if (count === acknowledgements) writer.kill("SIGKILL");
  }
  await closed;
  return acknowledged;
}

test(
  "after kill -9 at any moment every acknowledged group is there, and each is whole",
  { timeout: TIMEOUT_MS },
  async () => {
    const path = join(temporaryFolder(), "data.sqlite");
    for (let round = 0; round < 8; round++) {
      const acknowledged = await writeUntilKilled(path, 1 + Math.floor(Math.random() * 120));
      expect(acknowledged).toBeGreaterThan(0);

      const storage = openSqliteStorage({ path, durability: "power" });
      const copies = pairsOf(storage.range("copy", "copz", "asc")).map(([, value]) =>
        Number(value),
      );
      const groups = pairsOf(storage.range("group", "grouq", "asc")).map(([key]) =>
        Number(key.slice("group ".length)),
      );
      storage.close();
      const last = copies[0] ?? 0;
      expect(copies).toEqual([last, last, last, last, last]);
      expect(last).toBeGreaterThanOrEqual(acknowledged);
      expect(groups).toEqual(Array.from({ length: last }, (_, i) => i + 1));
    }
  },
);

test(
  "on a full disk a flush fails with a code, and after discarding the group all earlier ones are there",
  { timeout: TIMEOUT_MS },
  async () => {
    const path = join(temporaryFolder(), "data.sqlite");
    const writer = fileURLToPath(new URL("./full-disk.helpers.ts", import.meta.url));
    const quotaBlocks = 8_000;
    const limited = `ulimit -f ${quotaBlocks}; exec "$0" "$1" "$2"`;
    const child = spawn("sh", ["-c", limited, process.execPath, writer, path]);
    const closed = once(child, "close");
    const [output] = (await once(child.stdout, "data")) as [Buffer];
    await closed;
    const { failure, durableGroups, found } = JSON.parse(output.toString()) as Record<
      string,
      unknown
    >;
    expect(failure).toBe("not-durable");
    expect(found).toBe(durableGroups);
    const storage = openSqliteStorage({ path, durability: "power" });
    expect(Number(storage.get("last"))).toBe(durableGroups);
    storage.close();
  },
);
