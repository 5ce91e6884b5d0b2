/**
 * Owns: running what crons.ts names, in its slots, and the memory of each cron's next slot across restarts.
 * Not: what a schedule means (cron-schedule.ts).
 *
 * A mutation runs first and its slot is closed afterwards; it carries the slot as its request number, so that running
 * it again after a crash in between gives the first result instead of a second run. An action's slot is closed first:
 * it runs at most once. A slot that passed while nothing ran is made up for once; a slot that comes while the
 * previous run still goes is skipped, as on Convex.
 */
import type { Application, Caller, CallOptions, CronSpec } from "../application.ts";
import type { Clock } from "../clock.ts";
import { createAlarm } from "./alarm.ts";
import type { Alarm } from "./alarm.ts";
import { cronKey, readCronState, readCronStates, writeCronState } from "./cron-state.ts";
import { firstRun, nextRun, nextRunAfterMissed, parseSchedule } from "./cron-schedule.ts";
import type { Schedule } from "./cron-schedule.ts";
import type { OnProblem } from "./on-problem.ts";
import { retryDelayMs } from "./retry-delay.ts";

export type CronApplication = Pick<
  Application,
  "crons" | "transact" | "mutation" | "action" | "functionKind" | "onDeployed"
>;

type Cron = {
  readonly spec: CronSpec;
  readonly schedule: Schedule;
  readonly scheduleJson: string;
  /** The slot that is open: the next one, or the one that runs. */
  nextRunAt: number;
  /** After the engine itself failed; 0 otherwise. */
  retryAt: number;
  failuresInARow: number;
};

const ADMIN: Caller = { kind: "admin", identity: null };

export class CronRunner {
  readonly #application: CronApplication;
  readonly #clock: Clock;
  readonly #onProblem: OnProblem;
  readonly #alarm: Alarm;
  readonly #stopListening: () => void;
  readonly #running = new Map<string, Promise<void>>();
  #crons: ReadonlyMap<string, Cron> = new Map();
  /** Deployments are taken over one after the other. */
  #reconciled: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(application: CronApplication, clock: Clock, onProblem: OnProblem) {
    this.#application = application;
    this.#clock = clock;
    this.#onProblem = onProblem;
    this.#alarm = createAlarm(clock, () => this.#runDue());
    this.#stopListening = application.onDeployed(() => void this.start());
  }

  /** Takes over the crons of the running deployment; called again by itself after each deployment. */
  start(): Promise<void> {
    this.#reconciled = this.#reconciled.then(async () => {
      if (this.#isStopped) return;
      try {
        this.#crons = await this.#reconcile();
        this.#runDue();
      } catch (error) {
        this.#onProblem("The crons could not be taken over", error);
      }
    });
    return this.#reconciled;
  }

  /** Begins nothing more; resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#alarm.stop();
    this.#stopListening();
    await this.#reconciled;
    await Promise.all(this.#running.values());
  }

  /** New crons begin, changed ones begin anew, removed ones are forgotten, and all others keep their next slot. */
  #reconcile(): Promise<ReadonlyMap<string, Cron>> {
    const crons = this.#readCrons();
    return this.#application.transact((transaction) => {
      const known = readCronStates(transaction);
      for (const [key, cron] of crons) {
        const before = known.get(key);
        cron.nextRunAt =
          before?.scheduleJson === cron.scheduleJson
            ? slotToKeep(cron.schedule, before.nextRunAt, transaction.now)
            : firstRun(cron.schedule, transaction.now);
        if (cron.nextRunAt !== before?.nextRunAt) writeCronState(transaction, key, cron);
      }
      for (const key of known.keys()) if (!crons.has(key)) transaction.put(key, null);
      return crons;
    });
  }

  #readCrons(): Map<string, Cron> {
    const crons = new Map<string, Cron>();
    for (const spec of this.#application.crons()) {
      const key = cronKey(spec);
      try {
        const schedule = parseSchedule(spec.schedule, key);
        const scheduleJson = JSON.stringify(spec.schedule);
        crons.set(key, {
          spec,
          schedule,
          scheduleJson,
          nextRunAt: 0,
          retryAt: 0,
          failuresInARow: 0,
        });
      } catch (error) {
        this.#onProblem(`The cron "${spec.name}" does not run`, error);
      }
    }
    return crons;
  }

  #runDue(): void {
    if (this.#isStopped) return;
    const now = this.#clock.now();
    for (const [key, cron] of this.#crons) {
      if (this.#running.has(key)) continue;
      const dueAt = Math.max(cron.nextRunAt, cron.retryAt);
      if (dueAt > now) this.#alarm.ringAt(dueAt);
      else this.#running.set(key, this.#run(key, cron));
    }
  }

  async #run(key: string, cron: Cron): Promise<void> {
    try {
      await this.#runSlot(key, cron, cron.nextRunAt);
      cron.failuresInARow = 0;
    } catch (error) {
      cron.failuresInARow++;
      cron.retryAt = this.#clock.now() + retryDelayMs(cron.failuresInARow);
      this.#onProblem(`The cron "${cron.spec.name}" could not be run`, error);
    } finally {
      this.#running.delete(key);
    }
    this.#runDue();
  }

  async #runSlot(key: string, cron: Cron, slotAt: number): Promise<void> {
    const { target, argsJson } = cron.spec;
    if (this.#application.functionKind(target, ADMIN) === "action") {
      if (!(await this.#closeSlot(key, cron, slotAt))) return;
      await this.#application.action(target, argsJson, callOptions(cron.spec, slotAt));
      await this.#skipMissedSlot(key);
    } else {
      await this.#application.mutation(target, argsJson, {
        ...callOptions(cron.spec, slotAt),
        requestKey: { sessionId: sessionOf(cron.spec), requestId: slotAt },
      });
      await this.#closeSlot(key, cron, slotAt);
    }
  }

  /** A slot that came while an action ran. */
  async #skipMissedSlot(key: string): Promise<void> {
    const cron = this.#crons.get(key);
    if (cron && cron.nextRunAt <= this.#clock.now())
      await this.#closeSlot(key, cron, cron.nextRunAt);
  }

  /** False when a deployment changed or removed the cron meanwhile: its state is then not this run's to move. */
  async #closeSlot(key: string, cron: Cron, slotAt: number): Promise<boolean> {
    const { scheduleJson } = cron;
    const nextRunAt = nextRunAfterMissed(cron.schedule, slotAt, this.#clock.now());
    const isClosed = await this.#application.transact((transaction) => {
      const state = readCronState(transaction, key);
      if (state?.scheduleJson !== scheduleJson || state.nextRunAt !== slotAt) return false;
      writeCronState(transaction, key, { scheduleJson, nextRunAt });
      return true;
    });
    const current = this.#crons.get(key);
    if (isClosed && current?.nextRunAt === slotAt) current.nextRunAt = nextRunAt;
    return isClosed;
  }
}

/** A slot further ahead than the schedule allows was set while the machine's clock was ahead. */
function slotToKeep(schedule: Schedule, slotAt: number, now: number): number {
  return Math.min(slotAt, nextRun(schedule, now));
}

function callOptions(spec: CronSpec, slotAt: number): CallOptions {
  const requestId = `cron ${spec.name} ${slotAt}`;
  return { caller: ADMIN, request: { requestId, ip: null, userAgent: null } };
}

/** Never the id of a client's session, which is a UUID. */
function sessionOf(spec: CronSpec): string {
  return `cron ${JSON.stringify([spec.componentPath, spec.name])}`;
}
