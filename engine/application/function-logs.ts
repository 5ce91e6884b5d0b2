/**
 * Owns: telling listeners what went on in each call, with what its transaction touched.
 * Not: keeping or showing it (logs/).
 */
import type { Footprint, FunctionLog } from "../application.ts";
import type { Transaction } from "../transactions/transaction.ts";

export type CallRecord = Omit<FunctionLog, "cached" | "footprint"> & {
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

  emit({ transaction, ...record }: CallRecord): void {
    if (this.#listeners.size === 0) return;
    const footprint = transaction === null ? NOTHING_TOUCHED : footprintOf(transaction);
    const log: FunctionLog = { ...record, cached: false, footprint };
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
    get readRanges() {
      return reads.merged();
    },
    get writtenKeys() {
      return transaction.writtenKeys();
    },
  };
}
