/**
 * Owns: running scheduled functions: a mutation exactly once, an action at most once.
 * Not: when they are due (scheduler/), their rows (functions/job-store.ts).
 */
import type {
  ActionResult,
  Caller,
  FunctionKind,
  MutationResult,
  ScheduledJob,
  ScheduledJobs,
} from "../application.ts";
import type { EngineParts } from "../functions/engine-parts.ts";
import type { JobState } from "../functions/job-store.ts";
import { DUE_JOBS } from "../transactions/key-space.ts";
import type { CallRequest, Calls } from "./calls.ts";

/** A job may be internal or lie in a component, and runs on nobody's behalf. */
const SCHEDULER: Caller = { kind: "admin", identity: null };

export class Jobs implements ScheduledJobs {
  readonly #engine: EngineParts;
  readonly #calls: Calls;
  readonly #listeners = new Set<() => void>();

  constructor(engine: EngineParts, calls: Calls) {
    this.#engine = engine;
    this.#calls = calls;
    engine.commits.onCommit((writtenKeys, transaction) => {
      const isScheduled = writtenKeys.some(
        (key) => key.startsWith(DUE_JOBS) && transaction.peek(key) !== undefined,
      );
      if (isScheduled) for (const listener of this.#listeners) listener();
    });
  }

  due(now: number, limit: number): { jobs: readonly ScheduledJob[]; nextDueAt: number | null } {
    const { commits, jobs } = this.#engine;
    return jobs.due(commits.begin(), now, limit);
  }

  onScheduled(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  kind({ target }: ScheduledJob): FunctionKind | null {
    return this.#calls.kind(target, SCHEDULER);
  }

  runMutation(job: ScheduledJob): Promise<MutationResult | null> {
    const { jobs } = this.#engine;
    return this.#calls.mutation(this.#requestOf(job), {
      isWanted: (transaction) => jobs.isPending(transaction, job),
      onSuccess: (transaction) => jobs.markFinished(transaction, job.id, { kind: "success" }),
      onFailure: (error) => this.#markFailed(job, error),
    });
  }

  async runAction(job: ScheduledJob): Promise<ActionResult | null> {
    const { jobs } = this.#engine;
    const hasBegun = await this.#engine.commits.transact((transaction) => {
      if (!jobs.isPending(transaction, job)) return false;
      jobs.markRunning(transaction, job);
      return true;
    });
    if (!hasBegun) return null;
    const result = await this.#calls.action(this.#requestOf(job));
    const state: JobState = result.ok
      ? { kind: "success" }
      : { kind: "failed", error: result.message };
    await this.#engine.commits.transact((transaction) =>
      jobs.markFinished(transaction, job.id, state),
    );
    return result;
  }

  async failInterrupted(): Promise<number> {
    const { jobs } = this.#engine;
    const error = "Transient error while executing action: the engine stopped before it ended.";
    return this.#engine.commits.transact((transaction) => {
      const ids = jobs.running(transaction);
      for (const id of ids) jobs.markFinished(transaction, id, { kind: "failed", error });
      return ids.length;
    });
  }

  async #markFailed(job: ScheduledJob, error: string): Promise<void> {
    const { commits, jobs } = this.#engine;
    await commits.transact((transaction) => {
      if (!jobs.isPending(transaction, job)) return;
      jobs.markFinished(transaction, job.id, { kind: "failed", error });
    });
  }

  #requestOf({ id, target, argsJson }: ScheduledJob): CallRequest {
    const request = this.#calls.newRequest();
    return { target, argsJson, caller: SCHEDULER, request, scheduledFunctionId: id };
  }
}
