import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../tests/long.helpers.ts";
import { StorageError } from "../errors.ts";
import { temporaryFolder } from "./folder.helpers.ts";
import { openSqliteStorage } from "./sqlite.ts";
import { pairsOf } from "./storage.compliance.helpers.ts";

const PAGE_BYTES = 4_096;
const LOG_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + PAGE_BYTES;
const GROUPS = 40;

type Files = { readonly database: Buffer; readonly log: Buffer };

/** What a process leaves that is killed after some groups of commits. */
function filesAfterKill(): Files {
  const path = join(temporaryFolder(), "data.sqlite");
  const storage = openSqliteStorage({ path, durability: "os" });
  for (let i = 0; i < 3_000; i++) storage.apply([[`old ${i}`, `value ${i} `.repeat(10)]]);
  storage.flush();
  storage.close();
  const again = openSqliteStorage({ path, durability: "os" });
  for (let group = 0; group < GROUPS; group++) {
    again.apply([[`group ${group}`, String(group)]]);
    again.flush();
  }
  const files = { database: readFileSync(path), log: readFileSync(`${path}-wal`) };
  again.close();
  return files;
}

type Found = { readonly groups: number } | { readonly refused: string };

function openCopy(database: Buffer, log: Buffer | null): Found {
  const path = join(temporaryFolder(), "data.sqlite");
  writeFileSync(path, database);
  if (log !== null) writeFileSync(`${path}-wal`, log);
  try {
    const storage = openSqliteStorage({ path, durability: "power" });
    const groups = pairsOf(storage.range("group", "grouq", "asc")).length;
    storage.close();
    return { groups };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    expect(error.code).toBe("corrupt");
    expect(error.message).toContain("Start with a backup in an empty folder");
    return { refused: error.message };
  }
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

test("an untouched log is taken over with every group, and is gone afterwards", () => {
  const { database, log } = filesAfterKill();
  expect(openCopy(database, log)).toEqual({ groups: GROUPS });
});

test("any changed byte of a log is found, unless it lies in the last group, which is then missing as a whole", () => {
  const { database, log } = filesAfterKill();
  const lastGroupAt = log.length - FRAME_BYTES;
  fc.assert(
    fc.property(fc.nat(log.length - 1), (at) => {
      const found = openCopy(database, flipped(log, at));
      if (at >= lastGroupAt) expect(found).toEqual({ groups: GROUPS - 1 });
      else expect(found).toMatchObject({ refused: expect.stringContaining("log") as string });
    }),
    {
      numRuns: runs(60, 2_000),
      examples: [
        [0],
        [17],
        [30],
        [LOG_HEADER_BYTES],
        [LOG_HEADER_BYTES + 4],
        [lastGroupAt - 1],
        [lastGroupAt + 5],
      ],
    },
  );
});

test("a torn end of a log costs the group that was being written, and no other", () => {
  const { database, log } = filesAfterKill();
  for (const lost of [1, 100, FRAME_BYTES - 1]) {
    expect(openCopy(database, log.subarray(0, log.length - lost))).toEqual({ groups: GROUPS - 1 });
  }
});

test("a page of the database that was torn or overwritten is found at the start, whichever it is", () => {
  const { database } = filesAfterKill();
  const pages = database.length / PAGE_BYTES;
  fc.assert(
    fc.property(fc.nat(pages - 1), fc.boolean(), (page, isTorn) => {
      const damaged = Buffer.from(database);
      const from = page * PAGE_BYTES;
      damaged.fill(isTorn ? 0 : 0x5a, from, from + (isTorn ? PAGE_BYTES / 2 : PAGE_BYTES));
      expect(openCopy(damaged, null)).toHaveProperty("refused");
    }),
    {
      numRuns: runs(25, 500),
      examples: [
        [0, true],
        [1, true],
        [pages - 1, false],
      ],
    },
  );
});

test("a database that lost its end, or a part of a page, is found at the start", () => {
  const { database } = filesAfterKill();
  for (const bytes of [
    PAGE_BYTES,
    database.length / 2,
    database.length - PAGE_BYTES,
    database.length - 1,
    100,
  ])
    expect(openCopy(database.subarray(0, bytes), null), `${bytes}`).toHaveProperty("refused");
});
