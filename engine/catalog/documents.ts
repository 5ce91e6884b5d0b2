/**
 * Owns: writing a document so that its indexes stay right, and everything a write of one document counts and checks.
 * Not: which table or id is meant (functions/syscalls), what the schema says (schema.ts).
 */
import { FunctionError } from "../errors.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { createId } from "../values/ids.ts";
import type { JSONObject } from "../values/kinds.ts";
import { assertStorable, sizeOf } from "../values/sizes.ts";
import { hasPlaceholder, withCommitTs } from "./commit-timestamps.ts";
import { INDEX_ROW, documentKey, indexKey, parseDocument } from "./tables.ts";
import type { Document, Table } from "./tables.ts";

/** `count` bytes that nobody can guess. */
export type RandomBytes = (count: number) => Uint8Array;

const DOCUMENT_ID_BYTES = 16;
/**
 * An id begins with the time of creation, in its steps: what is made together is stored together, so that a store of
 * any size writes to few of its pages. The rest is what nobody can guess.
 */
const ID_TIME_BYTES = 7;
/** The least step that a double keeps apart at today's epoch milliseconds, doubled to last beyond 2039. */
const CREATION_STEP_MS = 1 / 1024;

export class Documents {
  readonly #random: RandomBytes;
  #lastCreationTime = 0;

  constructor(random: RandomBytes) {
    this.#random = random;
  }

  /** Without recording a read. */
  peek(transaction: Transaction, table: Table, id: string): Document | undefined {
    const json = transaction.peek(documentKey(table, id));
    return json === undefined ? undefined : parseDocument(json);
  }

  /** Counts the document as read. */
  read(transaction: Transaction, table: Table, id: string): Document | undefined {
    const json = transaction.read(documentKey(table, id));
    if (json === undefined) return undefined;
    const document = parseDocument(json);
    transaction.usage.addRead(sizeOf(document));
    return document;
  }

  insert(transaction: Transaction, table: Table, fields: JSONObject): string {
    return this.restore(transaction, table, fields, {});
  }

  /** Like `insert`, with the id and the time of creation that the document had elsewhere; the id must be the table's. */
  restore(
    transaction: Transaction,
    table: Table,
    fields: JSONObject,
    { id: givenId, creationTime }: { readonly id?: string; readonly creationTime?: number },
  ): string {
    const createdAt = creationTime ?? this.#nextCreationTime(transaction);
    const id = givenId ?? createId(table.number, this.#idBytes(createdAt));
    const document = { ...fields, _creationTime: createdAt, _id: id };
    assertStorable(document);
    countWrite(transaction, table, sizeOf(document));
    this.#write(transaction, table, document);
    for (const index of writtenIndexes(table)) {
      transaction.put(indexKey(index, document), INDEX_ROW);
    }
    return id;
  }

  /** Replaces all fields but the system fields. */
  replace(transaction: Transaction, table: Table, before: Document, fields: JSONObject): void {
    const document = {
      ...fields,
      _creationTime: before._creationTime,
      _id: before._id,
    };
    assertStorable(document);
    countWrite(transaction, table, sizeOf(document));
    this.#write(transaction, table, document);
    moveIndexRows(transaction, table, before, document);
  }

  remove(transaction: Transaction, table: Table, document: Document): void {
    countWrite(transaction, table, 0);
    transaction.put(documentKey(table, document._id), null);
    for (const index of writtenIndexes(table)) transaction.put(indexKey(index, document), null);
  }

  #write(transaction: Transaction, table: Table, document: Document): void {
    const json = JSON.stringify(document);
    transaction.put(documentKey(table, document._id), json);
    if (hasPlaceholder(json)) resolveAtCommit(transaction, table, document._id);
  }

  #idBytes(createdAt: number): Uint8Array {
    const bytes = new Uint8Array(DOCUMENT_ID_BYTES);
    let steps = Math.max(0, Math.floor(createdAt / CREATION_STEP_MS));
    for (let place = ID_TIME_BYTES - 1; place >= 0; place--) {
      bytes[place] = steps % 256;
      steps = Math.floor(steps / 256);
    }
    bytes.set(this.#random(DOCUMENT_ID_BYTES - ID_TIME_BYTES), ID_TIME_BYTES);
    return bytes;
  }

  #nextCreationTime(transaction: Transaction): number {
    this.#lastCreationTime = Math.max(transaction.now, this.#lastCreationTime + CREATION_STEP_MS);
    return this.#lastCreationTime;
  }
}

/** As on Convex, the rows of the engine's own tables (scheduled functions) are no writes of the function's. */
function countWrite(transaction: Transaction, table: Table, bytes: number): void {
  if (!table.name.startsWith("_")) transaction.usage.addWrite(bytes);
}

/** Readers of an index range hear of the change also when the index keys stay as they were. */
function moveIndexRows(
  transaction: Transaction,
  table: Table,
  before: Document,
  after: Document,
): void {
  for (const index of writtenIndexes(table)) {
    const from = indexKey(index, before);
    const to = indexKey(index, after);
    if (from === to) {
      transaction.touch(to);
    } else {
      transaction.put(from, null);
      transaction.put(to, INDEX_ROW);
    }
  }
}

/** What stands in the document at commit decides: it may have been written again, removed or rolled back since. */
function resolveAtCommit(transaction: Transaction, table: Table, id: string): void {
  const key = documentKey(table, id);
  transaction.onCommit((commitTs) => {
    const json = transaction.peek(key);
    if (json === undefined || !hasPlaceholder(json)) return;
    const resolved = withCommitTs(json, commitTs);
    transaction.put(key, resolved);
    const [pending, committed] = [parseDocument(json), parseDocument(resolved)];
    for (const index of writtenIndexes(table)) {
      const from = indexKey(index, pending);
      const to = indexKey(index, committed);
      if (from === to) continue;
      // No store ever holds a placeholder, so there is nothing to remove from it.
      transaction.withdraw(from);
      transaction.put(to, INDEX_ROW);
    }
  });
}

function writtenIndexes(table: Table): Table["indexes"] {
  return table.indexes.filter((index) => index.state !== "dropped");
}

export function assertWritable(table: string): void {
  if (!table.startsWith("_")) return;
  throw new FunctionError(`System tables (prefixed with \`_\`) are read-only; got "${table}".`);
}
