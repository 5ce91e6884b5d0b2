/**
 * Owns: everything that runs by itself: scheduled functions and crons, from start to stop.
 * Not: what they do, nor their rows.
 */
import type { Application } from "../application.ts";
import type { Clock } from "../clock.ts";
import { CronRunner } from "./crons.ts";
import { JobRunner } from "./jobs.ts";
import type { OnProblem } from "./on-problem.ts";

export interface Scheduler {
  /** Begins nothing more; resolves when what runs has ended. Call it before `application.close()`. */
  stop(): Promise<void>;
}

/** Resolves when what a crash left behind is settled and what is due has begun; it does not wait for that to end. */
export async function startScheduler(
  application: Application,
  clock: Clock,
  onProblem: OnProblem,
): Promise<Scheduler> {
  const jobs = new JobRunner(application, clock, onProblem);
  const crons = new CronRunner(application, clock, onProblem);
  await jobs.start();
  await crons.start();
  return {
    async stop() {
      await Promise.all([jobs.stop(), crons.stop()]);
    },
  };
}
