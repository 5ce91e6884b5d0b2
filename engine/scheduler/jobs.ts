/**
 * Owns: running what ctx.scheduler was given, when it is due, a bounded number at once.
 * Not: the jobs' rows and their states (application.ts: a mutation is marked done in its own commit, so a crash never
 * runs it twice; an action is marked begun before it starts).
 */
import type { Application, ScheduledJob, ScheduledJobs } from "../application.ts";
import type { Clock } from "../clock.ts";
import { MAX_CONCURRENT_ACTIONS, MAX_CONCURRENT_JOBS } from "../limits.ts";
import { createAlarm, LONGEST_WAIT_MS } from "./alarm.ts";
import type { Alarm } from "./alarm.ts";
import type { OnProblem } from "./on-problem.ts";
import { retryDelayMs } from "./retry-delay.ts";

/** Due jobs that are looked up at a time. Larger than what may run at once, so that waiting actions do not hide mutations. */
const LOOKAHEAD_JOBS = 2 * (MAX_CONCURRENT_JOBS + MAX_CONCURRENT_ACTIONS);

type Lane = "mutation" | "action";
const LANE_LIMITS: Record<Lane, number> = {
  mutation: MAX_CONCURRENT_JOBS,
  action: MAX_CONCURRENT_ACTIONS,
};

export class JobRunner {
  readonly #jobs: ScheduledJobs;
  readonly #clock: Clock;
  readonly #onProblem: OnProblem;
  readonly #alarm: Alarm;
  readonly #stopListening: () => void;
  readonly #running = new Map<string, Promise<void>>();
  readonly #lanes: Record<Lane, number> = { mutation: 0, action: 0 };
  /** Jobs that the engine failed to run: how often in a row, and when to try again. */
  readonly #failed = new Map<string, { readonly count: number; readonly retryAt: number }>();
  #state: "starting" | "running" | "stopped" = "starting";

  constructor(application: Pick<Application, "scheduled">, clock: Clock, onProblem: OnProblem) {
    this.#jobs = application.scheduled;
    this.#clock = clock;
    this.#onProblem = onProblem;
    this.#alarm = createAlarm(clock, () => this.#runDue());
    this.#stopListening = this.#jobs.onScheduled(() => this.#runDue());
  }

  /** Resolves when the past is settled: actions that a crash interrupted are marked, and what is due has begun. */
  async start(): Promise<void> {
    await this.#jobs.failInterrupted();
    if (this.#state === "stopped") return;
    this.#state = "running";
    this.#runDue();
  }

  /** Begins nothing more; resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#alarm.stop();
    this.#stopListening();
    await Promise.all(this.#running.values());
  }

  /** Never throws: it is called from a commit and from a timer. */
  #runDue(): void {
    if (this.#state !== "running") return;
    try {
      const now = this.#clock.now();
      const { jobs, nextDueAt } = this.#jobs.due(now, this.#running.size + LOOKAHEAD_JOBS);
      for (const job of jobs) this.#begin(job, now);
      // What is due and did not fit is looked up again when something that runs has ended.
      if (nextDueAt !== null && nextDueAt > now) this.#alarm.ringAt(nextDueAt);
    } catch (error) {
      this.#alarm.ringAt(this.#clock.now() + LONGEST_WAIT_MS);
      this.#onProblem("The scheduled functions could not be looked up", error);
    }
  }

  #begin(job: ScheduledJob, now: number): void {
    if (this.#running.has(job.id)) return;
    const retryAt = this.#failed.get(job.id)?.retryAt ?? 0;
    if (retryAt > now) {
      this.#alarm.ringAt(retryAt);
      return;
    }
    const lane = this.#laneOf(job);
    if (this.#lanes[lane] >= LANE_LIMITS[lane]) return;
    this.#lanes[lane]++;
    this.#running.set(job.id, this.#run(job, lane));
  }

  /** A function that is gone is run as a mutation: that fails, and marks the job so. */
  #laneOf(job: ScheduledJob): Lane {
    return this.#jobs.kind(job) === "action" ? "action" : "mutation";
  }

  async #run(job: ScheduledJob, lane: Lane): Promise<void> {
    try {
      const result =
        lane === "action" ? await this.#jobs.runAction(job) : await this.#jobs.runMutation(job);
      if (result?.ok === false && this.#isStillDue(job)) throw new Error(result.message);
      this.#failed.delete(job.id);
    } catch (error) {
      const count = (this.#failed.get(job.id)?.count ?? 0) + 1;
      this.#failed.set(job.id, { count, retryAt: this.#clock.now() + retryDelayMs(count) });
      this.#onProblem(`The scheduled function ${job.target.path} could not be run`, error);
    } finally {
      this.#lanes[lane]--;
      this.#running.delete(job.id);
    }
    this.#runDue();
  }

  /** A job that failed is marked and gone; one whose commit the store has lost is as it was before. */
  #isStillDue(job: ScheduledJob): boolean {
    const { jobs } = this.#jobs.due(this.#clock.now(), this.#running.size + LOOKAHEAD_JOBS);
    return jobs.some(({ id }) => id === job.id);
  }
}
