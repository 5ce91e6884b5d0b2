/**
 * Owns: telling listeners what went on in each call, with what its transaction touched.
 * Not: keeping or showing it (logs/).
 */
import type { Footprint, FunctionLog, FunctionTarget } from "../application.ts";
import type { LogLine } from "../functions/console.ts";
import type { Transaction } from "../transactions/transaction.ts";

export type CallRecord = {
  readonly kind: FunctionLog["kind"];
  readonly target: FunctionTarget;
  readonly requestId: string;
  /** Epoch ms. */
  readonly at: number;
  /** Of `performance.now()`. */
  readonly startedAtMs: number;
};

export type CallOutcome = {
  readonly logLines: readonly LogLine[];
  readonly error: string | null;
  readonly transaction: Transaction | null;
};

const NOTHING_TOUCHED: Footprint = {
  documentsRead: 0,
  documentsWritten: 0,
  databaseQueries: 0,
  bytesRead: 0,
  bytesWritten: 0,
  readRanges: [],
  writtenKeys: [],
};

export class FunctionLogs {
  readonly #listeners = new Set<(log: FunctionLog) => void>();

  listen(listener: (log: FunctionLog) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(call: CallRecord, { logLines, error, transaction }: CallOutcome): void {
    if (this.#listeners.size === 0) return;
    const { startedAtMs, ...record } = call;
    const log: FunctionLog = {
      ...record,
      durationMs: performance.now() - startedAtMs,
      logLines,
      error,
      cached: false,
      footprint: transaction === null ? NOTHING_TOUCHED : footprintOf(transaction),
    };
    for (const listener of this.#listeners) listener(log);
  }
}

function footprintOf(transaction: Transaction): Footprint {
  const { usage, reads } = transaction;
  return {
    documentsRead: usage.used("documentsRead"),
    documentsWritten: usage.used("documentsWritten"),
    databaseQueries: usage.used("databaseQueries"),
    bytesRead: usage.used("bytesRead"),
    bytesWritten: usage.used("bytesWritten"),
    readRanges: reads.merged(),
    writtenKeys: transaction.writtenKeys(),
  };
}
