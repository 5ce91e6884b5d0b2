/**
 * Owns: what a watcher's beat does: freshness follows attention.
 * Not: what the worker or the sweep then do.
 */
import { WATCH_INTERVAL_MS, WATCH_TTL_MS } from "../../domain/intervals.ts";
import type { MutationCtx } from "../_generated/server.js";
import { acceptId } from "./arguments.ts";
import { isOutdated } from "./headline.ts";
import { planRoll } from "./rollups/rolling.ts";
import { readLive } from "./settling.ts";
import { readSite } from "./sites.ts";
import { ensureSweep } from "./sweep.ts";
import { ensureWorker, readWakeFlag, wakeWorkerNow } from "./waking.ts";

/** A beat within this after another watcher's writes nothing: a hundred open pages cost hardly more than one. */
const SHARED_BEAT_MS = WATCH_INTERVAL_MS / 2;

export async function watch(
  ctx: MutationCtx,
  args: { site?: string; watcherId: string },
): Promise<null> {
  acceptId("watcherId", args.watcherId);
  const { slug } = await readSite(ctx, args.site);
  const now = Date.now();
  const worker = await ensureWorker(ctx, slug);
  const watchedUntil = now + WATCH_TTL_MS;
  if (worker.watchedUntil < watchedUntil - SHARED_BEAT_MS) {
    await ctx.db.patch("workers", worker._id, { watchedUntil });
  }
  await ensureSweep(ctx, worker, now);
  if (await needsRun(ctx, slug, now)) await wakeWorkerNow(ctx, slug, now);
  else await planRoll(ctx, { ...worker, watchedUntil }, now);
  return null;
}

/** Something waits to be settled, or the headline shows a minute or a day that is over. */
async function needsRun(ctx: MutationCtx, site: string, now: number): Promise<boolean> {
  const flag = await readWakeFlag(ctx, site);
  if (flag?.dueAt !== undefined) return true;
  const live = await readLive(ctx, site);
  return live !== null && isOutdated(live, now);
}
