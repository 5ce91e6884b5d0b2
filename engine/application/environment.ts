/**
 * Owns: the deployment's environment variables.
 * Not: what a component sees of them (functions/component-instance.ts).
 */
import type { Storage } from "../storage/storage.ts";
import { ENVIRONMENT, bytesText, endOf, textBytes } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { currentExecution } from "../functions/execution.ts";

export type Origin = { readonly cloudUrl: string; readonly siteUrl: string };

export class Environment {
  readonly #storage: Storage;
  /** Read at each use: the ports may be opened after the application. */
  readonly #origin: Origin;

  constructor(storage: Storage, origin: Origin) {
    this.#storage = storage;
    this.#origin = origin;
  }

  /** Inside of a query it counts as read, so that the query is refreshed when the variable changes. */
  read(name: string): string | undefined {
    if (name === "CONVEX_CLOUD_URL") return this.#origin.cloudUrl;
    if (name === "CONVEX_SITE_URL") return this.#origin.siteUrl;
    const key = ENVIRONMENT + textBytes(name);
    const transaction = currentExecution()?.transaction ?? null;
    return transaction === null ? this.#storage.get(key) : transaction.read(key);
  }

  /** What `npx convex env list` shows: without the built-in ones. */
  list(transaction: Transaction): { name: string; value: string }[] {
    transaction.reads.add(ENVIRONMENT, endOf(ENVIRONMENT));
    const variables: { name: string; value: string }[] = [];
    const rows = transaction.range(ENVIRONMENT, endOf(ENVIRONMENT), "asc");
    while (rows.next()) {
      variables.push({ name: bytesText(rows.key.slice(ENVIRONMENT.length)), value: rows.value });
    }
    return variables;
  }

  /** Null removes. */
  set(transaction: Transaction, name: string, value: string | null): void {
    transaction.put(ENVIRONMENT + textBytes(name), value);
  }
}
