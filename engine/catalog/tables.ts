/**
 * Owns: what a table and an index are, and the storage keys of their rows.
 * Not: which tables exist (catalog.ts), or keeping indexes right (documents.ts).
 */
import type { Key } from "../storage/storage.ts";
import { DOCUMENTS, INDEXES, TABLES, idBytes, textBytes } from "../transactions/key-space.ts";
import { idLengthOf } from "../values/ids.ts";
import { encodeKey, fieldAt } from "../values/keys.ts";
import type { JSONObject } from "../values/kinds.ts";

/** Rows of one step of work over a whole table: about two milliseconds, so that others hardly wait. */
export const BATCH_ROWS = 200;

/** A stored document; its system fields are always there. */
export type Document = JSONObject & { readonly _id: string; readonly _creationTime: number };

/**
 * `staged`: made for a deployment that is not active yet; written by everybody, read by nobody.
 * `active`: complete, in use. `dropped`: no longer written; its rows are being removed.
 */
export type IndexState = "staged" | "active" | "dropped";

export type Index = {
  readonly id: number;
  readonly name: string;
  /** Without `_creationTime`, which every index ends with. */
  readonly fields: readonly string[];
  state: IndexState;
};

export type Table = {
  readonly componentPath: string;
  readonly name: string;
  /** Where its rows lie; unique in the whole deployment. An import gives a table new rows under the old name. */
  readonly id: number;
  /** Part of every document id of the table; unique in its component, as on Convex. */
  readonly number: number;
  indexes: readonly Index[];
  /** False until a commit has stored the table's own row. */
  isStored: boolean;
};

export const BY_CREATION_TIME = "by_creation_time";
export const BY_ID = "by_id";

export function tableKey(componentPath: string, name: string): Key {
  return TABLES + encodeKey(componentPath) + encodeKey(name);
}

export function documentsOf(table: Table): Key {
  return DOCUMENTS + idBytes(table.id);
}

export function documentKey(table: Table, id: string): Key {
  return documentsOf(table) + textBytes(id);
}

export function rowsOf(index: Index): Key {
  return INDEXES + idBytes(index.id);
}

/** Where the document stands in the index. */
export function indexKey(index: Index, document: Document): Key {
  let key = rowsOf(index);
  for (const field of index.fields) key += encodeKey(fieldAt(document, field));
  return key + encodeKey(document._creationTime) + document._id;
}

/** An index row is its key; there is nothing to say beside it. */
export const INDEX_ROW = "";

/** The id of the document that stands at `key` in an index of the table. */
export function idAt(table: Table, key: Key): string {
  return key.slice(-idLengthOf(table.number));
}

export function parseDocument(json: string): Document {
  return JSON.parse(json) as Document;
}
