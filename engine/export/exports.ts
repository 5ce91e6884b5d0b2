/**
 * Owns: `npx convex export`: a snapshot that waits for its download, and what the CLI is told of it.
 * Not: the ZIP (snapshot-zip.ts).
 *
 * Nothing is written to disk: the snapshot is held open, and the ZIP is made while it is downloaded.
 */
import type { Readable } from "node:stream";
import type { Application, DataSnapshot, SystemQuery } from "../application.ts";
import type { Clock } from "../clock.ts";
import { int64Text } from "./int64-text.ts";
import { snapshotZip } from "./snapshot-zip.ts";

const LATEST_KEY = "exports/latest";
/** The CLI downloads at once; a snapshot that nobody fetches must not hold the write-ahead log for ever. */
const FETCH_WITHIN_MS = 5 * 60_000;

type Waiting = {
  readonly snapshot: DataSnapshot;
  readonly withFiles: boolean;
  readonly stopTimer: () => void;
};

export class Exports {
  readonly #application: Application;
  readonly #clock: Clock;
  readonly #components: () => Promise<readonly string[]>;
  #waiting: Waiting | null = null;
  readonly #open = new Set<DataSnapshot>();

  constructor(
    application: Application,
    clock: Clock,
    components: () => Promise<readonly string[]>,
  ) {
    this.#application = application;
    this.#clock = clock;
    this.#components = components;
    application.registerSystemQuery("_system/cli/exports:getLatest", latest);
  }

  async request(withFiles: boolean): Promise<void> {
    const snapshot = await this.#application.moves.snapshot();
    this.#dropWaiting();
    this.#open.add(snapshot);
    const stopTimer = this.#clock.setTimer(() => this.#dropWaiting(), FETCH_WITHIN_MS);
    this.#waiting = { snapshot, withFiles, stopTimer };
    const ts = int64Text(snapshot.ts);
    await this.#application.transact((transaction) =>
      transaction.put(
        LATEST_KEY,
        `{"state":"completed","start_ts":${ts},"complete_ts":${ts},"zip_object_key":"${snapshot.ts}"}`,
      ),
    );
  }

  /** Null when no such export waits; each can be fetched once. */
  async download(ts: string): Promise<Readable | null> {
    const waiting = this.#waiting;
    if (waiting === null || String(waiting.snapshot.ts) !== ts) return null;
    this.#waiting = null;
    waiting.stopTimer();
    const { snapshot, withFiles } = waiting;
    const zip = snapshotZip(snapshot, await this.#components(), { withFiles });
    zip.once("close", () => this.#close(snapshot));
    return zip;
  }

  close(): void {
    this.#dropWaiting();
    for (const snapshot of this.#open) this.#close(snapshot);
  }

  #dropWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) return;
    waiting.stopTimer();
    this.#close(waiting.snapshot);
  }

  #close(snapshot: DataSnapshot): void {
    this.#open.delete(snapshot);
    snapshot.close();
  }
}

const latest: SystemQuery = (read) => read.stored(LATEST_KEY) ?? "null";
