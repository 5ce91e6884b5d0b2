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
  MutationResult,
  MutationSuccess,
  QueryResult,
  RequestKey,
  RequestMetadata,
} from "../application.ts";
import { withCommitTs } from "../catalog/commit-timestamps.ts";
import { FunctionError } from "../errors.ts";
import { readablePath } from "../function-path.ts";
import type { CallFromAction, EngineParts } from "../functions/engine-parts.ts";
import type { Execution } from "../functions/execution.ts";
import { invoke } from "../functions/invoke.ts";
import type { RegisteredFunction } from "../functions/registered-function.ts";
import type { QueryRun } from "../subscriptions/live-queries.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { Call } from "./call.ts";
import type { CallParts, CallStart } from "./call.ts";
import { compileInlineQuery } from "./inline-query.ts";
import type { RequestResults } from "./request-results.ts";

export type CallRequest = CallStart & { readonly argsJson: string };

/** What else happens in a mutation's transaction. */
export type MutationExtras = {
  readonly requestKey?: RequestKey;
  /** It has run or failed, and the next transaction may begin. */
  readonly onRan?: () => void;
  /** False: the mutation is not wanted any more. */
  readonly isWanted?: (transaction: Transaction) => boolean;
  readonly onSuccess?: (transaction: Transaction) => void;
  /** The function failed, in a transaction that is over; not called when a commit was lost, which may be tried again. */
  readonly onFailure?: (error: string) => Promise<void>;
};

export const REQUEST_ID_BYTES = 8;

export class Calls {
  readonly #parts: CallParts;
  readonly #engine: EngineParts;
  readonly #results: RequestResults;
  /** Actions that run; they lie outside of the executor, which knows of everything else. */
  readonly #actions = new Set<Promise<unknown>>();

  constructor(parts: CallParts, results: RequestResults) {
    this.#parts = parts;
    this.#engine = parts.engine;
    this.#results = results;
  }

  /** Null where Convex would say "Could not find function". */
  kind(target: FunctionTarget, caller: Caller): FunctionKind | null {
    return this.#callable(target, caller)?.kind ?? null;
  }

