/**
 * Owns: that one process at a time uses a data folder, and telling which one does.
 * Not: what lies in the folder.
 *
 * The lock is the operating system's, held through an open SQLite file: the kernel drops it when the process ends,
 * however it ends. So no lock is ever stale, a pid that another program got since cannot block anybody, and two
 * containers that share a folder (and in which everybody has pid 1) exclude each other. The pid file beside it only
 * says whom to look for.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DataFolderError } from "../errors.ts";

const LOCK_FILE = "engine.lock";
const PID_FILE = "engine.pid";

export interface FolderLock {
  /** May be called twice. */
  release(): void;
}

/** Creates the folder if need be. Throws a DataFolderError with one sentence when it is held or cannot be written. */
export function lockDataFolder(folder: string): FolderLock {
  makeWritable(folder);
  const lock = takeLock(folder);
  const pidFile = join(folder, PID_FILE);
  try {
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    lock.close();
    throw unwritable(folder, error);
  }
  return {
    release() {
      if (!lock.isOpen) return;
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

function makeWritable(folder: string): void {
  const probe = join(folder, `.writable-${process.pid}`);
  try {
    makeFolder(folder);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** One by one: Node's own recursive mkdir spins for ever under a folder that holds none, such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it since.
    if (!existsSync(folder)) throw error;
  }
}

function takeLock(folder: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, LOCK_FILE));
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    throw isBusy(error) ? held(folder, error) : unwritable(folder, error);
  }
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
  );
}

function held(folder: string, cause: unknown): DataFolderError {
  return new DataFolderError(
    "held",
    `The data folder ${folder} is in use by ${holderOf(folder)}. ` +
      "Stop that process, or choose another folder with --data.",
    cause,
  );
}

/** In the instant between taking the lock and writing the pid there is nothing to read yet. */
function holderOf(folder: string): string {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, PID_FILE), "utf8"), 10);
    return Number.isInteger(pid) ? `process ${pid}` : "another process";
  } catch (error) {
    if (error instanceof Error) return "another process";
    throw error;
  }
}

function unwritable(folder: string, cause: unknown): DataFolderError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DataFolderError(
    "unwritable",
    `The data folder ${folder} cannot be written (${reason}). ` +
      "Change its permissions, or choose another folder with --data.",
    cause,
  );
}
