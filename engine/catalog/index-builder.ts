/**
 * Owns: building the indexes that a new schema wants and emptying those that nothing wants any more, in bounded
 * batches between other transactions.
 * Not: keeping a built index right: every write does that (documents.ts), also while the index is being filled.
 */
import type { Commits } from "../transactions/commits.ts";
import type { Executor } from "../transactions/executor.ts";
import { endOf, justAfter } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { Catalog } from "./catalog.ts";
import { emptyRetired } from "./retired-tables.ts";
import type { RetiredTable } from "./retired-tables.ts";
import type { SchemaJson } from "./schema.ts";
import {
  BATCH_ROWS,
  BY_CREATION_TIME,
  INDEX_ROW,
  documentsOf,
  indexKey,
  parseDocument,
  rowsOf,
} from "./tables.ts";
import type { Index, Table } from "./tables.ts";

export type WantedIndex = { readonly table: Table; readonly index: Index };
type Wish = {
  readonly tableName: string;
  readonly name: string;
  readonly fields: readonly string[];
};

export class IndexBuilder {
  readonly #catalog: Catalog;
  readonly #commits: Commits;
  readonly #executor: Executor;
  /** By index id; a staged index is filled once, whoever asks. */
  readonly #fills = new Map<number, Promise<void>>();
  #isStopped = false;

  constructor(catalog: Catalog, commits: Commits, executor: Executor) {
    this.#catalog = catalog;
    this.#commits = commits;
    this.#executor = executor;
  }

  /** Makes the tables and indexes of a schema and resolves when each is complete. */
  async build(componentPath: string, schema: SchemaJson | null): Promise<readonly WantedIndex[]> {
    const wanted = await this.#executor.run(() => {
      const transaction = this.#commits.begin();
      const found = this.#ensureAll(transaction, componentPath, schema);
      this.#commits.commit(transaction);
      return found;
    });
    await Promise.all(wanted.map((each) => this.#fillOnce(each)));
    return wanted;
  }

  /** In a transaction: `wanted` become readable, every other user index of these components is dropped. */
  activate(transaction: Transaction, tables: readonly Table[], wanted: ReadonlySet<Index>): void {
    for (const table of tables) {
      for (const index of table.indexes) {
        const isWanted = wanted.has(index) || index.name === BY_CREATION_TIME;
        const state = isWanted ? "active" : "dropped";
        if (index.state !== state) this.#catalog.setIndexState(transaction, table, index, state);
      }
    }
  }

  /** Removes the rows of dropped indexes, then the indexes. */
  async emptyDropped(): Promise<void> {
    for (const table of this.#catalog.all()) {
      for (const index of table.indexes) {
        if (index.state === "dropped") await this.#empty(table, index);
      }
    }
  }

  /** Removes rows that no table's name leads to any more. */
  async emptyRetired(tables: readonly RetiredTable[]): Promise<void> {
    for (const table of tables) {
      await emptyRetired(table, this.#commits, this.#executor, () => this.#isStopped);
    }
  }

  /** Commits were lost, and with them perhaps rows of an index: fill again when asked again. */
  forget(): void {
    this.#fills.clear();
  }

  /** Batches that wait give up; what is half done is finished after the next start. */
  stop(): void {
    this.#isStopped = true;
  }

  #ensureAll(
    transaction: Transaction,
    componentPath: string,
    schema: SchemaJson | null,
  ): WantedIndex[] {
    return wishesOf(schema).map(({ tableName, name, fields }) => {
      const table = this.#catalog.ensure(transaction, componentPath, tableName);
      const index =
        name === BY_CREATION_TIME
          ? table.indexes.find((each) => each.name === BY_CREATION_TIME)
          : this.#catalog.ensureIndex(transaction, table, name, fields);
      if (index === undefined) throw new Error(`Table ${tableName} lacks its index by creation.`);
      return { table, index };
    });
  }

  #fillOnce({ table, index }: WantedIndex): Promise<void> {
    if (index.state === "active") return Promise.resolve();
    const filling = this.#fills.get(index.id) ?? this.#fill(table, index);
    this.#fills.set(index.id, filling);
    return filling;
  }

  async #fill(table: Table, index: Index): Promise<void> {
    let from: string | null = documentsOf(table);
    while (from !== null && !this.#isStopped) {
      const lo: string = from;
      from = await this.#executor.run(() => this.#fillBatch(table, index, lo));
    }
  }

  /** Returns where the next batch begins; null at the end. */
  #fillBatch(table: Table, index: Index, from: string): string | null {
    if (index.state === "dropped") return null;
    const transaction = this.#commits.begin();
    const rows = transaction.range(from, endOf(documentsOf(table)), "asc");
    let count = 0;
    let next: string | null = null;
    while (next === null && rows.next()) {
      const document = parseDocument(rows.value);
      transaction.put(indexKey(index, document), INDEX_ROW);
      if (++count === BATCH_ROWS) next = justAfter(rows.key);
    }
    this.#commits.commit(transaction);
    return next;
  }

  async #empty(table: Table, index: Index): Promise<void> {
    let isEmpty = false;
    while (!isEmpty && !this.#isStopped) {
      isEmpty = await this.#executor.run(() => this.#emptyBatch(table, index));
    }
  }

  #emptyBatch(table: Table, index: Index): boolean {
    const transaction = this.#commits.begin();
    const rows = transaction.range(rowsOf(index), endOf(rowsOf(index)), "asc");
    const keys: string[] = [];
    while (keys.length < BATCH_ROWS && rows.next()) keys.push(rows.key);
    for (const key of keys) transaction.put(key, null);
    const isEmpty = keys.length < BATCH_ROWS;
    if (isEmpty) this.#catalog.removeIndex(transaction, table, index);
    this.#commits.commit(transaction);
    return isEmpty;
  }
}

/** The index by creation stands for the table itself, so that an empty table exists too. */
function wishesOf(schema: SchemaJson | null): Wish[] {
  return (schema?.tables ?? []).flatMap(({ tableName, indexes, stagedDbIndexes }) => [
    { tableName, name: BY_CREATION_TIME, fields: [] },
    ...[...indexes, ...(stagedDbIndexes ?? [])].map(({ indexDescriptor, fields }) => ({
      tableName,
      name: indexDescriptor,
      fields,
    })),
  ]);
}
