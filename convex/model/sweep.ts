/**
 * Owns: taking sessions that have timed out offline, in bounded batches.
 * Not: leaves (presence.ts).
 *
 * While somebody watches, a sweep is scheduled for the next deadline, so the count falls by itself; else the 5-minute
 * cron is enough, because the instant reader leaves timed-out sessions out anyway.
 */
import { deadlineOf, timedOutSince } from "../../domain/presence.ts";
import { internal } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { logLeft } from "./presence.ts";
import { isToCome } from "./scheduled.ts";
import { ensureServed, listSlugs } from "./sites.ts";
import { isWatched, readWorker, wakeWorker } from "./waking.ts";

/** Sessions that one transaction removes. */
const SWEEP_BATCH = 500;

/** Sweeps of one site are at least this far apart: with the worker's second well within the 15 s that a watcher is promised. */
const SWEEP_REST_MS = 5_000;

export async function cleanupStaleSessions(
  ctx: MutationCtx,
  args: { site?: string; dueAt?: number },
): Promise<null> {
  const now = Date.now();
  if (args.site === undefined) await sweepAll(ctx, now);
  else await sweepDue(ctx, args.site, { dueAt: args.dueAt, now });
  return null;
}

/** Makes sure that a sweep is scheduled while the site is watched and somebody is online. */
export async function ensureSweep(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  now: number,
): Promise<void> {
  if (!(await isToCome(ctx, worker.sweepRun))) await scheduleNext(ctx, worker, { soonest: now });
}

async function sweepDue(
  ctx: MutationCtx,
  site: string,
  { dueAt, now }: { dueAt: number | undefined; now: number },
): Promise<void> {
  const worker = await readWorker(ctx, site);
  if (dueAt !== undefined && worker?.sweepDueAt !== dueAt) return;
  if (!(await ensureServed(ctx, site))) return;
  const removed = await sweepSite(ctx, site, { now, limit: SWEEP_BATCH });
  if (worker !== null && isWatched(worker, now)) {
    const isMore = removed === SWEEP_BATCH;
    await scheduleNext(ctx, worker, { soonest: isMore ? now : now + SWEEP_REST_MS });
  } else if (removed === SWEEP_BATCH) {
    await ctx.scheduler.runAfter(0, internal.stats.cleanupStaleSessions, { site });
  }
}

/** From the cron: one bounded batch over all sites, and again at once when it was full. */
async function sweepAll(ctx: MutationCtx, now: number): Promise<void> {
  let left = SWEEP_BATCH - (await removeOldRows(ctx, now));
  for (const slug of await listSlugs(ctx)) {
    if (left <= 0) break;
    left -= await sweepSite(ctx, slug, { now, limit: left });
  }
  if (left <= 0) await ctx.scheduler.runAfter(0, internal.stats.cleanupStaleSessions, {});
}

/** Removes timed-out sessions and tells the worker. Returns how many. */
async function sweepSite(
  ctx: MutationCtx,
  site: string,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const stale = await readTimedOut(ctx, site, { now, limit });
  const left = new Map<string, number>();
  for (const session of stale) {
    await ctx.db.delete("activeSessions", session._id);
    left.set(session.currentPath, (left.get(session.currentPath) ?? 0) + 1);
  }
  if (stale.length === 0) return 0;
  await logLeft(ctx, site, left);
  await wakeWorker(ctx, site, now);
  return stale.length;
}

/** Sessions that are no longer online but not yet removed, the longest gone first. */
export async function readTimedOut(
  ctx: QueryCtx,
  site: string | undefined,
  { now, limit }: { now: number; limit: number },
): Promise<Doc<"activeSessions">[]> {
  return await ctx.db
    .query("activeSessions")
    .withIndex("by_lastSeen", (q) => q.eq("site", site).lte("lastSeen", timedOutSince(now)))
    .take(limit);
}

/** Sessions of the original design (without a site) were never counted by the worker: they just go. */
async function removeOldRows(ctx: MutationCtx, now: number): Promise<number> {
  const old = await readTimedOut(ctx, undefined, { now, limit: SWEEP_BATCH });
  for (const session of old) await ctx.db.delete("activeSessions", session._id);
  return old.length;
}

async function scheduleNext(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  { soonest }: { soonest: number },
): Promise<void> {
  const { site } = worker;
  const oldest = await ctx.db
    .query("activeSessions")
    .withIndex("by_lastSeen", (q) => q.eq("site", site))
    .first();
  if (oldest === null) {
    if (worker.sweepDueAt === undefined) return;
    await ctx.db.patch("workers", worker._id, { sweepDueAt: undefined, sweepRun: undefined });
    return;
  }
  const dueAt = Math.max(soonest, deadlineOf(oldest.lastSeen));
  const call = internal.stats.cleanupStaleSessions;
  const sweepRun = await ctx.scheduler.runAt(dueAt, call, { site, dueAt });
  await ctx.db.patch("workers", worker._id, { sweepDueAt: dueAt, sweepRun });
}
