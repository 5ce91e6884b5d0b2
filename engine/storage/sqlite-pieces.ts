/**
 * Owns: pieces of files in the database: a table of their own, where they are neither packed nor cached.
 * Not: which file has which pieces, or how large they are (catalog/stored-files.ts).
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Key, PieceWrite } from "./storage.ts";

/** With a row number, unlike the pairs: SQLite keeps rows of many pages best in such a table. */
export const PIECE_TABLE =
  "CREATE TABLE IF NOT EXISTS pieces (file BLOB NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, " +
  "PRIMARY KEY (file, number)) STRICT;";

const READ = "SELECT bytes FROM pieces WHERE file = ? AND number = ?";

export class PieceReader {
  readonly #read: StatementSync;

  constructor(database: DatabaseSync) {
    this.#read = database.prepare(READ);
  }

  get(file: Key, number: number): Uint8Array | undefined {
    const bytes = this.#read.get(bytesOf(file), number)?.["bytes"];
    if (bytes === undefined || bytes instanceof Uint8Array) return bytes;
    throw new Error("A stored piece is not a blob.");
  }
}

export class PieceWriter {
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #numbers: StatementSync;

  constructor(database: DatabaseSync) {
    this.#put = database.prepare(
      "INSERT INTO pieces (file, number, bytes) VALUES (?, ?, ?) " +
        "ON CONFLICT (file, number) DO UPDATE SET bytes = excluded.bytes",
    );
    this.#remove = database.prepare("DELETE FROM pieces WHERE file = ? AND number = ?");
    this.#numbers = database.prepare(
      "SELECT number FROM pieces WHERE file = ? ORDER BY number LIMIT ?",
    );
  }

  /** Within the transaction of the group. */
  write(pieces: readonly PieceWrite[]): void {
    for (const [file, number, bytes] of pieces) {
      if (bytes === null) this.#remove.run(bytesOf(file), number);
      else this.#put.run(bytesOf(file), number, bytes);
    }
  }

  numbers(file: Key, limit: number): number[] {
    return this.#numbers.all(bytesOf(file), limit).map((row) => Number(row["number"]));
  }
}

function bytesOf(key: Key): Buffer {
  return Buffer.from(key, "latin1");
}
