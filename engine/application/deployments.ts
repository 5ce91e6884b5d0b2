/**
 * Owns: the running version of the code: staging a new one beside it, swapping in one commit, remembering it.
 * Not: loading code (functions/deployment.ts), talking with the CLI (push/).
 */
import type {
  DeployRequest,
  Deployments,
  IndexDiff,
  SchemaViolation,
  StagedDeployment,
} from "../application.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { IndexBuilder } from "../catalog/index-builder.ts";
import { SchemaCheck } from "../catalog/schema-check.ts";
import type { SchemaTarget } from "../catalog/schema-check.ts";
import type { Index } from "../catalog/tables.ts";
import { DeployError, FunctionError } from "../errors.ts";
import { analyzeDefinition } from "../functions/analyze.ts";
import { Deployment } from "../functions/deployment.ts";
import type { RuntimeOptions } from "../functions/runtime-globals.ts";
import type { Storage } from "../storage/storage.ts";
import type { Commits } from "../transactions/commits.ts";
import type { Executor } from "../transactions/executor.ts";
import { DEPLOYMENT_KEY } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { indexDiff } from "./index-diffs.ts";

export type DeploymentParts = {
  readonly storage: Storage;
  readonly catalog: Catalog;
  readonly commits: Commits;
  readonly executor: Executor;
  readonly indexes: IndexBuilder;
  readonly runtime: RuntimeOptions;
  readonly onInternalError: (error: unknown) => void;
};

export class RunningCode implements Deployments {
  readonly #parts: DeploymentParts;
  readonly #listeners = new Set<() => void>();
  #running: Deployment | null = null;
  /** The last version that is durable: what runs again when the commit of a swap is lost. */
  #durable: Deployment | null = null;

  constructor(parts: DeploymentParts) {
    this.#parts = parts;
    parts.commits.onLost(() => {
      this.#running = this.#durable;
    });
  }

  /** At start: loads what was pushed before, and finishes the removal of indexes that nothing wants. */
  async restore(): Promise<void> {
    const { storage, catalog, runtime } = this.#parts;
    const json = storage.get(DEPLOYMENT_KEY);
    if (json !== undefined) {
      this.#running = await Deployment.load(JSON.parse(json) as DeployRequest, catalog, runtime);
      this.#durable = this.#running;
    }
    await this.#dropUnfinished();
  }

  get running(): Deployment {
    if (this.#running !== null) return this.#running;
    throw new FunctionError(
      "Could not find function: no code has been pushed yet. Run `npx convex dev` or `npx convex deploy`.",
    );
  }

  get stacks(): Deployment["stacks"] {
    return this.#running?.stacks ?? [];
  }

  get isEmpty(): boolean {
    return this.#running === null;
  }

  current(): DeployRequest | null {
    return this.#running?.request ?? null;
  }

  onDeployed(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async stage(request: DeployRequest): Promise<StagedDeployment> {
    const { catalog, runtime } = this.#parts;
    const deployment = await Deployment.load(request, catalog, runtime);
    return new Staged(deployment, this.#running, this.#parts, (activation) =>
      this.#swap(deployment, activation),
    );
  }

  /** The same code with what it reads while it is loaded read again: environment variables. */
  reevaluate(): void {
    const { catalog, runtime } = this.#parts;
    this.#running = this.#running?.reevaluated(catalog, runtime) ?? null;
    this.#durable = this.#running;
  }

  async #swap(deployment: Deployment, activation: Activation): Promise<void> {
    const { commits, indexes, onInternalError } = this.#parts;
    await commits.runDurably(() => {
      const transaction = commits.begin();
      activation(transaction);
      transaction.put(DEPLOYMENT_KEY, JSON.stringify(deployment.request));
      commits.commit(transaction);
      this.#running = deployment;
    });
    this.#durable = deployment;
    for (const listener of this.#listeners) listener();
    indexes.emptyDropped().catch(onInternalError);
  }

  /** Indexes of a push that was never finished, and rows of indexes that were being removed. */
  async #dropUnfinished(): Promise<void> {
    const { catalog, commits, indexes, onInternalError } = this.#parts;
    const staged = catalog
      .all()
      .flatMap((table) => table.indexes.map((index) => ({ table, index })))
      .filter(({ index }) => index.state === "staged");
    if (staged.length > 0) {
      await commits.transact((transaction) => {
        for (const { table, index } of staged) {
          catalog.setIndexState(transaction, table, index, "dropped");
        }
      });
    }
    indexes.emptyDropped().catch(onInternalError);
  }
}

/** Writes what activating changes, or throws. */
type Activation = (transaction: Transaction) => void;

class Staged implements StagedDeployment {
  readonly analysis: Readonly<Record<string, unknown>>;
  readonly instances: StagedDeployment["instances"];
  readonly indexDiffs: Readonly<Record<string, IndexDiff>>;
  readonly authProviders: readonly unknown[];
  readonly #deployment: Deployment;
  readonly #before: Deployment | null;
  readonly #parts: DeploymentParts;
  readonly #swap: (activation: Activation) => Promise<void>;
  #wanted = new Set<Index>();
  /** An index that was built before commits were lost may lack rows. */
  #lossesAtBuild = 0;
  #check: SchemaCheck | null = null;

