/**
 * Owns: finding out whether the rows that are already there fit a new schema, without stopping the world.
 * Not: the comparison of one document (schema.ts).
 *
 * Rows are read in batches between other transactions; documents that others write meanwhile are remembered and
 * compared again at the end, inside the transaction that activates the schema.
 */
import type { Key } from "../storage/storage.ts";
import type { Commits } from "../transactions/commits.ts";
import type { Executor } from "../transactions/executor.ts";
import { endOf, justAfter } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { Schema } from "./schema.ts";
import { BATCH_ROWS, documentsOf, parseDocument } from "./tables.ts";
import type { Table } from "./tables.ts";

export type SchemaTarget = { readonly table: Table; readonly schema: Schema };
export type Violation = {
  readonly componentPath: string;
  readonly tableName: string;
  readonly message: string;
};

export class SchemaCheck {
  readonly #targets: ReadonlyMap<Key, SchemaTarget>;
  readonly #commits: Commits;
  readonly #executor: Executor;
  readonly #writtenSince = new Set<Key>();
  readonly #stopListening: () => void;

  /** From here on, writes to the tables are remembered. */
  constructor(targets: readonly SchemaTarget[], commits: Commits, executor: Executor) {
    this.#targets = new Map(targets.map((target) => [documentsOf(target.table), target]));
    this.#commits = commits;
    this.#executor = executor;
    this.#stopListening = commits.onCommit((writtenKeys) => {
      for (const key of writtenKeys) {
        if (this.#targetOf(key) !== undefined) this.#writtenSince.add(key);
      }
    });
  }

  /** The first row that does not fit; null when all do. */
  async findViolation(): Promise<Violation | null> {
    for (const [prefix, target] of this.#targets) {
      let from: Key | null = prefix;
      while (from !== null) {
        const lo: Key = from;
        const found = await this.#executor.run(() => this.#checkBatch(target, lo));
        if (found.violation !== null) return found.violation;
        from = found.next;
      }
    }
    return null;
  }

  /** The rows that were written since; in the transaction that activates the schema. */
  findRecentViolation(transaction: Transaction): Violation | null {
    for (const key of this.#writtenSince) {
      const target = this.#targetOf(key);
      const json = transaction.peek(key);
      const violation = target && json !== undefined ? violationOf(target, json) : null;
      if (violation !== null) return violation;
    }
    return null;
  }

  stop(): void {
    this.#stopListening();
  }

  #targetOf(key: Key): SchemaTarget | undefined {
    return this.#targets.get(key.slice(0, PREFIX_LENGTH));
  }

  #checkBatch(target: SchemaTarget, from: Key): { violation: Violation | null; next: Key | null } {
    const rows = this.#commits.begin().range(from, endOf(documentsOf(target.table)), "asc");
    for (let count = 1; rows.next(); count++) {
      const violation = violationOf(target, rows.value);
      if (violation !== null) return { violation, next: null };
      if (count === BATCH_ROWS) return { violation: null, next: justAfter(rows.key) };
    }
    return { violation: null, next: null };
  }
}

/** The first byte and four bytes of the table's number: what every document key of a table begins with. */
const PREFIX_LENGTH = 5;

function violationOf({ table, schema }: SchemaTarget, json: string): Violation | null {
  const document = parseDocument(json);
  const mismatch = schema.mismatch(table.name, document);
  if (mismatch === null) return null;
  return {
    componentPath: table.componentPath,
    tableName: table.name,
    message: `Document with ID "${document._id}" in table "${table.name}" does not match the schema: ${mismatch}`,
  };
}
