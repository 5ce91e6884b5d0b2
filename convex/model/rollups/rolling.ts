/**
 * Owns: when paths and roll-ups catch up with the headline: within seconds while somebody watches, else rarely,
 * because rewriting them costs as much as many views.
 * Not: what is added to them (roll.ts).
 */
import { UNWATCHED_ROLLUP_DELAY_MS, WATCHED_ROLLUP_DELAY_MS } from "../../../domain/intervals.ts";
import { MAX_UNROLLED_VIEWS, UNWATCHED_UNROLLED_VIEWS } from "../../../domain/limits.ts";
import { internal } from "../../_generated/api.js";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { isToCome } from "../scheduled.ts";
import { ensureWorker, isWatched, readWorker } from "../waking.ts";
import { hasUnrolled } from "./roll.ts";
import type { RollOutcome } from "./roll.ts";

/** Roll-ups that are this late are seen to by the watchdog; planning them again while their job is to come does nothing. */
const ROLL_OVERDUE_AFTER_MS = 60_000;

/** From a run of the worker that has settled a batch. Gives the worker's row as it is then. */
export async function rollIfDue(ctx: MutationCtx, worker: Doc<"workers">): Promise<Doc<"workers">> {
  if (!isRollDue(worker, Date.now())) return worker;
  const { site } = worker;
  const { isFull } = await rollNext(ctx, site);
  const rolled = await ensureWorker(ctx, site);
  // The run settles views batch by batch and rolls them up as it goes; events are settled by nothing else.
  const hasMoreEvents = isFull && rolled.unrolledEvents !== undefined;
  if (hasMoreEvents) await ctx.scheduler.runAfter(0, internal.worker.rollUp, { site });
  return rolled;
}

/** The worker goes idle while somebody watches, or somebody begins to: what is not rolled up must not wait for the next view. */
export async function planRoll(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  now: number,
): Promise<void> {
  if (!hasUnrolled(worker)) return;
  const dueAt = Math.max(now, dueAtOf(worker, now));
  const isEarly = worker.rollDueAt !== undefined && worker.rollDueAt <= dueAt;
  if (isEarly && (await isToCome(ctx, worker.rollRun))) return;
  const rollRun = await ctx.scheduler.runAt(dueAt, internal.worker.rollUp, { site: worker.site });
  await ctx.db.patch("workers", worker._id, { rollDueAt: dueAt, rollRun });
}

/** From the watchdog: a job that should have come did not. */
export async function planOverdueRoll(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  now: number,
): Promise<void> {
  if (dueAtOf(worker, now) < now - ROLL_OVERDUE_AFTER_MS) await planRoll(ctx, worker, now);
}

/** Rolls up what is left, as when the worker goes idle and nobody watches, and comes again while it is more than one batch. */
export async function rollLeft(ctx: MutationCtx, args: { site: string }): Promise<null> {
  const worker = await readWorker(ctx, args.site);
  if (worker === null || !hasUnrolled(worker)) return null;
  const { isFull } = await rollNext(ctx, args.site);
  if (isFull) await ctx.scheduler.runAfter(0, internal.worker.rollUp, args);
  return null;
}

/** One batch. A fault of it must not take the headline down: it is told, and the cursor stays. */
async function rollNext(ctx: MutationCtx, site: string): Promise<RollOutcome> {
  try {
    const outcome: RollOutcome = await ctx.runMutation(internal.worker.rollBatch, { site });
    return outcome;
  } catch (error) {
    console.error(`The roll-ups of site "${site}" stay behind:`, String(error));
    return { views: 0, isFull: false };
  }
}

function isRollDue(worker: Doc<"workers">, now: number): boolean {
  if (!hasUnrolled(worker)) return false;
  const mostViews = isWatched(worker, now) ? MAX_UNROLLED_VIEWS : UNWATCHED_UNROLLED_VIEWS;
  return (worker.unrolledViews ?? 0) >= mostViews || dueAtOf(worker, now) <= now;
}

function dueAtOf(worker: Doc<"workers">, now: number): number {
  const delayMs = isWatched(worker, now) ? WATCHED_ROLLUP_DELAY_MS : UNWATCHED_ROLLUP_DELAY_MS;
  return (worker.rolledAt ?? 0) + delayMs;
}
