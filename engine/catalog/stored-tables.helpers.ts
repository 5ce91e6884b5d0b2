/**
 * Owns: what a database file that nobody has open holds, table by table, that each index equals its table, and that
 * files are whole.
 * Not: whether the documents are the right ones.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { openSqliteStorage } from "../storage/sqlite.ts";
import type { Storage } from "../storage/storage.ts";
import { FILE_TABLE } from "../system-tables.ts";
import { endOf } from "../transactions/key-space.ts";
import { Catalog } from "./catalog.ts";
import { expectNoLostPieces, expectSoundFiles } from "./sound-files.helpers.ts";
import { documentsOf, indexKey, parseDocument, rowsOf, type Document } from "./tables.ts";

export type StoredTables = ReadonlyMap<string, readonly Document[]>;

/** Of a copy, so that the next engine finds the file and its log as the last one left them. */
export function storedTables(path: string): StoredTables {
  const scratch = mkdtempSync(join(tmpdir(), "footfall-stored-"));
  const copy = join(scratch, "copy.sqlite");
  try {
    for (const suffix of ["", "-wal"])
      if (existsSync(path + suffix)) cpSync(path + suffix, copy + suffix);
    const storage = openSqliteStorage({ path: copy, durability: "os" });
    const tables = readTables(storage);
    expectNoLostPieces(copy, storage, filesIn(storage));
    storage.close();
    return tables;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readTables(storage: Storage): StoredTables {
  const found = new Map<string, readonly Document[]>();
  for (const table of new Catalog(storage).all()) {
    const documents = pairsBelow(storage, documentsOf(table)).map(([, json]) =>
      parseDocument(json),
    );
    for (const index of table.indexes.filter(({ state }) => state === "active")) {
      const wanted = documents.map((document) => indexKey(index, document)).sort();
      const rows = pairsBelow(storage, rowsOf(index)).map(([key]) => key);
      expect(rows, `index ${index.name} of ${table.name}`).toEqual(wanted);
    }
    found.set(join(table.componentPath, table.name), documents);
  }
  return found;
}

function filesIn(storage: Storage): string[] {
  const tables = new Catalog(storage).all().filter(({ name }) => name === FILE_TABLE);
  return tables.flatMap((table) => expectSoundFiles(storage, table));
}

function pairsBelow(storage: Storage, prefix: string): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  const cursor = storage.range(prefix, endOf(prefix), "asc");
  while (cursor.next()) pairs.push([cursor.key, cursor.value]);
  return pairs;
}
