/**
 * Owns: running a function for somebody from outside: may they, one transaction, the outcome as a value.
 * Not: nested calls (functions/syscalls/calls.ts), watched queries' staleness (subscriptions/).
 */
import type {
  ActionResult,
  Caller,
  FunctionFailure,
  FunctionKind,
  FunctionTarget,
  Identity,
  MutationResult,
  QueryResult,
  RequestKey,
  RequestMetadata,
} from "../application.ts";
import { withCommitTs } from "../catalog/commit-timestamps.ts";
import { FunctionError, StorageError } from "../errors.ts";
import { readablePath } from "../function-path.ts";
import type { CallFromAction, EngineParts } from "../functions/engine-parts.ts";
import { Execution } from "../functions/execution.ts";
import type { CallTree } from "../functions/execution.ts";
import { describeFailure } from "../functions/failures.ts";
import { invoke } from "../functions/invoke.ts";
import type { RegisteredFunction } from "../functions/registered-function.ts";
import { seededRandom } from "../functions/runtime-globals.ts";
import type { QueryRun } from "../subscriptions/live-queries.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { CallRecord, FunctionLogs } from "./function-logs.ts";
import type { RequestResults } from "./request-results.ts";

export type CallRequest = {
  readonly target: FunctionTarget;
  readonly argsJson: string;
  readonly caller: Caller;
  readonly request: RequestMetadata;
  readonly journal?: string | null;
  readonly scheduledFunctionId?: string;
};

/** What else happens in a mutation's transaction. */
export type MutationExtras = {
  readonly requestKey?: RequestKey;
  /** False: the mutation is not wanted any more. */
  readonly isWanted?: (transaction: Transaction) => boolean;
  readonly onSuccess?: (transaction: Transaction) => void;
  /** The function failed, in a transaction that is over; not called when a commit was lost, which may be tried again. */
  readonly onFailure?: (error: string) => Promise<void>;
};

const SEED_BYTES = 4;
const UNAVAILABLE = "Your request couldn't be completed. Try again later.";

type Running = {
  readonly record: CallRecord;
  readonly tree: CallTree;
  transaction: Transaction | null;
  isLost: boolean;
};
type Committed = { readonly value: string; readonly commitTs: bigint };

export class Calls {
  readonly #engine: EngineParts;
  readonly #logs: FunctionLogs;
  readonly #results: RequestResults;
  readonly #onInternalError: (error: unknown) => void;

  constructor(
    engine: EngineParts,
    logs: FunctionLogs,
    results: RequestResults,
    onInternalError: (error: unknown) => void,
  ) {
    this.#engine = engine;
    this.#logs = logs;
    this.#results = results;
    this.#onInternalError = onInternalError;
  }

  /** Null where Convex would say "Could not find function". */
  kind(target: FunctionTarget, caller: Caller): FunctionKind | null {
    return this.#callable(target, caller)?.kind ?? null;
  }

  async query(call: CallRequest): Promise<QueryResult> {
    const running = this.#begin("query", call);
    try {
      const { result } = await this.#engine.commits.runDurably(() => this.queryInJob(call));
      return result;
    } catch (error) {
      return this.#failure(error, running.tree);
    }
  }

