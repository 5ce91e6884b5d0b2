import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { StorageError } from "../errors.ts";
import { temporaryFolder } from "./folder.helpers.ts";
import { openSqliteStorage } from "./sqlite.ts";
import { describeStorage, pairsOf } from "./storage.compliance.helpers.ts";
import type { Storage } from "./storage.ts";

const openAt = (path: string): Storage => openSqliteStorage({ path, durability: "os" });

/** A crash leaves the files as they are; a copy of them is what the next process finds. */
describeStorage("sqlite", () => {
  const folder = mkdtempSync(join(tmpdir(), "footfall-"));
  const opened: Storage[] = [];
  let generation = 0;
  const openNext = (): Storage => {
    const storage = openAt(join(folder, String(generation), "data.sqlite"));
    opened.push(storage);
    return storage;
  };
  cpSync(mkdtempSync(join(tmpdir(), "footfall-")), join(folder, "0"), { recursive: true });
  return {
    storage: openNext(),
    crash() {
      const from = join(folder, String(generation));
      generation++;
      cpSync(from, join(folder, String(generation)), { recursive: true });
      return openNext();
    },
    dispose() {
      for (const storage of opened) storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});

function codeOf(body: () => unknown): string {
  try {
    body();
  } catch (error) {
    if (error instanceof StorageError) return error.code;
    throw error;
  }
  return "none";
}

test("everything flushed is there after closing and opening again", () => {
  const path = join(temporaryFolder(), "data.sqlite");
  const first = openSqliteStorage({ path, durability: "power" });
  first.apply([["a", "1"]]);
  first.flush();
  first.apply([["b", "never flushed"]]);
  first.close();
  const second = openAt(path);
  expect(pairsOf(second.range("", "\xff", "asc"))).toEqual([["a", "1"]]);
  second.close();
});

test("values that do not fit the cache are still right", () => {
  const path = join(temporaryFolder(), "data.sqlite");
  const storage = openSqliteStorage({ path, durability: "os", cacheBytes: 1_000 });
  for (let i = 0; i < 200; i++) storage.apply([[`k${i}`, `v${i}`]]);
  storage.apply([["large", "x".repeat(10_000)]]);
  for (let i = 0; i < 200; i++) expect(storage.get(`k${i}`)).toBe(`v${i}`);
  expect(storage.get("large")).toHaveLength(10_000);
  storage.close();
});

test("an apply that fails in the middle takes its group with it, and says so until that is discarded", () => {
  const path = join(temporaryFolder(), "data.sqlite");
  const storage = openAt(path);
  storage.apply([["a", "0"]]);
  storage.flush();
  storage.apply([["a", "1"]]);
  const noText = Symbol("no text") as unknown as string;
  expect(codeOf(() => storage.apply([["a", "2"], ["b", noText]]))).toBe("not-durable"); // prettier-ignore
  expect(codeOf(() => storage.apply([["c", "3"]]))).toBe("not-durable");
  expect(codeOf(() => storage.flush())).toBe("not-durable");
  storage.discard();
  expect(storage.get("a")).toBe("0");
  storage.apply([["c", "3"]]);
  storage.flush();
  storage.close();
  const reopened = openAt(path);
  expect(pairsOf(reopened.range("", "\xff", "asc"))).toEqual([["a", "0"], ["c", "3"]]); // prettier-ignore
  reopened.close();
});

test("a file with garbage in it is refused with one sentence", () => {
  const path = join(temporaryFolder(), "data.sqlite");
  writeFileSync(path, "this is no database, but it is long enough to look at ".repeat(100));
  expect(codeOf(() => openAt(path))).toBe("corrupt");
  expect(() => openAt(path)).toThrow(
    /^The database .* is damaged \(.*\)\. Start with a backup in an empty folder .*\.$/,
  );
});

test("a page that was overwritten is found at the next start", () => {
  const path = join(temporaryFolder(), "data.sqlite");
  const storage = openAt(path);
  for (let i = 0; i < 2_000; i++) storage.apply([[`key ${i}`, `value ${i} `.repeat(10)]]);
  storage.flush();
  storage.close();
  const file = readFileSync(path);
  file.fill(0x5a, 4096 * 8, 4096 * 9);
  writeFileSync(path, file);
  expect(codeOf(() => openAt(path))).toBe("corrupt");
});

test("a file that lost its tail is refused", () => {
  const path = join(temporaryFolder(), "data.sqlite");
  const storage = openAt(path);
  for (let i = 0; i < 2_000; i++) storage.apply([[`key ${i}`, `value ${i} `.repeat(10)]]);
  storage.flush();
  storage.close();
  const file = readFileSync(path);
  writeFileSync(path, file.subarray(0, file.length / 2));
  expect(codeOf(() => openAt(path))).toBe("corrupt");
});

test("a database of another program, or of a later format, is refused and not touched", () => {
  const folder = temporaryFolder();
  const foreign = join(folder, "foreign.sqlite");
  const database = new DatabaseSync(foreign);
  database.exec("CREATE TABLE songs (title TEXT)");
  database.close();
  expect(() => openAt(foreign)).toThrow("a database of another program");

  const later = join(folder, "later.sqlite");
  openAt(later).close();
  const tampered = new DatabaseSync(later);
  tampered.exec("PRAGMA user_version = 99");
  tampered.close();
  expect(() => openAt(later)).toThrow("has format 99, and this version reads format 3");
});

test("a database of the format before is taken over, and says so", () => {
  const path = join(temporaryFolder(), "before.sqlite");
  openAt(path).close();
  const before = new DatabaseSync(path);
  before.exec("PRAGMA user_version = 1; INSERT INTO pairs VALUES (x'69', 'an id')");
  before.close();
  const storage = openAt(path);
  expect(storage.get("i")).toBe("an id");
  storage.close();
  const after = new DatabaseSync(path, { readOnly: true });
  expect(after.prepare("PRAGMA user_version").get()).toEqual({ user_version: 3 });
  after.close();
});

test("a database from before there were files takes them", () => {
  const path = join(temporaryFolder(), "before.sqlite");
  openAt(path).close();
  const before = new DatabaseSync(path);
  before.exec("DROP TABLE pieces");
  before.close();
  const storage = openAt(path);
  storage.apply([], [["file", 0, new Uint8Array([1])]]);
  expect(storage.piece("file", 0)).toEqual(new Uint8Array([1]));
  storage.close();
});

test("other tools can read the database while the engine has it open", () => {
  const path = join(temporaryFolder(), "data.sqlite");
  const storage = openAt(path);
  storage.apply([["a", "1"]]);
  storage.flush();
  const reader = new DatabaseSync(path, { readOnly: true });
  expect(reader.prepare("SELECT value FROM pairs").all()).toMatchObject([{ value: "1" }]);
  reader.close();
  storage.close();
});
