/**
 * Owns: what an application offers for moving data to and from other deployments; a part of application.ts.
 * Not: the form that the data has on its way (export/).
 */

/** A document in Convex's encoding ($integer, $bytes, …), with or without its system fields. */
export type JsonDocument = Readonly<Record<string, unknown>>;

export type TableAddress = { readonly componentPath: string; readonly name: string };

/** A row of `_storage` with what it stands for. `sha256` is base64. */
export type SnapshotFile = {
  readonly id: string;
  readonly creationTime: number;
  readonly sha256: string;
  readonly size: number;
  readonly contentType: string | null;
  /** What stands in its address. */
  readonly name: string;
  readonly bytes: () => Iterable<Uint8Array>;
};

/** What is not known is null, and then made or taken from the bytes; what is known of them is checked. */
export type ImportedFile = {
  readonly id: string;
  readonly creationTime: number | null;
  readonly sha256: string | null;
  readonly contentType: string | null;
  readonly name: string | null;
  readonly bytes: () => Promise<AsyncIterable<Uint8Array>>;
};

/** All documents as of one moment; writing goes on. Close it: while it is open the write-ahead log cannot be cut back. */
export interface DataSnapshot {
  /** Epoch nanoseconds of the last commit that it shows. */
  readonly ts: bigint;
  /** Without system tables; by component and name. `number` is the one in the ids of its documents. */
  readonly tables: readonly (TableAddress & { readonly number: number })[];
  /** 0 for a table that is not there. */
  count(table: TableAddress): number;
  /** JSON text of each document; a page is what is held at once. */
  pages(table: TableAddress): Iterable<readonly string[]>;
  files(componentPath: string): Iterable<SnapshotFile>;
  close(): void;
}

/**
 * `requireEmpty`: refuses a table that has rows. `append`: adds to what is there, at once. `replace`: the tables of the
 * import get new rows. `replaceAll`: and every other table is emptied. All but `append` become visible in one commit.
 */
export type ImportMode = "requireEmpty" | "append" | "replace" | "replaceAll";

/** Its methods throw a FunctionError with one sentence for whoever imports; then `abandon` it. */
export interface DataImport {
  /** Every table first, since documents name each other. `number` is the one in the ids; null keeps or makes one. */
  addTable(table: TableAddress, number: number | null): Promise<void>;
  /** One transaction. The ids and creation times that documents bring stay theirs. */
  insert(table: TableAddress, documents: readonly JsonDocument[]): Promise<void>;
  /** Into `_storage`, which was added like any table; its rows are files. */
  insertFile(componentPath: string, file: ImportedFile): Promise<void>;
  finish(): Promise<void>;
  /** Removes what was not finished; never throws for what the import did wrong. */
  abandon(): Promise<void>;
}

/** Moving data from one deployment to another. */
export interface DataMoves {
  snapshot(): Promise<DataSnapshot>;
  beginImport(mode: ImportMode): DataImport;
}
