/**
 * Owns: one call from outside while it runs: its place in the log, its call tree, and turning what it throws into a
 * failure that the caller may see.
 * Not: what is run (calls.ts).
 */
import type {
  Caller,
  FunctionFailure,
  FunctionLog,
  FunctionTarget,
  Identity,
  RequestMetadata,
} from "../application.ts";
import { StorageError } from "../errors.ts";
import type { ComponentInstance } from "../functions/component-instance.ts";
import type { EngineParts } from "../functions/engine-parts.ts";
import { Execution } from "../functions/execution.ts";
import type { CallTree } from "../functions/execution.ts";
import { describeFailure } from "../functions/failures.ts";
import { seededRandom } from "../functions/runtime-globals.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { FunctionLogs } from "./function-logs.ts";

export type CallStart = {
  readonly target: FunctionTarget;
  readonly caller: Caller;
  readonly request: RequestMetadata;
  readonly journal?: string | null;
  readonly scheduledFunctionId?: string | null;
  /** Of the request that led here; that of the caller, where nobody says. */
  readonly authToken?: string | null;
};

export type CallParts = {
  readonly engine: EngineParts;
  readonly logs: FunctionLogs;
  readonly onInternalError: (error: unknown) => void;
};

const SEED_BYTES = 4;
/** Convex's own words for what is not the caller's fault. */
const UNAVAILABLE = "Your request couldn't be completed. Try again later.";

export class Call {
  readonly tree: CallTree;
  transaction: Transaction | null = null;
  /** What the call did was undone because it could not be made durable; it may be tried again. */
  isLost = false;
  readonly #parts: CallParts;
  readonly #kind: FunctionLog["kind"];
  readonly #start: CallStart;
  readonly #at: number;
  /** Without waiting for other transactions or for the disk. */
  #durationMs = 0;

  constructor(parts: CallParts, kind: FunctionLog["kind"], start: CallStart) {
    this.#parts = parts;
    this.#kind = kind;
    this.#start = start;
    this.#at = parts.engine.clock.now();
    this.tree = {
      request: start.request,
      scheduledFunctionId: start.scheduledFunctionId ?? null,
      authToken: start.authToken ?? start.caller.token ?? null,
      logLines: [],
      journal: start.journal ?? null,
      nextJournal: null,
      internalErrors: [],
    };
  }

  async attempt<T>(work: () => Promise<T>): Promise<T | FunctionFailure> {
    try {
      return await work();
    } catch (error) {
      this.isLost = error instanceof StorageError;
      if (this.isLost) this.tree.internalErrors.push(error);
      return this.#failure(error);
    } finally {
      for (const error of this.tree.internalErrors) this.#parts.onInternalError(error);
    }
  }

  /** The outermost execution of the call. */
  async execute<T>(
    instance: ComponentInstance,
    functionPath: string,
    work: (execution: Execution) => Promise<T>,
  ): Promise<T> {
    const execution = new Execution({
      kind: this.#kind,
      instance,
      functionPath,
      identity: this.#identity,
      tree: this.tree,
      transaction: this.transaction,
      parent: null,
      nextRandom: seededRandom(this.#parts.engine.random(SEED_BYTES)),
    });
    const startedAtMs = performance.now();
    try {
      return await work(execution);
    } finally {
      execution.end();
      this.#durationMs = performance.now() - startedAtMs;
    }
  }

  log(result: { readonly ok: true } | FunctionFailure): void {
    const { target, request } = this.#start;
    this.#parts.logs.emit({
      kind: this.#kind,
      target,
      requestId: request.requestId,
      at: this.#at,
      durationMs: this.#durationMs,
      logLines: this.tree.logLines,
      error: result.ok ? null : result.message,
      transaction: this.transaction,
    });
  }

  get #identity(): Identity | null {
    return this.#start.caller.identity;
  }

  #failure(error: unknown): FunctionFailure {
    const { request, logLines, internalErrors } = this.tree;
    const { requestId } = request;
    if (error instanceof StorageError) {
      return { ok: false, message: error.message, data: null, logLines, requestId };
    }
    if (internalErrors.length > 0) {
      return { ok: false, message: UNAVAILABLE, data: null, logLines, requestId };
    }
    const { message, dataJson } = describeFailure(error, this.#parts.engine.stacks());
    return { ok: false, message, data: dataJson, logLines, requestId };
  }
}
