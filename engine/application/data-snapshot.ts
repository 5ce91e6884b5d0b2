/**
 * Owns: all documents as of one moment, out of a snapshot of the store.
 * Not: the form in which they leave (export/).
 */
import type { DataSnapshot, SnapshotFile, TableAddress } from "../application.ts";
import { isSystemTable } from "../catalog/catalog.ts";
import { idKey, parseContent } from "../catalog/stored-files.ts";
import { documentsOf, parseDocument, tableKey } from "../catalog/tables.ts";
import type { Table } from "../catalog/tables.ts";
import { readFile } from "../functions/file-contents.ts";
import { factsIn } from "../functions/file-store.ts";
import type { Key, StorageSnapshot } from "../storage/storage.ts";
import { FILE_TABLE } from "../system-tables.ts";
import { COMMIT_TS_KEY, TABLES, endOf, justAfter } from "../transactions/key-space.ts";

/** What is held at once; a document has at most 1 MiB, and most have some hundred bytes. */
const PAGE_DOCUMENTS = 100;
const PAGE_TABLES = 1_000;

export function dataSnapshot(stored: StorageSnapshot): DataSnapshot {
  const all = [...tablesIn(stored)];
  const tables = all.filter(({ name }) => !isSystemTable(name));
  const byKey = new Map(all.map((table) => [tableKey(table.componentPath, table.name), table]));
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
      if (table !== undefined) yield* documentPages(stored, table);
    },
    *files(componentPath) {
      const table = find({ componentPath, name: FILE_TABLE });
      if (table === undefined) return;
      for (const page of documentPages(stored, table)) {
        for (const json of page) yield fileOf(stored, table, json);
      }
    },
    close: () => stored.close(),
  };
}

function* documentPages(stored: StorageSnapshot, table: Table): Iterable<readonly string[]> {
  for (const page of pagesOf(stored, documentsOf(table), PAGE_DOCUMENTS)) {
    yield page.map(([, json]) => json);
  }
}

function fileOf(stored: StorageSnapshot, table: Table, json: string): SnapshotFile {
  const row = parseDocument(json);
  const { _id: id, _creationTime: creationTime } = row;
  const stands = stored.get(idKey(table, id));
  if (stands === undefined) throw new Error(`The file ${id} has a row and no content.`);
  const content = parseContent(stands);
  const facts = factsIn(row);
  const bytes = () =>
    readFile((number) => stored.piece(content.file, number), content, 0, facts.size);
  return { id, creationTime, ...facts, name: content.name, bytes };
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
