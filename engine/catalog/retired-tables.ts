/**
 * Owns: rows that no table's name leads to: those of a table that was replaced, and of an import that is not finished.
 * They are remembered in the store until they are gone, so a crash leaves nothing behind for ever.
 * Not: which table replaces which (catalog.ts).
 */
import type { Key, Storage } from "../storage/storage.ts";
import type { Commits } from "../transactions/commits.ts";
import type { Executor } from "../transactions/executor.ts";
import { DOCUMENTS, INDEXES, RETIRED_TABLES, endOf, idBytes } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { contentAt, discardFile, filesOf } from "./stored-files.ts";
import type { Table } from "./tables.ts";

/** About two milliseconds of work, so that others hardly wait. */
const REMOVED_ROWS_PER_BATCH = 200;

export type RetiredTable = { readonly key: Key; readonly indexIds: readonly number[] };

export function retiredKey(table: Table): Key {
  return RETIRED_TABLES + idBytes(table.id);
}

export function retire(transaction: Transaction, table: Table): void {
  const { key, indexIds } = retiredOf(table);
  transaction.put(key, JSON.stringify(indexIds));
}

export function retiredOf(table: Table): RetiredTable {
  return { key: retiredKey(table), indexIds: table.indexes.map((index) => index.id) };
}

export function idOfKey(key: Key): number {
  return Buffer.from(key.slice(RETIRED_TABLES.length), "latin1").readUInt32BE(0);
}

export function retiredTables(storage: Pick<Storage, "range">): RetiredTable[] {
  const found: RetiredTable[] = [];
  const rows = storage.range(RETIRED_TABLES, endOf(RETIRED_TABLES), "asc");
  while (rows.next()) found.push({ key: rows.key, indexIds: JSON.parse(rows.value) as number[] });
  return found;
}

/** Batch by batch, until the table's rows and the record of it are gone. */
export async function emptyRetired(
  { key, indexIds }: RetiredTable,
  commits: Commits,
  executor: Executor,
  isStopped: () => boolean,
): Promise<void> {
  const tableId = idOfKey(key);
  const ranges = [
    DOCUMENTS + idBytes(tableId),
    ...indexIds.map((id) => INDEXES + idBytes(id)),
    filesOf(tableId),
  ];
  for (const prefix of ranges) {
    let isEmpty = false;
    while (!isEmpty) {
      if (isStopped()) return;
      isEmpty = await executor.run(() => removeBatch(tableId, prefix, commits));
    }
  }
  await executor.run(() => {
    const transaction = commits.begin();
    transaction.put(key, null);
    commits.commit(transaction);
  });
}

function removeBatch(tableId: number, prefix: Key, commits: Commits): boolean {
  const transaction = commits.begin();
  const rows = transaction.range(prefix, endOf(prefix), "asc");
  const keys: Key[] = [];
  const files: Key[] = [];
  while (keys.length < REMOVED_ROWS_PER_BATCH && rows.next()) {
    keys.push(rows.key);
    const content = contentAt(tableId, rows.key, rows.value);
    if (content !== null) files.push(content.file);
  }
  for (const file of files) discardFile(transaction, file);
  for (const key of keys) transaction.put(key, null);
  commits.commit(transaction);
  return keys.length < REMOVED_ROWS_PER_BATCH;
}
