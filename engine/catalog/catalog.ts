/**
 * Owns: which tables and indexes exist, in memory and in the store, and their numbers.
 * Not: filling or emptying an index (index-builder.ts), what a document must look like (schema.ts).
 *
 * A table is made when it is first named, inside whatever transaction names it; its row is written by the first
 * transaction that commits with it, so a rolled-back transaction leaves only an unused number behind.
 */
import type { Storage } from "../storage/storage.ts";
import { TABLES, endOf } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { tableNumberOfId } from "../values/ids.ts";
import { BY_CREATION_TIME, tableKey } from "./tables.ts";
import type { Index, IndexState, Table } from "./tables.ts";

/** Convex numbers user tables from here; the numbers below stay free for its system tables. */
const FIRST_TABLE_NUMBER = 10_001;

type StoredTable = Pick<Table, "componentPath" | "name" | "number" | "indexes">;

export class Catalog {
  readonly #storage: Storage;
  readonly #tables = new Map<string, Table>();
  readonly #byNumber = new Map<number, Table>();
  #nextTableNumber = FIRST_TABLE_NUMBER;
  #nextIndexId = 1;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.reload();
  }

  /** Forgets what memory holds and reads the store: at start, and after commits were lost. */
  reload(): void {
    this.#tables.clear();
    this.#byNumber.clear();
    const rows = this.#storage.range(TABLES, endOf(TABLES), "asc");
    while (rows.next()) {
      const stored = JSON.parse(rows.value) as StoredTable;
      this.#register({ ...stored, isStored: true });
    }
  }

  find(componentPath: string, name: string): Table | undefined {
    return this.#tables.get(tableKey(componentPath, name));
  }

  /** The table that an id belongs to, if it is one of the component's. */
  tableOfId(componentPath: string, id: string): Table | undefined {
    const number = tableNumberOfId(id);
    const table = number === null ? undefined : this.#byNumber.get(number);
    return table?.componentPath === componentPath ? table : undefined;
  }

  /** The table that an id belongs to, in whichever component. */
  ownerOfId(id: string): Table | undefined {
    const number = tableNumberOfId(id);
    return number === null ? undefined : this.#byNumber.get(number);
  }

  /** Those that are stored, by name. */
  tablesOf(componentPath: string): Table[] {
    return this.all()
      .filter((table) => table.componentPath === componentPath)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  all(): Table[] {
    return [...this.#tables.values()].filter((table) => table.isStored);
  }

  /** The table, or one that exists only in memory: reading it finds nothing, and hears of the first insert. */
  resolve(componentPath: string, name: string): Table {
    return this.find(componentPath, name) ?? this.#create(componentPath, name);
  }

  /** Finds or makes the table; the transaction's commit makes it last. */
  ensure(transaction: Transaction, componentPath: string, name: string): Table {
    const table = this.resolve(componentPath, name);
    if (!table.isStored) this.#store(transaction, table);
    return table;
  }

  /** Adds a staged index unless one of that name and fields is there. Returns it. */
  ensureIndex(
    transaction: Transaction,
    table: Table,
    name: string,
    fields: readonly string[],
  ): Index {
    const existing = table.indexes.find(
      (index) => index.state !== "dropped" && isSame(index, name, fields),
    );
    if (existing !== undefined) return existing;
    const index: Index = { id: this.#nextIndexId++, name, fields, state: "staged" };
    table.indexes = [...table.indexes, index];
    this.#store(transaction, table);
    return index;
  }

  setIndexState(transaction: Transaction, table: Table, index: Index, state: IndexState): void {
    index.state = state;
    this.#store(transaction, table);
  }

  /** The index's rows are gone: forget it. */
  removeIndex(transaction: Transaction, table: Table, index: Index): void {
    table.indexes = table.indexes.filter((other) => other !== index);
    this.#store(transaction, table);
  }

  #create(componentPath: string, name: string): Table {
    const table: Table = {
      componentPath,
      name,
      number: this.#nextTableNumber,
      indexes: [{ id: this.#nextIndexId, name: BY_CREATION_TIME, fields: [], state: "active" }],
      isStored: false,
    };
    this.#register(table);
    return table;
  }

  #register(table: Table): void {
    this.#tables.set(tableKey(table.componentPath, table.name), table);
    this.#byNumber.set(table.number, table);
    this.#nextTableNumber = Math.max(this.#nextTableNumber, table.number + 1);
    for (const index of table.indexes)
      this.#nextIndexId = Math.max(this.#nextIndexId, index.id + 1);
  }

  #store(transaction: Transaction, table: Table): void {
    const { componentPath, name, number, indexes } = table;
    const stored: StoredTable = { componentPath, name, number, indexes };
    const key = tableKey(componentPath, name);
    transaction.put(key, JSON.stringify(stored));
    transaction.onCommit(() => {
      const wasRolledBack = transaction.peek(key) === undefined;
      if (!wasRolledBack) table.isStored = true;
    });
  }
}

function isSame(index: Index, name: string, fields: readonly string[]): boolean {
  return index.name === name && JSON.stringify(index.fields) === JSON.stringify(fields);
}
