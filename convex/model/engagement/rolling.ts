/**
 * Owns: when the roll-ups of engagement catch up with its log: as those of views do, within seconds while somebody
 * watches, else rarely.
 * Not: what is added to them (roll.ts).
 */
import { UNWATCHED_ROLLUP_DELAY_MS, WATCHED_ROLLUP_DELAY_MS } from "../../../domain/intervals.ts";
import { internal } from "../../_generated/api.js";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { ensureWorker, isWatched } from "../waking.ts";
import { rollWithoutPoison } from "./recovery.ts";
import { readNext } from "./roll.ts";
import type { EngagementBatch } from "./roll.ts";

/** From a run of the worker. Gives its row as it is then. A site without engagement pays a look into an empty range. */
export async function rollEngagementIfDue(
  ctx: MutationCtx,
  worker: Doc<"workers">,
): Promise<{ worker: Doc<"workers">; isFull: boolean }> {
  const now = Date.now();
  const isDue = dueAtOf(worker, now) <= now;
  if (!isDue || (await readNext(ctx, worker, 1)).length === 0) return { worker, isFull: false };
  const { isFull } = await rollEngagement(ctx, worker.site);
  return { worker: await ensureWorker(ctx, worker.site), isFull };
}

/** One batch. A fault of it must not take the views down: it is told, and the cursor stays. */
export async function rollEngagement(ctx: MutationCtx, site: string): Promise<EngagementBatch> {
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
    return { rows: 0, isFull: false };
  }
}

function dueAtOf(worker: Doc<"workers">, now: number): number {
  const delayMs = isWatched(worker, now) ? WATCHED_ROLLUP_DELAY_MS : UNWATCHED_ROLLUP_DELAY_MS;
  return (worker.engagementRolledAt ?? 0) + delayMs;
}
