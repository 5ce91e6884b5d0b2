/**
 * Owns: one run of a site's worker: settle a batch, roll up when that is due, then decide when the next run is due, or
 * that none is.
 * Not: what settling does (settling.ts), or rolling up (rollups/roll.ts).
 */
import { UNWATCHED_WORKER_DELAY_MS, WATCHED_WORKER_DELAY_MS } from "../../domain/intervals.ts";
import { internal } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { noteEvents } from "./events/drain.ts";
import { leaveEngagement, rollEngagement, rollEngagementIfDue } from "./engagement/rolling.ts";
import { isOutdated } from "./headline.ts";
import { hasUnsettled } from "./log.ts";
import { settleWithoutPoison } from "./recovery.ts";
import type { RollOutcome } from "./rollups/roll.ts";
import { planRoll, rollIfDue, rollLeft } from "./rollups/rolling.ts";
import { readLive, settle } from "./settling.ts";
import type { BatchOutcome } from "./settling.ts";
import { ensureServed, readSite } from "./sites.ts";
import { ensureWorker, isWatched, readWakeFlag, scheduleRun } from "./waking.ts";

/**
 * A run that settled no more than this tries to go idle. To be sure that nothing is overlooked it must read to the
 * open end of the log, where every view that commits at the same moment conflicts; a busy site stays due instead.
 */
const QUIET_BATCH_ROWS = 5;

/** Enough to tell that it is not quiet. */
const MAX_NOTED_EVENTS = QUIET_BATCH_ROWS + 1;

export async function run(ctx: MutationCtx, args: { site: string; dueAt?: number }): Promise<null> {
  const flag = await readWakeFlag(ctx, args.site);
  const isSuperseded = args.dueAt !== undefined && flag?.dueAt !== args.dueAt;
  if (isSuperseded || !(await ensureServed(ctx, args.site))) return null;
  const outcome = await settleNext(ctx, args.site);
  if (outcome.rows === 0) await refreshHeadline(ctx, args.site);
  const settled = await ensureWorker(ctx, args.site);
  const noted = await noteEvents(ctx, settled, { limit: MAX_NOTED_EVENTS, isIdle: false });
  const rolled = await rollIfDue(ctx, noted.worker);
  const { worker, isFull } = await rollEngagementIfDue(ctx, rolled);
  await planNext(ctx, worker, {
    flag,
    outcome: { ...outcome, isFull: outcome.isFull || isFull },
    events: noted.waiting,
  });
  return null;
}

/** Batches that one call of `settleAll` counts; the caller asks again while more is left. */
const MAX_BATCHES_PER_CALL = 4;

/** Settles and rolls up what there is, so that a reader who does not watch gets the numbers of this instant. */
export async function settleAll(
  ctx: MutationCtx,
  args: { site?: string },
): Promise<{ isSettled: boolean }> {
  const { slug } = await readSite(ctx, args.site);
  for (let batch = 0; batch < MAX_BATCHES_PER_CALL; batch += 1) {
    const settled = await settleNext(ctx, slug);
    const rolled: RollOutcome = await ctx.runMutation(internal.worker.rollBatch, { site: slug });
    const engaged = await rollEngagement(ctx, await ensureWorker(ctx, slug));
    if (!settled.isFull && !rolled.isFull && !engaged.isFull) return { isSettled: true };
  }
  return { isSettled: false };
}

async function settleNext(ctx: MutationCtx, site: string): Promise<BatchOutcome> {
  try {
    const outcome: BatchOutcome = await ctx.runMutation(internal.worker.settleBatch, { site });
    return outcome;
  } catch (error) {
    console.warn(`A batch of site "${site}" failed and is tried in parts:`, String(error));
    return await settleWithoutPoison(ctx, site);
  }
}

/** Midnight and the end of a minute change the headline though nothing happened. */
async function refreshHeadline(ctx: MutationCtx, site: string): Promise<void> {
  const live = await readLive(ctx, site);
  if (live !== null && isOutdated(live, Date.now()))
    await settle(ctx, site, { views: [], moves: [] });
}

async function planNext(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  { flag, outcome, events }: { flag: Doc<"wake"> | null; outcome: BatchOutcome; events: number },
): Promise<void> {
  const now = Date.now();
  const { site } = worker;
  const isQuiet = !outcome.isFull && outcome.rows + events <= QUIET_BATCH_ROWS;
  const left = isQuiet ? await whatIsLeft(ctx, worker) : null;
  if (left !== null && (await leaveEngagement(ctx, left))) {
    if (flag?.dueAt !== undefined) {
      await ctx.db.patch("wake", flag._id, { dueAt: undefined, run: undefined });
    }
    if (isWatched(left, now)) await planRoll(ctx, left, now);
    else await rollLeft(ctx, { site });
    return;
  }
  const restMs = isWatched(worker, now) ? WATCHED_WORKER_DELAY_MS : UNWATCHED_WORKER_DELAY_MS;
  await scheduleRun(ctx, site, { flag, dueAt: outcome.isFull ? now : now + restMs });
}

/** The worker's row, which says what is not rolled up; null when more came, so that it cannot rest. Reads to the end of all logs. */
async function whatIsLeft(
  ctx: MutationCtx,
  worker: Doc<"workers">,
): Promise<Doc<"workers"> | null> {
  if (await hasUnsettled(ctx, worker.site, worker)) return null;
  const options = { limit: MAX_NOTED_EVENTS, isIdle: true };
  const { waiting, worker: noted } = await noteEvents(ctx, worker, options);
  return waiting < MAX_NOTED_EVENTS ? noted : null;
}
