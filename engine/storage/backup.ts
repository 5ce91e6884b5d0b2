/**
 * Owns: a copy of the database in one file, made while the engine runs, and the proof that it can be read.
 * Not: moving data to another kind of deployment (export/).
 *
 * `VACUUM INTO` through a connection of its own that may only read: it copies one state of the database, between two
 * groups of commits, without stopping the writer, and leaves no free pages. SQLite's page-wise backup would begin
 * again with each write of another process; copying the file would tear it from its write-ahead log.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageError } from "../errors.ts";
import { APPLICATION_ID, DATABASE_FILE, isReadableFormat } from "./sqlite-file.ts";

export type Backup = { readonly bytes: number; readonly pairs: number };

/** Throws a StorageError with one sentence; then there is no file at `to`. */
export function backUpDatabase(dataFolder: string, to: string): Backup {
  const from = join(dataFolder, DATABASE_FILE);
  if (!existsSync(from)) {
    throw new StorageError(
      "unreadable",
      `There is no database in ${dataFolder}. Name the data folder with --data.`,
    );
  }
  if (existsSync(to)) {
    throw new StorageError(
      "unreadable",
      `${to} exists, and a backup overwrites nothing. Choose another name with --to.`,
    );
  }
  const partial = `${to}.partial`;
  try {
    rmSync(partial, { force: true });
    copy(from, partial);
    const pairs = verified(partial);
    makeLast(partial, to);
    return { pairs, bytes: statSync(to).size };
  } catch (error) {
    rmSync(partial, { force: true });
    if (error instanceof StorageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(
      "unreadable",
      `The backup to ${to} was not made: ${reason}. Check that its folder exists and has room.`,
      error,
    );
  }
}

function copy(from: string, to: string): void {
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    database.prepare("VACUUM INTO ?").run(to);
  } finally {
    database.close();
  }
  chmodSync(to, 0o600);
}

/** How many pairs are in it. */
function verified(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const scalar = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
    const finding = scalar("PRAGMA integrity_check(1)");
    const isOurs =
      scalar("PRAGMA application_id") === APPLICATION_ID &&
      isReadableFormat(scalar("PRAGMA user_version"));
    if (finding !== "ok" || !isOurs) {
      throw new StorageError(
        "corrupt",
        `The copy is not sound (${isOurs ? String(finding) : "not of this program's format"}), and was removed. Check the database.`,
      );
    }
    return Number(scalar("SELECT count(*) FROM pairs"));
  } finally {
    database.close();
  }
}

/** On the disk before it has its name, so that a file of that name is always a whole one. */
function makeLast(partial: string, to: string): void {
  synchronise(partial);
  renameSync(partial, to);
  synchronise(dirname(to));
}

function synchronise(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}
