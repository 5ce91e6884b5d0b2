/**
 * Owns: one import: tables that are filled out of sight, checked against the schema, and swapped in within one commit.
 * Not: reading the file (export/), which table has which name (catalog/).
 */
import type { DataImport, ImportMode, ImportedFile, TableAddress } from "../application.ts";
import { isSystemTable } from "../catalog/catalog.ts";
import { Schema } from "../catalog/schema.ts";
import { attachContent, idOfName } from "../catalog/stored-files.ts";
import { documentKey, documentsOf, tableKey } from "../catalog/tables.ts";
import type { Table } from "../catalog/tables.ts";
import type { JsonDocument } from "../data-moves.ts";
import { FunctionError } from "../errors.ts";
import type { Deployment } from "../functions/deployment.ts";
import type { EngineParts } from "../functions/engine-parts.ts";
import { fieldsOf } from "../functions/file-store.ts";
import { FILE_TABLE } from "../system-tables.ts";
import { endOf } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { Usage } from "../transactions/usage.ts";
import { tableNumberOfId } from "../values/ids.ts";
import type { JSONObject } from "../values/kinds.ts";

export type ImportParts = {
  readonly engine: EngineParts;
  /** Null before the first push. */
  readonly deployment: () => Deployment | null;
  /** Rows that nothing leads to any more may go. */
  readonly emptyRetired: (tables: readonly Table[]) => void;
  /** Tables have other rows now: every watched result is stale. */
  readonly onReplaced: () => void;
};

const TABLE_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

export class TableImport implements DataImport {
  readonly #parts: ImportParts;
  readonly #mode: ImportMode;
  readonly #losses: number;
  /** Written straight into, for `append`; the others are hidden until the end. */
  readonly #tables = new Map<string, { readonly table: Table; readonly isHidden: boolean }>();
  readonly #schemas = new Map<string, Schema>();

  constructor(parts: ImportParts, mode: ImportMode) {
    this.#parts = parts;
    this.#mode = mode;
    this.#losses = parts.engine.commits.losses;
  }

  addTable(address: TableAddress, number: number | null): Promise<void> {
    return this.#transact((transaction) => {
      const key = tableKey(address.componentPath, address.name);
      if (this.#tables.has(key)) return;
      this.#assertImportable(address, number);
      const { catalog } = this.#parts.engine;
      const existing = catalog.find(address.componentPath, address.name);
      if (this.#mode === "requireEmpty") this.#assertEmpty(transaction, existing);
      if (this.#mode === "append" && existing?.isStored === true) {
        this.#tables.set(key, { table: existing, isHidden: false });
        return;
      }
      const table = this.#hide(transaction, address, number ?? existing?.number ?? null);
      this.#tables.set(key, { table, isHidden: true });
    });
  }

