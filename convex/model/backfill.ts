/**
 * Owns: the job that counts the rows of the original design: start, chunk after chunk, cancel.
 * Not: its row (backfillJob.ts), or what is derived for a view (derivation.ts).
 *
 * A chunk takes the oldest rows that have no commitTs and gives them one, in the same transaction: so it can be
 * repeated, resumed and run beside another one without counting a row twice. The worker then adds them to the
 * all-time totals like any row; their days are made anew by the re-roll, once the last chunk is done.
 */
import { internal } from "../_generated/api.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import {
  begin,
  end,
  findJob,
  isUnderWay,
  nothingToDo,
  recordChunk,
  statusOf,
} from "./backfillJob.ts";
import { deriveRows } from "./derivation.ts";
import { startReroll } from "./past/asking.ts";
import { MAX_ROWS_PER_COMMIT, readOldRows } from "./log.ts";
import type { BackfillStatus } from "./shapes.ts";
import { DEFAULT_SITE, readSite } from "./sites.ts";
import { MAX_OLD_ROWS } from "./unsettled.ts";
import { wakeWorkerNow } from "./waking.ts";

export type ChunkDone = { rows: number; reachedAt: number | null };

export async function start(
  ctx: MutationCtx,
  args: { site?: string; restart?: boolean },
): Promise<BackfillStatus> {
  const { slug } = await readSite(ctx, args.site);
  const left = await countLeft(ctx, slug);
  const job = await findJob(ctx, slug);
  if (job !== null && args.restart !== true && (await isUnderWay(ctx, job))) {
    console.log(
      `The backfill of site "${slug}" is under way already: ${job.counted} rows counted.`,
    );
    return statusOf(job, left);
  }
  const begun = await begin(ctx, slug, job);
  console.log(`Backfill of site "${slug}" started: at least ${left} rows to count.`);
  return statusOf(begun, left);
}

/** One chunk and the scheduling of the next. A chunk that throws fails the job with its error and leaves nothing else behind. */
export async function runChunk(
  ctx: MutationCtx,
  args: { site?: string; chain: number },
): Promise<null> {
  const slug = args.site ?? DEFAULT_SITE;
  const job = await findJob(ctx, slug);
  if (job === null || job.state !== "running" || job.chain !== args.chain) return null;
  try {
    const chunk: ChunkDone = await ctx.runMutation(internal.stats.backfillAggregatesRows, {
      site: slug,
    });
    await recordChunk(ctx, job, chunk);
    if (chunk.rows < MAX_ROWS_PER_COMMIT) await startReroll(ctx, slug);
  } catch (error) {
    console.error(`Backfill of site "${slug}" failed after ${job.counted} rows:`, String(error));
    await end(ctx, job, { state: "failed", error: String(error) });
    await startReroll(ctx, slug);
  }
  return null;
}

/** Derives the facts of the oldest rows that are left, and wakes the worker for them. */
export async function countRows(ctx: MutationCtx, args: { site: string }): Promise<ChunkDone> {
  const rows = args.site === DEFAULT_SITE ? await readOldRows(ctx, MAX_ROWS_PER_COMMIT) : [];
  await deriveRows(ctx, args.site, rows);
  if (rows.length > 0) await wakeWorkerNow(ctx, args.site, Date.now());
  return { rows: rows.length, reachedAt: rows.at(-1)?.timestamp ?? null };
}

export async function cancel(ctx: MutationCtx, args: { site?: string }): Promise<BackfillStatus> {
  const { slug } = await readSite(ctx, args.site);
  const left = await countLeft(ctx, slug);
  const job = await findJob(ctx, slug);
  if (job === null) return nothingToDo(Date.now(), left);
  if (job.state !== "running") return statusOf(job, left);
  console.log(`Backfill of site "${slug}" cancelled after ${job.counted} rows.`);
  await startReroll(ctx, slug);
  return statusOf(await end(ctx, job, { state: "cancelled" }), left);
}

/** The newest job as a reader gets it; null when there never was one. `oldRows`: rows left, as far as the reader saw. */
export async function readBackfillStatus(
  ctx: QueryCtx,
  site: string,
  oldRows: number,
): Promise<BackfillStatus | null> {
  const job = await findJob(ctx, site);
  return job === null ? null : statusOf(job, oldRows);
}

async function countLeft(ctx: QueryCtx, site: string): Promise<number> {
  return site === DEFAULT_SITE ? (await readOldRows(ctx, MAX_OLD_ROWS + 1)).length : 0;
}
