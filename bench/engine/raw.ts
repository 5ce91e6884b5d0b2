/**
 * Owns: what SQLite itself does with the rows of views: the very batches that the engine hands its store, written
 * straight through node:sqlite with the same durability and nothing around it.
 * Not: the engine's own rate (rates.ts).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../engine/clock.ts";
import { openApplication } from "../../engine/open-application.ts";
import { DATABASE_FILE } from "../../engine/storage/sqlite-file.ts";
import { openSqliteStorage } from "../../engine/storage/sqlite.ts";
import type { Storage, Write } from "../../engine/storage/storage.ts";
import { dataFolder } from "./data-folder.ts";
import { hitsAfter } from "./hits.ts";
import { MS_PER_SECOND } from "./load.ts";
import { visit } from "./seed.ts";

const RAW_VIEWS = 2_000;

/** Views a second: each flushed by itself, and `groupSize` to a flush. */
export async function rawRates(
  views: number,
  groupSize: number,
): Promise<{ alone: number; grouped: number }> {
  const batches = await recordBatches(views);
  return { alone: write(batches, 1), grouped: write(batches, groupSize) };
}

/** What recordPageView hands the store, a batch a view, on a folder that holds `views` already. */
async function recordBatches(views: number): Promise<(readonly Write[])[]> {
  const { path, startsAt } = await dataFolder("footfall", views);
  const storage = openSqliteStorage({ path: join(path, DATABASE_FILE), durability: "os" });
  const batches: (readonly Write[])[] = [];
  const application = await openApplication({
    storage: recording(storage, batches),
    clock: systemClock,
  });
  const hits = hitsAfter(views, startsAt);
  for (let sent = 0; sent < RAW_VIEWS; sent += 1) {
    await visit(application, "footfall", hits.next().value);
  }
  await application.close();
  return batches;
}

function recording(storage: Storage, batches: (readonly Write[])[]): Storage {
  return {
    get: (key) => storage.get(key),
    range: (lo, hi, order) => storage.range(lo, hi, order),
    apply: (writes, pieces) => {
      batches.push(writes);
      storage.apply(writes, pieces);
    },
    piece: (file, number) => storage.piece(file, number),
    pieceNumbers: (file, limit) => storage.pieceNumbers(file, limit),
    flush: () => storage.flush(),
    sync: () => storage.sync(),
    discard: () => storage.discard(),
    snapshot: () => storage.snapshot(),
    close: () => storage.close(),
  };
}

function write(batches: readonly (readonly Write[])[], groupSize: number): number {
  const folder = mkdtempSync(join(tmpdir(), "footfall-bench-raw-"));
  const database = new DatabaseSync(join(folder, "raw.sqlite"));
  try {
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE pairs (key BLOB PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;`);
    const put = database.prepare("INSERT OR REPLACE INTO pairs (key, value) VALUES (?, ?)");
    const remove = database.prepare("DELETE FROM pairs WHERE key = ?");
    const startedAt = performance.now();
    for (let first = 0; first < batches.length; first += groupSize) {
      database.exec("BEGIN");
      for (const [key, value] of batches.slice(first, first + groupSize).flat()) {
        if (value === null) remove.run(Buffer.from(key, "latin1"));
        else put.run(Buffer.from(key, "latin1"), value);
      }
      database.exec("COMMIT");
    }
    return batches.length / ((performance.now() - startedAt) / MS_PER_SECOND);
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