  /** Within a job of the executor; the result may be handed out once its snapshot is durable. */
  async queryInJob(call: CallRequest): Promise<QueryRun> {
    const running = this.#begin("query", call);
    const transaction = this.#engine.commits.begin();
    running.transaction = transaction;
    const result = await this.#attempt(running, async () => {
      const value = await this.#invoke(call, "query", running, transaction);
      return { ok: true, value, journal: running.tree.nextJournal } as const;
    });
    this.#log(running, result);
    return { result, reads: transaction.reads.merged() };
  }

  /** Null when it was not wanted any more. */
  async mutation(call: CallRequest, extras: MutationExtras = {}): Promise<MutationResult | null> {
    const running = this.#begin("mutation", call);
    const result = await this.#attempt(running, async () => {
      const committed = await this.#engine.commits.runDurably(() =>
        this.#mutationInJob(call, extras, running),
      );
      return committed && ({ ok: true, ...committed } as const);
    });
    if (result === null) return null;
    this.#log(running, result);
    if (!result.ok && !running.isLost) await extras.onFailure?.(result.message);
    return result;
  }

  /** A mutation that nobody can call off. */
  async requiredMutation(
    call: CallRequest,
    extras: Omit<MutationExtras, "isWanted"> = {},
  ): Promise<MutationResult> {
    const result = await this.mutation(call, extras);
    if (result === null) throw new Error("A mutation was dropped that was always wanted.");
    return result;
  }

  async action(call: CallRequest): Promise<ActionResult> {
    const running = this.#begin("action", call);
    const result = await this.#attempt(running, async () => {
      const value = await this.#invoke(call, "action", running, null);
      return { ok: true, value } as const;
    });
    this.#log(running, result);
    return result;
  }

  /** Runs code that is no registered function, as an action. `describe` names it in the log. */
  async asAction<T>(
    call: Omit<CallRequest, "argsJson">,
    work: (execution: Execution) => Promise<T>,
  ): Promise<{ ok: true; value: T } | FunctionFailure> {
    const running = this.#begin("httpAction", call);
    const result = await this.#attempt(running, async () => {
      const instance = this.#engine.deployment().app;
      const { target, caller } = call;
      const execution = this.#execution(
        instance,
        "httpAction",
        target.path,
        caller.identity,
        running,
      );
      try {
        return { ok: true, value: await work(execution) } as const;
      } finally {
        execution.end();
      }
    });
    this.#log(running, result);
    return result;
  }

  /** The calls of an action go on as whoever called it, and may reach internal functions. */
  fromAction({ target, argsJson, identity, tree }: CallFromAction): CallRequest {
    return { target, argsJson, caller: { kind: "admin", identity }, request: tree.request };
  }

  newRequest(): RequestMetadata {
    const requestId = Buffer.from(this.#engine.random(8)).toString("hex");
    return { requestId, ip: null, userAgent: null };
  }

  #begin(kind: CallRecord["kind"], call: Omit<CallRequest, "argsJson">): Running {
    const { target, request } = call;
    return {
      record: {
        kind,
        target,
        requestId: request.requestId,
        at: this.#engine.clock.now(),
        startedAtMs: performance.now(),
      },
      tree: {
        request,
        scheduledFunctionId: call.scheduledFunctionId ?? null,
        logLines: [],
        journal: call.journal ?? null,
        nextJournal: null,
        internalErrors: [],
      },
      transaction: null,
      isLost: false,
    };
  }

  async #mutationInJob(
    call: CallRequest,
    extras: MutationExtras,
    running: Running,
  ): Promise<Committed | null> {
    const { commits } = this.#engine;
    const transaction = commits.begin();
    running.transaction = transaction;
    if (extras.isWanted?.(transaction) === false) return null;
    const earlier = extras.requestKey && this.#results.find(transaction, extras.requestKey);
    if (earlier) return earlier;
    const value = await this.#invoke(call, "mutation", running, transaction);
    extras.onSuccess?.(transaction);
    if (extras.requestKey && transaction.hasWrites) {
      this.#results.store(transaction, extras.requestKey, value);
    }
    const commitTs = commits.commit(transaction);
    return { value: withCommitTs(value, commitTs), commitTs };
  }

  #invoke(
    call: CallRequest,
    kind: FunctionKind,
    running: Running,
    transaction: Transaction | null,
  ): Promise<string> {
    const { target, caller, argsJson } = call;
    const registered = this.#callable(target, caller) ?? notFound(target, caller);
    if (registered.kind !== kind) {
      throw new FunctionError(
        `Trying to execute ${readablePath(target.path)} as ${kind}, but it is defined as ${registered.kind}.`,
      );
    }
    running.transaction = transaction;
    const { instance, path } = registered;
    const execution = this.#execution(instance, kind, path, caller.identity, running);
    return invoke(execution, registered, argsJson, this.#engine.clock);
  }

  #execution(
    instance: RegisteredFunction["instance"],
    kind: CallRecord["kind"],
    functionPath: string,
    identity: Identity | null,
    { tree, transaction }: Running,
  ): Execution {
    const nextRandom = seededRandom(this.#engine.random(SEED_BYTES));
    return new Execution({
      kind,
      instance,
      functionPath,
      identity,
      tree,
      transaction,
      parent: null,
      nextRandom,
    });
  }

  /** Visitors reach the public functions of the app; an admin reaches everything. */
  #callable(target: FunctionTarget, caller: Caller): RegisteredFunction | undefined {
    const found = this.#engine.deployment().find(target);
    if (caller.kind === "admin") return found;
    return found?.isPublic === true && target.componentPath === "" ? found : undefined;
  }

  async #attempt<T extends object | null>(
    running: Running,
    work: () => Promise<T>,
  ): Promise<(T & { logLines: CallTree["logLines"] }) | FunctionFailure> {
    const { logLines } = running.tree;
    try {
      const success = await work();
      return success === null ? (null as never) : { ...success, logLines };
    } catch (error) {
      running.isLost = error instanceof StorageError;
      return this.#failure(error, running.tree);
    } finally {
      for (const error of running.tree.internalErrors) this.#onInternalError(error);
    }
  }

  #failure(error: unknown, { request, logLines, internalErrors }: CallTree): FunctionFailure {
    const { requestId } = request;
    if (error instanceof StorageError) {
      this.#onInternalError(error);
      return { ok: false, message: error.message, data: null, logLines, requestId };
    }
    if (internalErrors.length > 0) {
      return { ok: false, message: UNAVAILABLE, data: null, logLines, requestId };
    }
    const { message, dataJson } = describeFailure(error, this.#engine.stacks());
    return { ok: false, message, data: dataJson, logLines, requestId };
  }

  #log(running: Running, result: { ok: true } | FunctionFailure): void {
    this.#logs.emit(running.record, {
      logLines: running.tree.logLines,
      error: result.ok ? null : result.message,
      transaction: running.transaction,
    });
  }
}

function notFound({ path, componentPath }: FunctionTarget, caller: Caller): never {
  const what = caller.kind === "admin" ? "function" : "public function";
  const place = componentPath === "" ? "" : ` in component "${componentPath}"`;
  throw new FunctionError(
    `Could not find ${what} for '${readablePath(path)}'${place}. ` +
      "Did you forget to run `npx convex dev` or `npx convex deploy`?",
  );
}
