/**
 * Owns: all documents as of one moment, out of a snapshot of the store.
 * Not: the form in which they leave (export/).
 */
import type { DataSnapshot, TableAddress } from "../application.ts";
import { isSystemTable } from "../catalog/catalog.ts";
import { documentsOf, tableKey } from "../catalog/tables.ts";
import type { Table } from "../catalog/tables.ts";
import type { Key, StorageSnapshot } from "../storage/storage.ts";
import { COMMIT_TS_KEY, TABLES, endOf, justAfter } from "../transactions/key-space.ts";

/** What is held at once; a document has at most 1 MiB, and most have some hundred bytes. */
const PAGE_DOCUMENTS = 100;
const PAGE_TABLES = 1_000;

export function dataSnapshot(stored: StorageSnapshot): DataSnapshot {
  const tables = [...tablesIn(stored)].filter(({ name }) => !isSystemTable(name));
  const byKey = new Map(tables.map((table) => [tableKey(table.componentPath, table.name), table]));
  const find = ({ componentPath, name }: TableAddress): Table | undefined =>
    byKey.get(tableKey(componentPath, name));
  return {
    ts: BigInt(stored.get(COMMIT_TS_KEY) ?? "0"),
    tables,
    count(address) {
      const table = find(address);
      if (table === undefined) return 0;
      return stored.count(documentsOf(table), endOf(documentsOf(table)));
    },
    *pages(address) {
      const table = find(address);
      if (table === undefined) return;
      for (const page of pagesOf(stored, documentsOf(table), PAGE_DOCUMENTS)) {
        yield page.map(([, json]) => json);
      }
    },
    close: () => stored.close(),
  };
}

function* tablesIn(stored: StorageSnapshot): Iterable<Table> {
  for (const page of pagesOf(stored, TABLES, PAGE_TABLES)) {
    for (const [, json] of page) {
      const table = JSON.parse(json) as Table & { readonly id?: number };
      yield { ...table, id: table.id ?? table.number };
    }
  }
}

function* pagesOf(
  stored: StorageSnapshot,
  prefix: Key,
  limit: number,
): Iterable<readonly (readonly [Key, string])[]> {
  let lo: Key | null = prefix;
  while (lo !== null) {
    const page: readonly (readonly [Key, string])[] = stored.page(lo, endOf(prefix), limit);
    const last = page.at(-1);
    if (page.length > 0) yield page;
    lo = last === undefined || page.length < limit ? null : justAfter(last[0]);
  }
}
