/**
 * Owns: which tables and indexes exist, in memory and in the store, and their numbers.
 * Not: filling or emptying an index (index-builder.ts), what a document must look like (schema.ts).
 *
 * A table is made when it is first named, inside whatever transaction names it; its row is written by the first
 * transaction that commits with it, so a rolled-back transaction leaves only an unused number behind.
 */
import type { Storage } from "../storage/storage.ts";
import { FILE_TABLE } from "../system-tables.ts";
import { TABLES, endOf } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { tableNumberOfId } from "../values/ids.ts";
import { idOfKey, retire, retiredKey, retiredTables } from "./retired-tables.ts";
import { FILE_TABLE_NUMBER } from "./stored-files.ts";
import { BY_CREATION_TIME, tableKey } from "./tables.ts";
import type { Index, IndexState, Table } from "./tables.ts";

/** Convex numbers user tables from here, so an imported table never wants a number below. */
const FIRST_TABLE_NUMBER = 10_001;
/** Convex's own numbers; it has them in every component, and data that moves to or from there brings them along. */
const FIXED_TABLE_NUMBERS: ReadonlyMap<string, number> = new Map([[FILE_TABLE, FILE_TABLE_NUMBER]]);
/** Other system tables of all components share one row of numbers, so that an id of theirs tells the component. */
const FIRST_SYSTEM_TABLE_NUMBER = 1_001;

type StoredTable = Pick<Table, "componentPath" | "name" | "number" | "indexes"> & {
  /** Missing where the table was stored before tables had ids of their own: the number then. */
  readonly id?: number;
};

export class Catalog {
  readonly #storage: Storage;
  readonly #tables = new Map<string, Table>();
  /** By component and number. */
  readonly #byNumber = new Map<string, Table>();
  #nextTableId = FIRST_TABLE_NUMBER;
  #nextTableNumber = FIRST_TABLE_NUMBER;
  #nextSystemTableNumber = FIRST_SYSTEM_TABLE_NUMBER;
  #nextIndexId = 1;
  #replacements = 0;

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
      this.#register({ ...stored, id: stored.id ?? stored.number, isStored: true });
    }
    for (const { key, indexIds } of retiredTables(this.#storage)) {
      this.#nextTableId = Math.max(this.#nextTableId, idOfKey(key) + 1);
      this.#nextIndexId = Math.max(this.#nextIndexId, ...indexIds.map((id) => id + 1));
    }
  }

  /** Grows whenever tables get other rows under their names: indexes that were remembered are of no use any more. */
  get replacements(): number {
    return this.#replacements;
  }

  find(componentPath: string, name: string): Table | undefined {
    return this.#tables.get(tableKey(componentPath, name));
  }

  /** The table that an id belongs to, if it is one of the component's. */
  tableOfId(componentPath: string, id: string): Table | undefined {
    const number = tableNumberOfId(id);
    if (number === null) return undefined;
    if (number === FILE_TABLE_NUMBER) this.resolve(componentPath, FILE_TABLE);
    return this.#byNumber.get(numberKey(componentPath, number));
  }

  /** The system table that an id belongs to, in whichever component. */
  systemTableOfId(id: string): Table | undefined {
    const number = tableNumberOfId(id);
    return this.all().find((table) => table.number === number && isSystemTable(table.name));
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

  /** A table beside the one of that name, with the same indexes: nobody finds it until it replaces that one. */
  createHidden(
    transaction: Transaction,
    componentPath: string,
    name: string,
    number: number,
  ): Table {
    const indexes = (this.find(componentPath, name)?.indexes ?? [])
      .filter((index) => index.state !== "dropped" && index.name !== BY_CREATION_TIME)
      .map((index) => ({ ...index, id: this.#nextIndexId++ }));
    const byCreation: Index = {
      id: this.#nextIndexId++,
      name: BY_CREATION_TIME,
      fields: [],
      state: "active",
    };
    const id = this.#nextTableId++;
    const table = { componentPath, name, id, number, isStored: false };
    const hidden: Table = { ...table, indexes: [byCreation, ...indexes] };
    retire(transaction, hidden);
    return hidden;
  }

  tableOfNumber(componentPath: string, number: number): Table | undefined {
    return this.#byNumber.get(numberKey(componentPath, number));
  }

  /** Each takes the place of the table of its name. A table that has the number of one of them must be empty. */
  replace(transaction: Transaction, tables: readonly Table[]): void {
    this.#replacements++;
    for (const table of tables) {
      const before = this.find(table.componentPath, table.name);
      if (before?.isStored === true) retire(transaction, before);
      if (before !== undefined) this.#unregister(before);
    }
    for (const table of tables) {
      const squatter = this.tableOfNumber(table.componentPath, table.number);
      if (squatter !== undefined) this.#renumber(transaction, squatter);
      transaction.put(retiredKey(table), null);
      this.#register(table);
      this.#store(transaction, table);
    }
  }

  /** For a table that has none yet: the one that the name always has, else one that no table has. */
  numberFor(name: string): number {
    return FIXED_TABLE_NUMBERS.get(name) ?? this.#nextTableNumber++;
  }

  #create(componentPath: string, name: string): Table {
    const next = isSystemTable(name) ? this.#nextSystemTableNumber : this.#nextTableNumber;
    const table: Table = {
      componentPath,
      name,
      id: this.#nextTableId,
      number: FIXED_TABLE_NUMBERS.get(name) ?? next,
      indexes: [{ id: this.#nextIndexId, name: BY_CREATION_TIME, fields: [], state: "active" }],
      isStored: false,
    };
    this.#register(table);
    return table;
  }

  #register(table: Table): void {
    this.#tables.set(tableKey(table.componentPath, table.name), table);
    this.#byNumber.set(numberKey(table.componentPath, table.number), table);
    this.#nextTableId = Math.max(this.#nextTableId, table.id + 1);
    if (table.number < FIRST_TABLE_NUMBER)
      this.#nextSystemTableNumber = Math.max(this.#nextSystemTableNumber, table.number + 1);
    else this.#nextTableNumber = Math.max(this.#nextTableNumber, table.number + 1);
    for (const index of table.indexes)
      this.#nextIndexId = Math.max(this.#nextIndexId, index.id + 1);
  }

  /** Of an empty table, whose number stands in no id. */
  #renumber(transaction: Transaction, table: Table): void {
    this.#unregister(table);
    if (!table.isStored) return;
    const renumbered = { ...table, number: this.#nextTableNumber++ };
    this.#register(renumbered);
    this.#store(transaction, renumbered);
  }

  #unregister(table: Table): void {
    this.#tables.delete(tableKey(table.componentPath, table.name));
    this.#byNumber.delete(numberKey(table.componentPath, table.number));
  }

  #store(transaction: Transaction, table: Table): void {
    const { componentPath, name, id, number, indexes } = table;
    const stored: StoredTable = { componentPath, name, id, number, indexes };
    const key = tableKey(componentPath, name);
    transaction.put(key, JSON.stringify(stored));
    transaction.onCommit(() => {
      const wasRolledBack = transaction.peek(key) === undefined;
      if (!wasRolledBack) table.isStored = true;
    });
  }
}

export function isSystemTable(name: string): boolean {
  return name.startsWith("_");
}

function numberKey(componentPath: string, number: number): string {
  return `${number} ${componentPath}`;
}

function isSame(index: Index, name: string, fields: readonly string[]): boolean {
  return index.name === name && JSON.stringify(index.fields) === JSON.stringify(fields);
}
