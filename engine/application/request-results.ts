/**
 * Owns: the results of clients' mutations, so that a resend after a lost answer gets the first one.
 * Not: which request is a resend (the client numbers its requests).
 *
 * The result is stored in the mutation's own commit, so both last or neither does. A mutation that failed or wrote
 * nothing left no trace that a second run could repeat, so nothing is stored for it and a resend runs.
 */
import type { RequestKey } from "../application.ts";
import { withCommitTs } from "../catalog/commit-timestamps.ts";
import type { Key } from "../storage/storage.ts";
import { REQUEST_RESULTS, endOf, justAfter } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { encodeKey } from "../values/keys.ts";

/** A browser that slept over night still has its unanswered mutations and sends them again. */
const KEEP_MS = 24 * 60 * 60 * 1000;
/** The sweep looks at twice as many results as were stored, so that it goes round faster than they arrive. */
const SWEEP_EVERY_RESULTS = 16;
const SWEPT_AT_A_TIME = 2 * SWEEP_EVERY_RESULTS;

type StoredResult = { readonly value: string; readonly commitTs: string; readonly at: number };

export class RequestResults {
  /** Where the sweep goes on; it walks round and round over all results. */
  #sweptTo: Key = REQUEST_RESULTS;
  #storedSinceSweep = 0;

  find(
    transaction: Transaction,
    requestKey: RequestKey,
  ): { readonly value: string; readonly commitTs: bigint } | null {
    const json = transaction.peek(resultKey(requestKey));
    if (json === undefined) return null;
    const { value, commitTs } = JSON.parse(json) as StoredResult;
    return { value, commitTs: BigInt(commitTs) };
  }

  store(transaction: Transaction, requestKey: RequestKey, value: string): void {
    this.#storedSinceSweep += 1;
    if (this.#storedSinceSweep >= SWEEP_EVERY_RESULTS) this.#sweep(transaction);
    transaction.onCommit((commitTs) => {
      const stored: StoredResult = {
        value: withCommitTs(value, commitTs),
        commitTs: String(commitTs),
        at: transaction.now,
      };
      transaction.put(resultKey(requestKey), JSON.stringify(stored));
    });
  }

  #sweep(transaction: Transaction): void {
    this.#storedSinceSweep = 0;
    const rows = transaction.range(this.#sweptTo, endOf(REQUEST_RESULTS), "asc");
    for (let count = 0; count < SWEPT_AT_A_TIME; count++) {
      if (!rows.next()) {
        this.#sweptTo = REQUEST_RESULTS;
        return;
      }
      this.#sweptTo = justAfter(rows.key);
      const { at } = JSON.parse(rows.value) as StoredResult;
      if (at < transaction.now - KEEP_MS) transaction.put(rows.key, null);
    }
  }
}

function resultKey({ sessionId, requestId }: RequestKey): Key {
  return REQUEST_RESULTS + encodeKey(sessionId) + encodeKey(requestId);
}
