/**
 * Owns: when the roll-ups of engagement catch up with its log: within half a minute while somebody watches, else rarely,
 * because rewriting them costs as much as many reports.
 * Not: what is added to them (roll.ts).
 */
import {
  UNWATCHED_ROLLUP_DELAY_MS,
  WATCHED_ENGAGEMENT_DELAY_MS,
} from "../../../domain/intervals.ts";
import { internal } from "../../_generated/api.js";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { ensureWorker, isWatched, readWorker } from "../waking.ts";
import { hasUnrolledEngagement } from "./log.ts";
import { rollWithoutPoison } from "./recovery.ts";
import { readNext } from "./roll.ts";
import type { EngagementBatch } from "./roll.ts";

const NO_ROWS: EngagementBatch = { rows: 0, isFull: false };

/** From a run of the worker. Gives its row as it is then. A site without engagement pays a look into an empty range. */
export async function rollEngagementIfDue(
  ctx: MutationCtx,
  worker: Doc<"workers">,
): Promise<{ worker: Doc<"workers">; isFull: boolean }> {
  const now = Date.now();
  if (dueAtOf(worker, now) > now) return { worker, isFull: false };
  const { rows, isFull } = await rollEngagement(ctx, worker);
  return { worker: rows === 0 ? worker : await ensureWorker(ctx, worker.site), isFull };
}

/**
 * The worker would go idle: true when it may. What is not rolled up then is by a job of its own while somebody watches,
 * else at once; and while that is more than a batch, the worker goes on.
 */
export async function leaveEngagement(ctx: MutationCtx, worker: Doc<"workers">): Promise<boolean> {
  const { site } = worker;
  if (!(await hasUnrolledEngagement(ctx, site, worker))) return true;
  const now = Date.now();
  if (!isWatched(worker, now)) return !(await rollEngagement(ctx, worker)).isFull;
  if ((worker.engagementDueAt ?? 0) >= now) return true;
  const engagementDueAt = Math.max(now, dueAtOf(worker, now));
  await ctx.scheduler.runAt(engagementDueAt, internal.worker.rollEngagementLeft, { site });
  await ctx.db.patch("workers", worker._id, { engagementDueAt });
  return true;
}

/** What the worker left, and again at once while it is more than one batch. */
export async function rollEngagementLeft(ctx: MutationCtx, args: { site: string }): Promise<null> {
  const worker = await readWorker(ctx, args.site);
  if (worker === null) return null;
  const { isFull } = await rollEngagement(ctx, worker);
  if (isFull) await ctx.scheduler.runAfter(0, internal.worker.rollEngagementLeft, args);
  return null;
}

/** One batch. A fault of it must not take the views down: it is told, and the cursor stays. */
export async function rollEngagement(
  ctx: MutationCtx,
  worker: Doc<"workers">,
): Promise<EngagementBatch> {
  const { site } = worker;
  if ((await readNext(ctx, worker, 1)).length === 0) return NO_ROWS;
  try {
    const batch: EngagementBatch = await ctx.runMutation(internal.worker.rollEngagement, { site });
    return batch;
  } catch (error) {
    console.warn(`A batch of engagement of site "${site}" is tried in parts:`, String(error));
  }
  try {
    return await rollWithoutPoison(ctx, site);
  } catch (error) {
    console.error(`Engagement of site "${site}" stays behind:`, String(error));
    return NO_ROWS;
  }
}

function dueAtOf(worker: Doc<"workers">, now: number): number {
  const delayMs = isWatched(worker, now) ? WATCHED_ENGAGEMENT_DELAY_MS : UNWATCHED_ROLLUP_DELAY_MS;
  return (worker.engagementRolledAt ?? 0) + delayMs;
}
