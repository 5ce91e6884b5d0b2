/**
 * Owns: opening the database file: its settings, its format, and the check that it is sound.
 * Not: what is read and written through it (sqlite.ts), or who may open it (lock.ts).
 */
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StorageError } from "../errors.ts";
import { DICTIONARY_TABLE } from "./packed-values.ts";
import { findLogDamage } from "./sqlite-log.ts";
import { PIECE_TABLE } from "./sqlite-pieces.ts";
import {
  CHECKPOINT_IN_COMMIT_AFTER_PAGES,
  MAX_ALWAYS_CHECKED_BYTES,
  MAX_LOG_FILE_BYTES,
  STORAGE_PAGE_CACHE_BYTES,
} from "../limits.ts";

/**
 * `power`: a sync survives a loss of power. `os`: it says so at once, and what was flushed survives the death of the
 * process only; a loss of power may take the last moments, never the order of what is left.
 */
export type Durability = "power" | "os";

/** Its name in the data folder. */
export const DATABASE_FILE = "footfall.sqlite";

/** "Foot", so that `file` and we can tell our databases from other people's. */
export const APPLICATION_ID = 0x466f6f74;
/**
 * 2: rows of an index are empty, values may be packed. In a database that was made in format 1 values stay as they are,
 * and its older index rows repeat the id, which does no harm.
 * 3: short values are packed without zlib; what stands there already stays as it is.
 */
export const FORMAT_VERSION = 3;
const READABLE_VERSIONS: readonly unknown[] = [1, 2, FORMAT_VERSION];

export function isReadableFormat(version: unknown): boolean {
  return READABLE_VERSIONS.includes(version);
}

/** For a backup or an inspection by other tools, which lock the file for a moment. */
const FOREIGN_LOCK_WAIT_MS = 5_000;

/** Says now, and not at the first write, that a file may only be read. */
const TAKE_AND_LEAVE_THE_WRITE_LOCK = "BEGIN IMMEDIATE; ROLLBACK";

/** A log that begins anew holds no rest of an older one, which could be taken for commits that got lost. */
const BEGIN_A_NEW_LOG = "PRAGMA wal_checkpoint(TRUNCATE)";

/** Throws a StorageError with one sentence when the file is damaged, foreign, or of a later format. */
export function openDatabase(path: string, durability: Durability): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    const needsCheck = mustCheck(path);
    const wasClosed = existsSync(path) && !existsSync(logOf(path));
    if (durability === "power") assertLogSound(path);
    database = new DatabaseSync(path);
    database.exec(SETTINGS);
    if (wasClosed) assertWholePages(database, path);
    if (needsCheck) assertSound(database, path);
    prepareFormat(database, path);
    database.exec(PIECE_TABLE);
    database.exec(TAKE_AND_LEAVE_THE_WRITE_LOCK);
    database.exec(BEGIN_A_NEW_LOG);
    return database;
  } catch (error) {
    if (database?.isOpen) database.close();
    throw error instanceof StorageError ? error : openingFailed(path, error);
  }
}

/** With NORMAL SQLite keeps the log and the file in order, and leaves it to log-sync.ts to bring each group to the disk. */
const SETTINGS = `
  PRAGMA busy_timeout = ${FOREIGN_LOCK_WAIT_MS};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -${STORAGE_PAGE_CACHE_BYTES / 1024};
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_IN_COMMIT_AFTER_PAGES};
  PRAGMA journal_size_limit = ${MAX_LOG_FILE_BYTES};`;

export const logOf = (path: string): string => `${path}-wal`;

/** Where a loss of power may take the last moments, a log with gaps is none that acknowledged anything. */
function assertLogSound(path: string): void {
  if (!existsSync(path) || !existsSync(logOf(path))) return;
  const finding = findLogDamage(logOf(path));
  if (finding === null) return;
  throw new StorageError(
    "corrupt",
    `The database ${path} is damaged (${finding}). Start with a backup in an empty folder (engine/README.md says how), ` +
      `or remove ${logOf(path)} to go on without what it holds.`,
  );
}

/** A log that was left behind means that nobody closed the database. */
function mustCheck(path: string): boolean {
  if (!existsSync(path)) return false;
  return existsSync(logOf(path)) || statSync(path).size <= MAX_ALWAYS_CHECKED_BYTES;
}

/** With a log beside it, a crash may have been in the middle of writing the last page, which then stands in the log. */
function assertWholePages(database: DatabaseSync, path: string): void {
  const pageBytes = Number(readScalar(database, "PRAGMA page_size"));
  if (statSync(path).size % pageBytes !== 0) throw damaged(path, "its last page is torn");
}

function assertSound(database: DatabaseSync, path: string): void {
  const finding = readScalar(database, "PRAGMA quick_check(1)");
  if (finding !== "ok") throw damaged(path, String(finding));
}

function prepareFormat(database: DatabaseSync, path: string): void {
  const version = readScalar(database, "PRAGMA user_version");
  const applicationId = readScalar(database, "PRAGMA application_id");
  const tableCount = readScalar(database, "SELECT count(*) FROM sqlite_schema");
  if (tableCount === 0) {
    createFormat(database);
    return;
  }
  if (applicationId !== APPLICATION_ID) {
    throw new StorageError(
      "corrupt",
      `The file ${path} is a database of another program. Choose another data folder with --data.`,
    );
  }
  if (!isReadableFormat(version)) {
    throw new StorageError(
      "corrupt",
      `The database ${path} has format ${String(version)}, and this version reads format ${FORMAT_VERSION}. ` +
        "Run the version that wrote it, or export there and import here.",
    );
  }
  if (version !== FORMAT_VERSION) database.exec(`PRAGMA user_version = ${FORMAT_VERSION}`);
}

/** Whether values may be packed: not in a database that was made in format 1. */
export function takesPackedValues(database: DatabaseSync): boolean {
  const sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'dictionaries'";
  return readScalar(database, sql) === 1;
}

function createFormat(database: DatabaseSync): void {
  database.exec(`
    BEGIN;
    CREATE TABLE pairs (key BLOB PRIMARY KEY, value ANY NOT NULL) WITHOUT ROWID, STRICT;
    ${DICTIONARY_TABLE}
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${FORMAT_VERSION};
    COMMIT;`);
}

function readScalar(database: DatabaseSync, sql: string): unknown {
  return Object.values(database.prepare(sql).get() ?? {})[0];
}

/** SQLite's result codes that say that the bytes in the file are wrong. */
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  const primaryCode = Number(error.errcode) & 0xff;
  return primaryCode === SQLITE_CORRUPT || primaryCode === SQLITE_NOTADB;
}

export function damaged(path: string, finding: string, cause?: unknown): StorageError {
  return new StorageError(
    "corrupt",
    `The database ${path} is damaged (${finding.replace(/\s+/g, " ")}). ` +
      "Start with a backup in an empty folder (engine/README.md says how), or move it away to start empty.",
    cause,
  );
}

function openingFailed(path: string, error: unknown): StorageError {
  const reason = error instanceof Error ? error.message : String(error);
  if (isDamage(error)) return damaged(path, reason, error);
  return new StorageError(
    "unreadable",
    `The database ${path} cannot be opened: ${reason}. Check its permissions and the space on its disk.`,
    error,
  );
}
