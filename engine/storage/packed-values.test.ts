import { join } from "node:path";
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.helpers.ts";
import { openSqliteStorage } from "./sqlite.ts";
import type { Storage } from "./storage.ts";

const open = (path: string) => openSqliteStorage({ path, durability: "os", cacheBytes: 0 });
const keyOf = (row: number) => `dtabl${String(row).padStart(6, "0")}`;
const documentOf = (row: number) =>
  JSON.stringify({
    path: `/posts/a-title-of-usual-length-${row % 7}`,
    browser: row % 2 === 0 ? "Firefox" : "Chrome",
    session: `session-of-somebody-${row * 7_919}-\u{1F600}-é`,
    note: "Some words that only this row has, over and over: ".repeat(2) + row,
  });

function write(storage: Storage, from: number, until: number): void {
  for (let row = from; row < until; row++) storage.apply([[keyOf(row), documentOf(row)]]);
}

function expectAll(storage: Storage, count: number): void {
  const found: string[] = [];
  const cursor = storage.range("d", "e", "asc");
  while (cursor.next()) found.push(cursor.value);
  expect(found).toEqual(Array.from({ length: count }, (_, row) => documentOf(row)));
  expect(storage.get(keyOf(count - 1))).toBe(documentOf(count - 1));
}

/** What other tools see. */
function kindsIn(path: string): Record<string, number> {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare("SELECT typeof(value) AS kind, count(*) AS rows FROM pairs GROUP BY 1")
    .all();
  database.close();
  return Object.fromEntries(rows.map(({ kind, rows: count }) => [String(kind), Number(count)]));
}

test("values that resemble each other are packed, and read back as they were: one, walking, from a snapshot, after opening again", () => {
  const path = join(temporaryFolder(), "data.sqlite");
  const storage = open(path);
  write(storage, 0, 1_000);
  storage.flush();
  expectAll(storage, 1_000);
  const snapshot = storage.snapshot();
  expect(snapshot.get(keyOf(999))).toBe(documentOf(999));
  expect(snapshot.page("d", "e", 2_000).map(([, value]) => value)[500]).toBe(documentOf(500));
  snapshot.close();
  storage.close();
  expect(kindsIn(path)).toEqual({ text: 255, blob: 745 });
  const again = open(path);
  write(again, 1_000, 1_100);
  again.flush();
  expectAll(again, 1_100);
  again.close();
});

test("a dictionary that was undone with its group is made anew, and nothing is read with the wrong one", () => {
  const storage = open(join(temporaryFolder(), "data.sqlite"));
  write(storage, 0, 100);
  storage.flush();
  write(storage, 100, 600);
  storage.discard();
  for (let row = 0; row < 400; row++) {
    storage.apply([
      [
        `dother${row}`.padEnd(12),
        JSON.stringify({ entirely: "different", row, x: "y".repeat(300) }),
      ],
    ]);
  }
  storage.flush();
  write(storage, 100, 700);
  storage.flush();
  const cursor = storage.range("dtabl", "dtabm", "asc");
  for (let row = 0; row < 700; row++) {
    expect(cursor.next()).toBe(true);
    expect(cursor.value).toBe(documentOf(row));
  }
  storage.close();
});

test("a dictionary holds what many rows share and nothing that is one row's, since it outlives them", () => {
  const path = join(temporaryFolder(), "data.sqlite");
  const storage = open(path);
  write(storage, 0, 300);
  storage.flush();
  storage.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("SELECT CAST(bytes AS TEXT) AS words FROM dictionaries").all();
  database.close();
  expect(rows).toHaveLength(1);
  const words = String(rows[0]?.["words"]);
  expect(words).toContain('"session":');
  expect(words).toContain('"Firefox"');
  expect(words).not.toMatch(/somebody|title|words that/);
});

test("short values, and those of a database that an earlier version made, stand there as text", () => {
  const folder = temporaryFolder();
  const path = join(folder, "short.sqlite");
  const storage = open(path);
  for (let row = 0; row < 400; row++) storage.apply([[keyOf(row), `{"row":${row}}`]]);
  storage.flush();
  storage.close();
  expect(kindsIn(path)).toEqual({ text: 400 });

  const earlier = join(folder, "earlier.sqlite");
  open(earlier).close();
  const database = new DatabaseSync(earlier);
  database.exec(`
    DROP TABLE pairs; DROP TABLE dictionaries; PRAGMA user_version = 1;
    CREATE TABLE pairs (key BLOB PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;`);
  database.close();
  const taken = open(earlier);
  write(taken, 0, 400);
  taken.flush();
  expectAll(taken, 400);
  taken.close();
  expect(kindsIn(earlier)).toEqual({ text: 400 });
});

test("a packed table takes less than half of the room", () => {
  const folder = temporaryFolder();
  const bytesOf = (name: string, documents: (row: number) => string) => {
    const path = join(folder, name);
    const storage = open(path);
    for (let row = 0; row < 4_000; row++) storage.apply([[keyOf(row), documents(row)]]);
    storage.flush();
    storage.close();
    return statSync(path).size;
  };
  const fields = (row: number) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, field) => [`aFieldOfUsualLength${field}`, row * field]),
    );
  const packed = bytesOf("packed.sqlite", (row) => JSON.stringify(fields(row)));
  const raw = 4_000 * JSON.stringify(fields(2_000)).length;
  expect(packed).toBeLessThan(raw / 2);
});