  insert(address: TableAddress, documents: readonly JsonDocument[]): Promise<void> {
    const table = this.#added(address);
    return this.#transact((transaction) => {
      for (const document of documents) this.#restore(transaction, table, document as JSONObject);
    });
  }

  async insertFile(componentPath: string, file: ImportedFile): Promise<void> {
    const table = this.#added({ componentPath, name: FILE_TABLE });
    const { documents, files, fileContents } = this.#parts.engine;
    const fresh = files.newContent();
    const content = { ...fresh, name: file.name ?? fresh.name };
    await fileContents.write(content, await file.bytes(), file.sha256, (transaction, written) => {
      this.#assertNothingLost();
      const id = this.#checkedId(transaction, table, file.id);
      if (idOfName(transaction, table, content.name) !== undefined)
        throw new FunctionError(`A file with the internalId "${content.name}" is there already.`);
      const { contentType, creationTime } = file;
      documents.restore(transaction, table, fieldsOf({ ...written, contentType }), {
        id,
        ...(creationTime === null ? {} : { creationTime }),
      });
      attachContent(transaction, table, id, content);
    });
  }

  async finish(): Promise<void> {
    const replaced: Table[] = [];
    await this.#transact((transaction) => {
      const { catalog } = this.#parts.engine;
      const hidden = this.#hidden();
      if (this.#mode === "replaceAll") hidden.push(...this.#emptied(transaction));
      for (const table of hidden) this.#assertUnchanged(transaction, table, hidden);
      for (const [componentPath, schema] of this.#schemas)
        this.#assertSchema(componentPath, schema);
      for (const { componentPath, name } of hidden) {
        const before = catalog.find(componentPath, name);
        if (before?.isStored === true) replaced.push(before);
      }
      catalog.replace(transaction, hidden);
    });
    this.#tables.clear();
    this.#parts.onReplaced();
    this.#parts.emptyRetired(replaced);
  }

  abandon(): Promise<void> {
    this.#parts.emptyRetired(this.#hidden());
    this.#tables.clear();
    return Promise.resolve();
  }

  #added({ componentPath, name }: TableAddress): Table {
    const added = this.#tables.get(tableKey(componentPath, name));
    if (added === undefined) throw new Error(`The import never named the table ${name}.`);
    return added.table;
  }

  #hidden(): Table[] {
    return [...this.#tables.values()].filter(({ isHidden }) => isHidden).map(({ table }) => table);
  }

  #hide(transaction: Transaction, address: TableAddress, number: number | null): Table {
    const { catalog } = this.#parts.engine;
    const { componentPath, name } = address;
    const chosen = number ?? catalog.numberFor(name);
    return catalog.createHidden(transaction, componentPath, name, chosen);
  }

  /** Every other table, without its rows. */
  #emptied(transaction: Transaction): Table[] {
    const others = this.#parts.engine.catalog
      .all()
      .filter(({ componentPath, name }) => !this.#tables.has(tableKey(componentPath, name)))
      .filter(({ name }) => !isSystemTable(name));
    return others.map((table) => this.#hide(transaction, table, table.number));
  }

  async #transact(work: (transaction: Transaction) => void): Promise<void> {
    const { commits } = this.#parts.engine;
    await commits.runDurably(() => {
      this.#assertNothingLost();
      const transaction = commits.begin(new Usage("unbounded"));
      work(transaction);
      commits.commit(transaction);
    });
  }

  #assertNothingLost(): void {
    if (this.#parts.engine.commits.losses === this.#losses) return;
    throw new FunctionError("The disk failed during the import. Free space and import again.");
  }

  #restore(transaction: Transaction, table: Table, document: JSONObject): void {
    const { _id: id, _creationTime: creationTime, ...fields } = document;
    const system: { id?: string; creationTime?: number } = {};
    if (id !== undefined) system.id = this.#checkedId(transaction, table, id);
    if (creationTime !== undefined) {
      if (typeof creationTime !== "number")
        throw new FunctionError(`_creationTime is ${JSON.stringify(creationTime)}, not a number.`);
      system.creationTime = creationTime;
    }
    const mismatch = this.#schemaOf(table.componentPath).mismatch(table.name, fields);
    if (mismatch !== null) {
      throw new FunctionError(
        `Document${typeof id === "string" ? ` with ID "${id}"` : ""} does not match the schema: ${mismatch}`,
      );
    }
    this.#parts.engine.documents.restore(transaction, table, fields, system);
  }

  #checkedId(transaction: Transaction, table: Table, id: unknown): string {
    const number = typeof id === "string" ? tableNumberOfId(id) : null;
    if (typeof id !== "string" || number === null)
      throw new FunctionError(`_id is ${JSON.stringify(id)}, which is no id of Convex.`);
    if (number !== table.number) {
      throw new FunctionError(
        `_id "${id}" belongs to a table with the number ${number}, and "${table.name}" has ${table.number}. ` +
          "Import a whole snapshot, use --replace, or leave _id out.",
      );
    }
    if (transaction.peek(documentKey(table, id)) !== undefined)
      throw new FunctionError(`A document with the _id "${id}" is there already.`);
    return id;
  }

  /** The schema that holds now, over the tables as they will be. */
  #schemaOf(componentPath: string): Schema {
    const known = this.#schemas.get(componentPath);
    if (known !== undefined) return known;
    const json = this.#parts.deployment()?.instances.get(componentPath)?.schema.json ?? null;
    const schema = new Schema(json, (id) => this.#tableOf(componentPath, id));
    this.#schemas.set(componentPath, schema);
    return schema;
  }

  #tableOf(componentPath: string, id: string): string | null {
    const number = tableNumberOfId(id);
    for (const { table } of this.#tables.values()) {
      if (table.componentPath === componentPath && table.number === number) return table.name;
    }
    const current = this.#parts.engine.catalog.tableOfId(componentPath, id);
    const isReplaced = current && this.#tables.has(tableKey(componentPath, current.name));
    return current === undefined || isReplaced === true ? null : current.name;
  }

  #assertImportable({ componentPath, name }: TableAddress, number: number | null): void {
    if (!TABLE_NAME.test(name) && name !== FILE_TABLE) {
      throw new FunctionError(
        `"${name}" is no name for a table: letters, digits and _, beginning with a letter.`,
      );
    }
    const isKnown = this.#parts.deployment()?.instances.has(componentPath) ?? componentPath === "";
    if (!isKnown) {
      throw new FunctionError(
        `The component "${componentPath}" is not mounted here. Push the code that mounts it, then import again.`,
      );
    }
    const twin = [...this.#tables.values()].find(
      ({ table }) => table.componentPath === componentPath && table.number === number,
    );
    if (number !== null && twin !== undefined)
      throw new FunctionError(`"${name}" and "${twin.table.name}" have the same number ${number}.`);
  }

  #assertEmpty(transaction: Transaction, table: Table | undefined): void {
    if (table === undefined || !hasRows(transaction, table)) return;
    throw new FunctionError(
      `Table ${table.name} already exists. Please choose a new table name or use replace/append modes.`,
    );
  }

  /** Since the import began somebody may have written, pushed, or imported. */
  #assertUnchanged(transaction: Transaction, table: Table, hidden: readonly Table[]): void {
    const { catalog } = this.#parts.engine;
    const before = catalog.find(table.componentPath, table.name);
    if (this.#mode === "requireEmpty") this.#assertEmpty(transaction, before);
    if (before !== undefined && indexesOf(before) !== indexesOf(table)) {
      throw new FunctionError(
        "Code with other indexes was pushed during the import. Import again.",
      );
    }
    const squatter = catalog.tableOfNumber(table.componentPath, table.number);
    const goes = hidden.some(
      ({ componentPath, name }) =>
        componentPath === squatter?.componentPath && name === squatter.name,
    );
    if (squatter === undefined || goes || !hasRows(transaction, squatter)) return;
    throw new FunctionError(
      `Table "${table.name}" of the import has the number ${table.number}, which "${squatter.name}" has here, ` +
        "and that one has rows. Import into an empty deployment, or use --replace-all.",
    );
  }

  #assertSchema(componentPath: string, schema: Schema): void {
    const now = this.#parts.deployment()?.instances.get(componentPath)?.schema.json ?? null;
    if (JSON.stringify(now) === JSON.stringify(schema.json)) return;
    throw new FunctionError("Code with another schema was pushed during the import. Import again.");
  }
}

function hasRows(transaction: Transaction, table: Table): boolean {
  return transaction.range(documentsOf(table), endOf(documentsOf(table)), "asc").next();
}

function indexesOf(table: Table): string {
  const indexes = table.indexes
    .filter(({ state }) => state !== "dropped")
    .map(({ name, fields, state }) => ({ name, fields, state }));
  return JSON.stringify(indexes.sort((a, b) => (a.name < b.name ? -1 : 1)));
}