  async query(request: CallRequest): Promise<QueryResult> {
    const waiting = new Call(this.#parts, "query", request);
    return waiting.attempt(async () => {
      const { result } = await this.#engine.commits.runDurably(() => this.queryInJob(request));
      return result;
    });
  }

  /** Within a job of the executor; the result may be handed out once its snapshot is durable. */
  async queryInJob(request: CallRequest): Promise<QueryRun> {
    const call = new Call(this.#parts, "query", request);
    const transaction = this.#engine.commits.begin();
    call.transaction = transaction;
    const { logLines } = call.tree;
    const result = await call.attempt<QueryResult>(async () => {
      const value = await this.#invoke(request, "query", call);
      return { ok: true, value, logLines, journal: call.tree.nextJournal };
    });
    call.log(result);
    return { result, reads: transaction.reads.merged() };
  }

  /** A query that is not part of the code that was pushed; for an admin. */
  async inlineQuery(source: string, request: CallRequest): Promise<QueryResult> {
    const call = new Call(this.#parts, "query", request);
    const { logLines } = call.tree;
    const result = await call.attempt<QueryResult>(async () => {
      const { componentPath } = request.target;
      const instance = this.#engine.deployment().instances.get(componentPath);
      if (instance === undefined)
        throw new FunctionError(`The component "${componentPath}" is not mounted here.`);
      const compiled = await compileInlineQuery(instance, source);
      return this.#engine.commits.runDurably(async () => {
        call.transaction = this.#engine.commits.begin();
        const value = await call.execute(instance, compiled.path, (execution) =>
          invoke(execution, compiled, request.argsJson, this.#engine.clock),
        );
        return { ok: true, value, logLines, journal: null };
      });
    });
    call.log(result);
    return result;
  }

  /** Null when it was not wanted any more. */
  async mutation(
    request: CallRequest,
    extras: MutationExtras = {},
  ): Promise<MutationResult | null> {
    const call = new Call(this.#parts, "mutation", request);
    const result = await call.attempt(() =>
      this.#engine.commits.runDurably(async () => {
        try {
          return await this.#mutationInJob(request, extras, call);
        } finally {
          extras.onRan?.();
        }
      }),
    );
    if (result === null) return null;
    call.log(result);
    if (!result.ok && !call.isLost) await extras.onFailure?.(result.message);
    return result;
  }

  /** A mutation that nobody can call off. */
  async requiredMutation(
    request: CallRequest,
    extras: Omit<MutationExtras, "isWanted"> = {},
  ): Promise<MutationResult> {
    const result = await this.mutation(request, extras);
    if (result === null) throw new Error("A mutation was dropped that was always wanted.");
    return result;
  }

  async action(request: CallRequest): Promise<ActionResult> {
    const call = new Call(this.#parts, "action", request);
    const running = call.attempt<ActionResult>(async () => {
      const value = await this.#invoke(request, "action", call);
      return { ok: true, value, logLines: call.tree.logLines };
    });
    const result = await this.#tracked(running);
    call.log(result);
    return result;
  }

  /** Runs a handler that is no registered function, with what actions have. */
  async httpAction<T>(
    start: CallStart,
    work: (execution: Execution) => Promise<T>,
  ): Promise<{ readonly ok: true; readonly value: T } | FunctionFailure> {
    const call = new Call(this.#parts, "httpAction", start);
    const running = call.attempt(async () => {
      const value = await call.execute(this.#engine.deployment().app, start.target.path, work);
      return { ok: true, value } as const;
    });
    const result = await this.#tracked(running);
    call.log(result);
    return result;
  }

  /** The calls of an action go on as whoever called it, and may reach internal functions. */
  fromAction({ target, argsJson, identity, tree }: CallFromAction): CallRequest {
    const { request, scheduledFunctionId, authToken } = tree;
    const caller = { kind: "admin", identity } as const;
    return { target, argsJson, caller, request, scheduledFunctionId, authToken };
  }

  /** Resolves when no action runs any more. */
  async actionsEnded(): Promise<void> {
    while (this.#actions.size > 0) await Promise.all(this.#actions);
  }

  newRequest(): RequestMetadata {
    const requestId = Buffer.from(this.#engine.random(REQUEST_ID_BYTES)).toString("hex");
    return { requestId, ip: null, userAgent: null };
  }

  async #tracked<T>(action: Promise<T>): Promise<T> {
    this.#actions.add(action);
    try {
      return await action;
    } finally {
      this.#actions.delete(action);
    }
  }

  async #mutationInJob(
    request: CallRequest,
    { requestKey, isWanted, onSuccess }: MutationExtras,
    call: Call,
  ): Promise<MutationSuccess | null> {
    const { commits } = this.#engine;
    const { logLines } = call.tree;
    const transaction = commits.begin();
    call.transaction = transaction;
    if (isWanted?.(transaction) === false) return null;
    const earlier = requestKey && this.#results.find(transaction, requestKey);
    if (earlier) return { ok: true, ...earlier, logLines };
    const value = await this.#invoke(request, "mutation", call);
    onSuccess?.(transaction);
    if (requestKey && transaction.hasWrites) this.#results.store(transaction, requestKey, value);
    const commitTs = commits.commit(transaction);
    return { ok: true, value: withCommitTs(value, commitTs), commitTs, logLines };
  }

  #invoke(request: CallRequest, kind: FunctionKind, call: Call): Promise<string> {
    const { target, caller, argsJson } = request;
    const registered = this.#callable(target, caller) ?? notFound(target, caller);
    if (registered.kind !== kind) {
      throw new FunctionError(
        `Trying to execute ${readablePath(target.path)} as ${kind}, but it is defined as ${registered.kind}.`,
      );
    }
    return call.execute(registered.instance, registered.path, (execution) =>
      invoke(execution, registered, argsJson, this.#engine.clock),
    );
  }

  /** Visitors reach the public functions of the app; an admin reaches everything. */
  #callable(target: FunctionTarget, caller: Caller): RegisteredFunction | undefined {
    const found = this.#engine.deployment().find(target);
    if (caller.kind === "admin") return found;
    return found?.isPublic === true && target.componentPath === "" ? found : undefined;
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
