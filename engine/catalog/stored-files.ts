/**
 * Owns: which file a row of `_storage` stands for, and by which name of its own the world reaches it.
 * Not: the rows that user code sees (documents.ts), the bytes (the store's pieces), who may upload (functions/).
 *
 * As on Convex, the address of a file holds a random name and not its id: whoever knows an id cannot read the file.
 */
import type { Key } from "../storage/storage.ts";
import { DISCARDED_FILES, FILES, idBytes } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { Table } from "./tables.ts";

/** Convex's own. */
export const FILE_TABLE_NUMBER = 540;

export type FileContent = {
  /** What stands in its address. */
  readonly name: string;
  /** Of its pieces in the store. */
  readonly file: Key;
  /** Of every piece but the last one. */
  readonly pieceBytes: number;
};

const KEYED_BY_ID = "i";
const KEYED_BY_NAME = "n";

/** Whoever reads it hears when the row goes away. */
export function contentOf(
  transaction: Transaction,
  table: Table,
  id: string,
): FileContent | undefined {
  const json = transaction.read(idKey(table, id));
  return json === undefined ? undefined : parseContent(json);
}

/** The id of the row whose file has this name. */
export function idOfName(transaction: Transaction, table: Table, name: string): string | undefined {
  return transaction.read(nameKey(table, name));
}

export function attachContent(
  transaction: Transaction,
  table: Table,
  id: string,
  content: FileContent,
): void {
  transaction.put(idKey(table, id), JSON.stringify(content));
  transaction.put(nameKey(table, content.name), id);
  transaction.put(DISCARDED_FILES + content.file, null);
}

export function detachContent(
  transaction: Transaction,
  table: Table,
  id: string,
  content: FileContent,
): void {
  transaction.put(idKey(table, id), null);
  transaction.put(nameKey(table, content.name), null);
  discardFile(transaction, content.file);
}

/** No row stands for the file: it is removed, unless one does before anybody came to that. */
export function discardFile(transaction: Transaction, file: Key): void {
  transaction.put(DISCARDED_FILES + file, "");
}

/** Where all of the above lies for a table with this id. */
export function filesOf(tableId: number): Key {
  return FILES + idBytes(tableId);
}

/** For a key and its value below `filesOf`; null where it is the other way round. */
export function contentAt(tableId: number, key: Key, value: string): FileContent | null {
  return key.startsWith(filesOf(tableId) + KEYED_BY_ID) ? parseContent(value) : null;
}

/** Where the content of a row stands in a snapshot of the store. */
export function idKey(table: Pick<Table, "id">, id: string): Key {
  return filesOf(table.id) + KEYED_BY_ID + id;
}

export function parseContent(json: string): FileContent {
  return JSON.parse(json) as FileContent;
}

function nameKey(table: Table, name: string): Key {
  return filesOf(table.id) + KEYED_BY_NAME + name;
}
