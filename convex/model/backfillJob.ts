/**
 * Owns: the row that says how far a backfill is, and what a reader sees of it.
 * Not: the work (backfill.ts).
 *
 * `chain` tells the chunks of this start from those of an earlier one, which stop when they see it changed.
 */
import { internal } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { MAX_ROWS_PER_COMMIT, readNewestOldRow, readOldRows } from "./log.ts";
import { isToCome } from "./scheduled.ts";
import type { BackfillStatus } from "./shapes.ts";
import { DEFAULT_SITE } from "./sites.ts";
import { MAX_OLD_ROWS } from "./unsettled.ts";

type Job = Doc<"jobs">;

export async function findJob(ctx: QueryCtx, site: string): Promise<Job | null> {
  return await ctx.db
    .query("jobs")
    .withIndex("by_site_kind", (q) => q.eq("site", site).eq("kind", "backfill"))
    .first();
}

/** Running, and its next chunk is really going to run: a chain whose chunk failed or was cancelled is dead. */
export async function isUnderWay(ctx: QueryCtx, job: Job): Promise<boolean> {
  return job.state === "running" && (await isToCome(ctx, job.nextChunk));
}

/** Starts a new chain. One that follows an unfinished job goes on counting where that stopped. */
export async function begin(ctx: MutationCtx, site: string, before: Job | null): Promise<Job> {
  const now = Date.now();
  const isResumed = before !== null && before.state !== "done";
  const counted = isResumed ? before.counted : 0;
  const span = site === DEFAULT_SITE ? await readSpan(ctx) : {};
  const fields = {
    state: "running" as const,
    counted,
    countedBefore: counted,
    startedAt: isResumed ? before.startedAt : now,
    resumedAt: now,
    updatedAt: now,
    finishedAt: undefined,
    error: undefined,
    chain: (before?.chain ?? 0) + 1,
    ...span,
  };
  const id =
    before?._id ?? (await ctx.db.insert("jobs", { ...fields, site, kind: "backfill" as const }));
  return await update(ctx, id, {
    ...fields,
    nextChunk: await scheduleChunk(ctx, site, fields.chain),
  });
}

/** Notes what a chunk did; schedules the next one, or ends the job when nothing was left. */
export async function recordChunk(
  ctx: MutationCtx,
  job: Job,
  { rows, reachedAt }: { rows: number; reachedAt: number | null },
): Promise<void> {
  const counted = job.counted + rows;
  const progress = { counted, updatedAt: Date.now(), reachedAt: reachedAt ?? job.reachedAt };
  const isLast = rows < MAX_ROWS_PER_COMMIT;
  if (isLast) {
    await update(ctx, job._id, progress);
    await end(ctx, job, { state: "done" });
    console.log(`Backfill of site "${job.site}" done: ${counted} rows counted.`);
    return;
  }
  const nextChunk = await scheduleChunk(ctx, job.site, job.chain);
  const now = await update(ctx, job._id, { ...progress, nextChunk });
  console.log(`Backfill of site "${job.site}": ${counted} rows counted, ${rateOf(now)} rows/s.`);
}

export async function end(
  ctx: MutationCtx,
  job: Job,
  outcome: { state: "done" | "failed" | "cancelled"; error?: string },
): Promise<Job> {
  const now = Date.now();
  return await update(ctx, job._id, {
    ...outcome,
    nextChunk: undefined,
    updatedAt: now,
    finishedAt: now,
  });
}

/** `left`: rows that are not counted yet, as far as they were seen. */
export function statusOf(job: Job, left: number): BackfillStatus {
  const doneRatio = job.state === "done" ? 1 : doneRatioOf(job, left);
  const elapsedMs = job.updatedAt - job.startedAt;
  const isEstimable = job.state === "running" && doneRatio > 0;
  return {
    state: job.state,
    counted: job.counted,
    remainingAtLeast: Math.min(left, MAX_OLD_ROWS),
    startedAt: job.startedAt,
    finishedAt: job.finishedAt ?? null,
    ratePerSecond: rateOf(job),
    etaMs: isEstimable ? Math.round((elapsedMs * (1 - doneRatio)) / doneRatio) : null,
    doneRatio,
  };
}

/** What an operator gets who cancels a job that never was. */
export function nothingToDo(now: number, left: number): BackfillStatus {
  const numbers = { counted: 0, remainingAtLeast: left, ratePerSecond: 0, doneRatio: 0 };
  return { state: "cancelled", startedAt: now, finishedAt: now, etaMs: null, ...numbers };
}

/** By rows where the rest is known; else by how far the walk got in time. */
function doneRatioOf(job: Job, left: number): number {
  if (left <= MAX_OLD_ROWS) return job.counted / Math.max(1, job.counted + left);
  const { firstAt, lastAt, reachedAt } = job;
  if (firstAt === undefined || lastAt === undefined || reachedAt === undefined) return 0;
  return Math.min(1, Math.max(0, (reachedAt - firstAt) / Math.max(1, lastAt - firstAt)));
}

function rateOf(job: Job): number {
  const elapsedMs = job.updatedAt - job.resumedAt;
  const rows = job.counted - job.countedBefore;
  return elapsedMs <= 0 ? 0 : Math.round((rows * 1_000) / elapsedMs);
}

/** From when to when the rows reach that are left. */
async function readSpan(ctx: QueryCtx): Promise<{ firstAt?: number; lastAt?: number }> {
  const [oldest] = await readOldRows(ctx, 1);
  const newest = await readNewestOldRow(ctx);
  if (oldest === undefined || newest === null) return {};
  return { firstAt: oldest.timestamp, lastAt: newest.timestamp };
}

async function scheduleChunk(ctx: MutationCtx, site: string, chain: number) {
  const args = { site, chain };
  return await ctx.scheduler.runAfter(0, internal.stats.backfillAggregatesChunk, args);
}

async function update(ctx: MutationCtx, id: Job["_id"], changes: Partial<Job>): Promise<Job> {
  await ctx.db.patch("jobs", id, changes);
  const job = await ctx.db.get("jobs", id);
  if (job === null) throw new Error(`Job ${id} is gone right after it was written.`);
  return job;
}
