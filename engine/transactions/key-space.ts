/**
 * Owns: which first byte of a storage key belongs to what, so that nothing ever overlaps.
 * Not: what stands behind the first byte; each owner encodes that itself.
 */
import type { Key } from "../storage/storage.ts";

/** The last commit's timestamp, epoch nanoseconds as decimal text. */
export const COMMIT_TS_KEY: Key = "c";
/** The pushed code of the running deployment. */
export const DEPLOYMENT_KEY: Key = "p";

/** + table id + document id → the document. */
export const DOCUMENTS: Key = "d";
/** + environment variable's name → its value. */
export const ENVIRONMENT: Key = "e";
/** + table id + what stored-files.ts puts there → which file a row of _storage stands for. */
export const FILES: Key = "f";
/** + a file's key → empty; files that no row stands for (yet, or any more): they are to be removed. */
export const DISCARDED_FILES: Key = "g";
/** + index id + encoded fields + document id → empty. */
export const INDEXES: Key = "i";
/** + due time + job id → the job. */
export const DUE_JOBS: Key = "j";
/** + job id → empty; actions that have begun and not ended. */
export const RUNNING_JOBS: Key = "k";
/** + end time + job id → empty; finished jobs, oldest first, for their removal. */
export const FINISHED_JOBS: Key = "l";
/** + session + request number → the result of a client's mutation. */
export const REQUEST_RESULTS: Key = "r";
/** + a key of another part of the engine (SystemTransaction). */
export const SYSTEM: Key = "s";
/** + storage id of a table that no name leads to → the ids of its indexes: rows that are to be removed. */
export const RETIRED_TABLES: Key = "x";
/** The secret that tokens for uploads are signed with. */
export const UPLOAD_SECRET_KEY: Key = "u";
/** + component path + table name → the table and its indexes. */
export const TABLES: Key = "t";

/** Four bytes, big-endian: an id of a table or index inside a key. */
export function idBytes(id: number): Key {
  return String.fromCharCode((id >>> 24) & 255, (id >>> 16) & 255, (id >>> 8) & 255, id & 255);
}

/** Any text as a byte string; its order is that of the UTF-8 bytes. */
export function textBytes(text: string): Key {
  return Buffer.from(text, "utf8").toString("latin1");
}

export function bytesText(bytes: Key): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** The range that holds exactly one key ends here. */
export function justAfter(key: Key): Key {
  return key + "\x00";
}

/** The range of all keys that begin with `prefix` ends here. The prefix must not end with the byte 255. */
export function endOf(prefix: Key): Key {
  return prefix + "\xff";
}
