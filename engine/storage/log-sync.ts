/**
 * Owns: bringing the write-ahead log to the disk, beside the thread that runs transactions: a flush of the disk takes
 * as long as many of them.
 * Not: what is written into the log (SQLite does that when a group is committed), or when.
 *
 * What SQLite itself does with synchronous=FULL at each commit, and with the same call (fdatasync on the log). It brings
 * the log's beginning and the database to the disk by itself when it starts a new log.
 */
import { closeSync, fdatasync, openSync } from "node:fs";

export class LogSync {
  readonly #path: string;
  #file: number | null = null;

  /** `path`: of the log, which exists once something was committed, and stays the same file until the database is closed. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when everything committed before is on the disk. */
  async sync(): Promise<void> {
    const file = (this.#file ??= openSync(this.#path, "r+"));
    await new Promise<void>((resolve, reject) => {
      fdatasync(file, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
