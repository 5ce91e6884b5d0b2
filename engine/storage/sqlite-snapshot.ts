/**
 * Owns: reading the database as it was at one moment, through a connection of its own, while the engine goes on writing.
 * Not: what the pairs mean. A copy of the whole file is backup.ts.
 *
 * The write-ahead log gives each reader the state in which its transaction began. Groups of commits reach the file
 * whole, so that state is always one between two transactions. While it is open the log cannot be cut back.
 */
import { DatabaseSync } from "node:sqlite";
import { STORAGE_SNAPSHOT_CACHE_BYTES } from "../limits.ts";
import { ValueReader } from "./packed-values.ts";
import { PieceReader } from "./sqlite-pieces.ts";
import type { Key, StorageSnapshot } from "./storage.ts";

export function openSnapshot(path: string): StorageSnapshot {
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec(`PRAGMA cache_size = -${STORAGE_SNAPSHOT_CACHE_BYTES / 1024}; BEGIN`);
  const reader = new ValueReader(database);
  const pieces = new PieceReader(database);
  const one = database.prepare("SELECT value FROM pairs WHERE key = ?");
  const page = database.prepare(
    "SELECT key, value FROM pairs WHERE key >= ? AND key < ? ORDER BY key LIMIT ?",
  );
  const count = database.prepare("SELECT count(*) AS pairs FROM pairs WHERE key >= ? AND key < ?");
  // SQLite fixes the state at the first read.
  one.get(bytesOf(""));
  return {
    get(key) {
      const row = one.get(bytesOf(key));
      return row === undefined ? undefined : reader.text(row["value"]);
    },
    page: (lo, hi, limit) =>
      page
        .all(bytesOf(lo), bytesOf(hi), limit)
        .map((row) => [textOf(row["key"]), reader.text(row["value"])]),
    piece: (file, number) => pieces.get(file, number),
    count: (lo, hi) => Number(count.get(bytesOf(lo), bytesOf(hi))?.["pairs"] ?? 0),
    close() {
      if (database.isOpen) database.close();
    },
  };
}

function bytesOf(key: Key): Buffer {
  return Buffer.from(key, "latin1");
}

function textOf(bytes: unknown): Key {
  if (!(bytes instanceof Uint8Array)) throw new Error("A stored key is not a blob.");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