  constructor(
    deployment: Deployment,
    before: Deployment | null,
    parts: DeploymentParts,
    swap: (activation: Activation) => Promise<void>,
  ) {
    this.#deployment = deployment;
    this.#before = before;
    this.#parts = parts;
    this.#swap = swap;
    const instances = [...deployment.instances.values()];
    this.instances = instances.map(({ componentPath, definitionPath }) => ({
      componentPath,
      definitionPath,
    }));
    this.analysis = Object.fromEntries(
      instances.map((instance) => [instance.definitionPath, analyzeDefinition(instance)]),
    );
    this.indexDiffs = Object.fromEntries(
      instances.map(({ componentPath, schema }) => [
        componentPath,
        indexDiff(before?.instances.get(componentPath)?.schema.json ?? null, schema.json),
      ]),
    );
    this.authProviders = deployment.app.authProviders;
  }

  async validateSchema(): Promise<SchemaViolation | null> {
    await this.#buildIndexes();
    this.#check?.stop();
    const { commits, executor } = this.#parts;
    this.#check = new SchemaCheck(this.#targets(), commits, executor);
    const violation = await this.#check.findViolation();
    if (violation !== null) this.#stopChecking();
    return violation;
  }

  async activate(): Promise<void> {
    if (this.#check === null) {
      const violation = await this.validateSchema();
      if (violation !== null) throw new DeployError("schema", violation.message);
    }
    await this.#buildIndexes();
    try {
      await this.#swap((transaction) => {
        if (this.#parts.commits.losses !== this.#lossesAtBuild) throw interrupted();
        const violation = this.#check?.findRecentViolation(transaction) ?? null;
        if (violation !== null) throw new DeployError("schema", violation.message);
        const tables = this.#parts.catalog.all();
        this.#parts.indexes.activate(transaction, tables, this.#wanted);
      });
    } finally {
      this.#stopChecking();
    }
  }

  #stopChecking(): void {
    this.#check?.stop();
    this.#check = null;
  }

  /** Again before the swap: another push may have dropped meanwhile what this one had built. */
  async #buildIndexes(): Promise<void> {
    const wanted = new Set<Index>();
    this.#lossesAtBuild = this.#parts.commits.losses;
    for (const { componentPath, schema } of this.#deployment.instances.values()) {
      const built = await this.#parts.indexes.build(componentPath, schema.json);
      for (const { index } of built) wanted.add(index);
    }
    this.#wanted = wanted;
  }

  /** Tables whose rows may not fit: those with a validator that is not the one they were written under. */
  #targets(): SchemaTarget[] {
    return [...this.#deployment.instances.values()].flatMap(({ componentPath, schema }) => {
      if (schema.json?.schemaValidation !== true) return [];
      const before = this.#before?.instances.get(componentPath)?.schema.json ?? null;
      return schema.json.tables.flatMap(({ tableName, documentType }) => {
        const old = before?.tables.find((table) => table.tableName === tableName);
        const isSame =
          before?.schemaValidation === true &&
          JSON.stringify(old?.documentType) === JSON.stringify(documentType);
        const table = this.#parts.catalog.find(componentPath, tableName);
        return isSame || table === undefined ? [] : [{ table, schema }];
      });
    });
  }
}

function interrupted(): DeployError {
  return new DeployError(
    "not-loadable",
    "The disk failed while the push was under way; the old code goes on. Push again.",
  );
}
