/**
 * Owns: when the next worker run is due, and the flag that says so.
 * Not: what a run does (worker.ts).
 *
 * The flag is a row of its own that changes only between idle and due. A run carries the `dueAt` that it was
 * scheduled with; when the flag says otherwise, another run took its place.
 */
import { UNWATCHED_WORKER_DELAY_MS, WATCHED_WORKER_DELAY_MS } from "../../domain/intervals.ts";
import { internal } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { isToCome } from "./scheduled.ts";

/**
 * Share of views that bring an unwatched run forward. So the tail that `getStats` adds up stays, statistically, a few
 * hundred rows, whatever the traffic, without any view counting the others.
 */
const PULL_FORWARD_RATIO = 1 / 250;

export async function readWorker(ctx: QueryCtx, site: string): Promise<Doc<"workers"> | null> {
  return await ctx.db
    .query("workers")
    .withIndex("by_site", (q) => q.eq("site", site))
    .first();
}

/** The site's worker row, created when it is missing. */
export async function ensureWorker(ctx: MutationCtx, site: string): Promise<Doc<"workers">> {
  const found = await readWorker(ctx, site);
  if (found !== null) return found;
  const fresh = { site, viewCursor: 0n, lastRunAt: 0, watchedUntil: 0 };
  const created = await ctx.db.get("workers", await ctx.db.insert("workers", fresh));
  if (created === null)
    throw new Error(`The worker row of site "${site}" is gone right after its insert.`);
  return created;
}

export function isWatched(worker: Doc<"workers"> | null, now: number): boolean {
  return worker !== null && worker.watchedUntil > now;
}

export async function readWakeFlag(ctx: QueryCtx, site: string): Promise<Doc<"wake"> | null> {
  return await ctx.db
    .query("wake")
    .withIndex("by_site", (q) => q.eq("site", site))
    .first();
}

/** There is something to settle: makes sure that a run is due. Writes nothing when one already is. */
export async function wakeWorker(ctx: MutationCtx, site: string, now: number): Promise<void> {
  const flag = await readWakeFlag(ctx, site);
  if (flag?.dueAt === undefined) {
    const worker = await readWorker(ctx, site);
    const soonest = (worker?.lastRunAt ?? 0) + WATCHED_WORKER_DELAY_MS;
    const dueAt = isWatched(worker, now) ? Math.max(now, soonest) : now + UNWATCHED_WORKER_DELAY_MS;
    await scheduleRun(ctx, site, { flag, dueAt });
  } else if (flag.dueAt > now + WATCHED_WORKER_DELAY_MS && Math.random() < PULL_FORWARD_RATIO) {
    await ctx.scheduler.runAfter(0, internal.worker.run, { site });
  }
}

/** Makes a run due now, unless one is due within the watched delay anyway. */
export async function wakeWorkerNow(ctx: MutationCtx, site: string, now: number): Promise<void> {
  const flag = await readWakeFlag(ctx, site);
  const isSoon = flag?.dueAt !== undefined && flag.dueAt <= now + WATCHED_WORKER_DELAY_MS;
  if (isSoon && !(await isLost(ctx, flag))) return;
  await scheduleRun(ctx, site, { flag, dueAt: now });
}

/** The flag says due, but its run is not going to come. */
export async function isLost(ctx: QueryCtx, flag: Doc<"wake">): Promise<boolean> {
  return flag.dueAt !== undefined && !(await isToCome(ctx, flag.run));
}

/** Sets the flag to due and schedules the run that it announces. */
export async function scheduleRun(
  ctx: MutationCtx,
  site: string,
  { flag, dueAt }: { flag: Doc<"wake"> | null; dueAt: number },
): Promise<void> {
  const run = await ctx.scheduler.runAt(dueAt, internal.worker.run, { site, dueAt });
  if (flag === null) await ctx.db.insert("wake", { site, dueAt, run });
  else await ctx.db.patch("wake", flag._id, { dueAt, run });
}
