/**
 * Owns: the safety net of the worker, of removals, of changed verdicts and of filters: runs that should have run and did not.
 * Not: the runs.
 */
import type { MutationCtx } from "../_generated/server.js";
import { countWaiting } from "./events/log.ts";
import { hasUnrolledEngagement } from "./engagement/log.ts";
import { tendFilters } from "./filters/work.ts";
import { hasUnsettled } from "./log.ts";
import { reviveRemovals } from "./removal.ts";
import { planOverdueRoll } from "./rollups/rolling.ts";
import { listSlugs } from "./sites.ts";
import { reviveVerdicts } from "./verdicts/jobs.ts";
import { isLost, readWakeFlag, readWorker, scheduleRun, wakeWorker } from "./waking.ts";

export async function wakeOverdue(ctx: MutationCtx): Promise<null> {
  for (const site of await listSlugs(ctx)) {
    await wakeIfOverdue(ctx, site);
    await reviveVerdicts(ctx, site);
    await tendFilters(ctx, site, Date.now());
  }
  await reviveRemovals(ctx);
  return null;
}

async function wakeIfOverdue(ctx: MutationCtx, site: string): Promise<void> {
  const now = Date.now();
  const flag = await readWakeFlag(ctx, site);
  if (flag?.dueAt !== undefined) {
    if (await isLost(ctx, flag)) await scheduleRun(ctx, site, { flag, dueAt: now });
    return;
  }
  const worker = await readWorker(ctx, site);
  const isBehind =
    (await hasUnsettled(ctx, site, worker)) ||
    (await countWaiting(ctx, site, worker, 1)) > 0 ||
    (await hasUnrolledEngagement(ctx, site, worker));
  if (isBehind) await wakeWorker(ctx, site, now);
  if (worker !== null) await planOverdueRoll(ctx, worker, now);
}
