/**
 * Owns: one `ctx.db.query(…)` being read: documents of a range in order, filtered and limited, each read recorded.
 * Not: which range is meant (catalog/index-range.ts), pages (pagination.ts).
 */
import type { IndexRange } from "../catalog/index-range.ts";
import { documentKey, idAt, parseDocument } from "../catalog/tables.ts";
import type { Document, Table } from "../catalog/tables.ts";
import type { Cursor, Key } from "../storage/storage.ts";
import { justAfter } from "../transactions/key-space.ts";
import type { Order } from "../transactions/merged-cursor.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { JSONValue } from "../values/kinds.ts";
import { sizeOf } from "../values/sizes.ts";
import { passes } from "./filter.ts";

export type QueryPlan = {
  readonly table: Table;
  readonly range: IndexRange;
  readonly order: Order;
  readonly filters: readonly JSONValue[];
  /** Infinity without `.take()`. */
  readonly limit: number;
};

export class QueryStream {
  readonly #transaction: Transaction;
  readonly #plan: QueryPlan;
  #cursor: Cursor | null = null;
  #returned = 0;
  #isRecorded = false;
  /** Rows looked at, also those that the filter dropped. */
  rowsRead = 0;
  bytesRead = 0;
  /** Where the last looked-at document stands. */
  position: Key | null = null;

  constructor(transaction: Transaction, plan: QueryPlan) {
    this.#transaction = transaction;
    this.#plan = plan;
  }

  /** The next document that passes; null at the end. */
  next(): Document | null {
    while (this.#returned < this.#plan.limit) {
      const document = this.advance();
      if (document === null) break;
      if (this.passes(document)) {
        this.#returned++;
        return document;
      }
    }
    this.close();
    return null;
  }

  /** The next document of the range, whether or not it passes. */
  advance(): Document | null {
    const { lo, hi, of } = this.#plan.range;
    if (lo >= hi) return null;
    this.#cursor ??= this.#transaction.range(lo, hi, this.#plan.order);
    if (!this.#cursor.next()) {
      this.position = null;
      this.#record(lo, hi);
      return null;
    }
    const { key, value } = this.#cursor;
    this.position = key;
    const document = parseDocument(of === "documents" ? value : this.#load(key));
    const bytes = sizeOf(document);
    this.rowsRead++;
    this.bytesRead += bytes;
    this.#transaction.usage.addRead(bytes);
    return document;
  }

  passes(document: Document): boolean {
    return this.#plan.filters.every((filter) => passes(document, filter));
  }

  /** Records as read what was walked through: readers of the rest do not mind what happens there. */
  close(): void {
    if (this.position === null) return;
    const { lo, hi } = this.#plan.range;
    if (this.#plan.order === "asc") this.#record(lo, justAfter(this.position));
    else this.#record(this.position, hi);
  }

  #record(lo: Key, hi: Key): void {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    this.#transaction.reads.add(lo, hi);
  }

  #load(key: Key): string {
    const id = idAt(this.#plan.table, key);
    const json = this.#transaction.peek(documentKey(this.#plan.table, id));
    if (json === undefined) throw new Error(`An index row names ${id}, which does not exist.`);
    return json;
  }
}
