/**
 * Owns: the safety net of recurring work: runs that should have run, rows that have served their time.
 * Not: the work itself.
 */
import { internal } from "../_generated/api.js";
import type { MutationCtx } from "../_generated/server.js";
import { hasUnsettled } from "./log.ts";
import { planOverdueRoll } from "./rollups/rolling.ts";
import { listSlugs } from "./sites.ts";
import { readWakeFlag, readWorker, scheduleRun, wakeWorker } from "./waking.ts";

/** A run that is this late will not come any more: it failed, or its job was cancelled. */
const OVERDUE_AFTER_MS = 60_000;

/** Long enough to notice that a filter is wrong and count the hits after all. */
const KEEP_FILTERED_MS = 30 * 24 * 3_600_000;

const PRUNE_BATCH = 500;

export async function wakeOverdue(ctx: MutationCtx): Promise<null> {
  for (const site of await listSlugs(ctx)) await wakeIfOverdue(ctx, site);
  return null;
}

async function wakeIfOverdue(ctx: MutationCtx, site: string): Promise<void> {
  const now = Date.now();
  const flag = await readWakeFlag(ctx, site);
  if (flag?.dueAt !== undefined) {
    const isOverdue = flag.dueAt < now - OVERDUE_AFTER_MS;
    if (isOverdue) await scheduleRun(ctx, site, { flag, dueAt: now });
    return;
  }
  const worker = await readWorker(ctx, site);
  if (await hasUnsettled(ctx, site, worker?.viewCursor ?? 0n)) await wakeWorker(ctx, site, now);
  if (worker !== null) await planOverdueRoll(ctx, worker, now);
}

export async function pruneFilteredHits(ctx: MutationCtx): Promise<null> {
  const before = Date.now() - KEEP_FILTERED_MS;
  const old = await ctx.db
    .query("filteredHits")
    .withIndex("by_creation_time", (q) => q.lt("_creationTime", before))
    .take(PRUNE_BATCH);
  for (const hit of old) await ctx.db.delete("filteredHits", hit._id);
  if (old.length === PRUNE_BATCH) {
    await ctx.scheduler.runAfter(0, internal.worker.pruneFilteredHits, {});
  }
  return null;
}
