/**
 * Owns: one run of one user function: in which component, transaction and call tree it happens.
 * Not: what its syscalls do (syscalls/), starting it and judging its outcome (invoke.ts).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { FunctionKind, Identity, RequestMetadata } from "../application.ts";
import { FunctionError } from "../errors.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { ComponentInstance } from "./component-instance.ts";
import type { LogLine } from "./console.ts";
import type { QueryStream } from "./query-stream.ts";

/** What a whole call tree shares: everything that one request of a client leads to inside one transaction or action. */
export type CallTree = {
  readonly request: RequestMetadata;
  /** The job that the tree runs for, if any. */
  readonly scheduledFunctionId: string | null;
  /** The token that the request came with, if it is a user's. */
  readonly authToken: string | null;
  readonly logLines: LogLine[];
  /** Where the last page of this subscription ended; the page keeps that end however many rows join it. */
  readonly journal: string | null;
  /** Set by the one paginated query of the tree. */
  nextJournal: string | null;
  /** Bugs of ours that user code saw as a failed call. */
  readonly internalErrors: unknown[];
};

export type ExecutionStart = {
  readonly kind: FunctionKind | "httpAction";
  readonly instance: ComponentInstance;
  /** Canonical. */
  readonly functionPath: string;
  readonly identity: Identity | null;
  readonly tree: CallTree;
  /** Null in actions. */
  readonly transaction: Transaction | null;
  readonly parent: Execution | null;
  /** 0..1, each call the next number; what Math.random() gives in queries and mutations. */
  readonly nextRandom: () => number;
};

/** Deep enough for components inside of components, shallow enough that endless recursion ends as an error. */
const MAX_DEPTH = 64;

export class Execution {
  readonly kind: ExecutionStart["kind"];
  readonly instance: ComponentInstance;
  readonly functionPath: string;
  readonly identity: Identity | null;
  readonly tree: CallTree;
  readonly parent: Execution | null;
  readonly nextRandom: () => number;
  readonly #transaction: Transaction | null;
  readonly #depth: number;
  readonly #streams = new Map<number, QueryStream>();
  #nextStreamId = 0;
  #lastTurn: Promise<void> | null = null;
  #isOver = false;

  constructor(start: ExecutionStart) {
    this.kind = start.kind;
    this.instance = start.instance;
    this.functionPath = start.functionPath;
    this.identity = start.identity;
    this.tree = start.tree;
    this.parent = start.parent;
    this.nextRandom = start.nextRandom;
    this.#transaction = start.transaction;
    this.#depth = start.parent === null ? 0 : start.parent.#depth + 1;
    if (this.#depth > MAX_DEPTH) {
      throw new FunctionError(
        `Functions call each other more than ${MAX_DEPTH} levels deep. Look for a function that calls itself.`,
      );
    }
  }

  /** Null in actions, which have no transaction of their own. */
  get transaction(): Transaction | null {
    return this.#transaction;
  }

  /** For syscalls that only queries and mutations have. */
  requireTransaction(): Transaction {
    if (this.#transaction !== null) return this.#transaction;
    throw new FunctionError("Actions have no ctx.db: use ctx.runQuery and ctx.runMutation.");
  }

  requireMutation(): Transaction {
    if (this.kind === "mutation" && this.#transaction !== null) return this.#transaction;
    throw new FunctionError("Only mutations write. Move this into a mutation.");
  }

  /** Throws for work that a function left behind when it returned: its transaction may be over. */
  assertRunning(): void {
    this.parent?.assertRunning();
    if (!this.#isOver) return;
    throw new FunctionError(
      `${this.functionPath} has already ended. Await every promise before the function returns.`,
    );
  }

  /**
   * Runs one syscall after those that were asked for before it have ended: while a nested call runs, the transaction
   * is the child's, and its savepoint must not swallow what the parent writes.
   */
  async inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const before = this.#lastTurn;
    let end = (): void => {};
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#lastTurn = turn;
    if (before !== null) await before;
    try {
      return await work();
    } finally {
      if (this.#lastTurn === turn) this.#lastTurn = null;
      end();
    }
  }

  addStream(stream: QueryStream): number {
    const id = this.#nextStreamId++;
    this.#streams.set(id, stream);
    return id;
  }

  stream(id: number): QueryStream {
    const stream = this.#streams.get(id);
    if (stream === undefined) throw new FunctionError(`Query ${id} has been closed.`);
    return stream;
  }

  closeStream(id: number): void {
    this.#streams.get(id)?.close();
    this.#streams.delete(id);
  }

  end(): void {
    this.#isOver = true;
    for (const id of this.#streams.keys()) this.closeStream(id);
  }
}

const current = new AsyncLocalStorage<Execution>();

/** The execution whose code is running; undefined while a module is being loaded. */
export function currentExecution(): Execution | undefined {
  return current.getStore();
}

export function runInside<T>(execution: Execution, work: () => T): T {
  return current.run(execution, work);
}

/** For code that belongs to no call, such as a module that is loaded when a call first names it. */
export function runOutside<T>(work: () => T): T {
  return current.exit(work);
}
