/**
 * Owns: what must be true of the files in a store, whenever the engine was killed: each row has its bytes, and bytes
 * that no row stands for are known as such.
 * Not: which files there should be.
 */
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import type { Storage } from "../storage/storage.ts";
import { DISCARDED_FILES, endOf } from "../transactions/key-space.ts";
import { contentAt, filesOf, parseContent, idKey } from "./stored-files.ts";
import { documentsOf, parseDocument, type Table } from "./tables.ts";

function keysBelow(storage: Storage, prefix: string): string[] {
  const keys: string[] = [];
  const rows = storage.range(prefix, endOf(prefix), "asc");
  while (rows.next()) keys.push(rows.key.slice(prefix.length));
  return keys;
}

function expectWholeFile(storage: Storage, table: Table, json: string): string {
  const { _id: id, size, sha256 } = parseDocument(json);
  const content = parseContent(storage.get(idKey(table, id)) ?? expect.fail(`${id} has no bytes`));
  const hash = createHash("sha256");
  let bytes = 0;
  for (const number of storage.pieceNumbers(content.file, Number.MAX_SAFE_INTEGER)) {
    const piece = storage.piece(content.file, number) ?? new Uint8Array();
    hash.update(piece);
    bytes += piece.length;
  }
  expect([bytes, hash.digest("base64")], `file ${id}`).toEqual([size, sha256]);
  return content.file;
}

/** Of a `_storage`. Returns the keys of its files. */
export function expectSoundFiles(storage: Storage, table: Table): string[] {
  const files: string[] = [];
  const rows = storage.range(documentsOf(table), endOf(documentsOf(table)), "asc");
  const documents: string[] = [];
  while (rows.next()) documents.push(rows.value);
  for (const json of documents) files.push(expectWholeFile(storage, table, json));
  const attached = storage.range(filesOf(table.id), endOf(filesOf(table.id)), "asc");
  const contents: string[] = [];
  while (attached.next()) {
    const content = contentAt(table.id, attached.key, attached.value);
    if (content !== null) contents.push(content.file);
  }
  expect(contents.sort(), "every content has its row").toEqual([...files].sort());
  return files;
}

/** Every piece in the database belongs to one of these files, or is to be removed. */
export function expectNoLostPieces(path: string, storage: Storage, files: readonly string[]): void {
  const known = new Set([...files, ...keysBelow(storage, DISCARDED_FILES)]);
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare("SELECT DISTINCT CAST(file AS TEXT) AS file FROM pieces").all();
  database.close();
  const lost = found.map((row) => String(row["file"])).filter((file) => !known.has(file));
  expect(lost, "pieces that nobody knows of").toEqual([]);
}
