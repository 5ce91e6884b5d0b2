/** Owns: keys that other parts of the engine keep for themselves, apart from everything else. Not: what they keep. */
import type { SystemTransaction } from "../application.ts";
import { SYSTEM, bytesText, textBytes } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";

export function systemTransaction(transaction: Transaction): SystemTransaction {
  const storageKey = (key: string): string => SYSTEM + textBytes(key);
  return {
    now: transaction.now,
    get: (key) => transaction.peek(storageKey(key)),
    put: (key, value) => transaction.put(storageKey(key), value),
    range(lo, hi, limit) {
      const found: (readonly [string, string])[] = [];
      const rows = transaction.range(storageKey(lo), storageKey(hi), "asc");
      while (found.length < limit && rows.next()) {
        found.push([bytesText(rows.key.slice(SYSTEM.length)), rows.value]);
      }
      return found;
    },
  };
}
