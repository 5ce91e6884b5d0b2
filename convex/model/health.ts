/**
 * Owns: what an operator and /stats see of the machine itself: how far behind it is, what it is doing, when its numbers
 * were last proved.
 * Not: the numbers (stats.ts).
 */
import type { QueryCtx } from "../_generated/server.js";
import { statusOfProof, statusOfReroll } from "./past/jobs.ts";
import { findWork } from "./past/work.ts";
import { countQuarantined } from "./quarantine.ts";
import { findSealing } from "./rollups/sealed.ts";
import type { Health, WorkerState } from "./shapes.ts";
import { readSite } from "./sites.ts";
import { readWakeFlag, readWorker } from "./waking.ts";

/** Reads nothing that a view or a run of the worker changes, so that a page may subscribe to it for nothing. */
export async function getHealth(ctx: QueryCtx, args: { site?: string }): Promise<Health> {
  const { slug } = await readSite(ctx, args.site);
  const work = await findWork(ctx, slug);
  const check = await ctx.db
    .query("checks")
    .withIndex("by_site", (q) => q.eq("site", slug))
    .order("desc")
    .first();
  return {
    sealedUntil: (await findSealing(ctx, slug))?.publishedUntil ?? null,
    lastCheck:
      check === null
        ? null
        : {
            from: check.from,
            to: check.to,
            finishedAt: check.finishedAt,
            days: check.days,
            rows: check.rows,
            drift: check.drift,
            found: check.found,
            isRepair: check.isRepair,
          },
    reroll: await statusOfReroll(ctx, slug),
    proof: await statusOfProof(ctx, slug, work?.proof),
    quarantined: await countQuarantined(ctx, slug),
  };
}

/** Changes with every run of the worker: asked now and then, not subscribed to. */
export async function getWorker(ctx: QueryCtx, args: { site?: string }): Promise<WorkerState> {
  const { slug } = await readSite(ctx, args.site);
  const worker = await readWorker(ctx, slug);
  const dueAt = (await readWakeFlag(ctx, slug))?.dueAt ?? null;
  return {
    dueAt,
    lagMs: dueAt === null ? 0 : Math.max(0, Date.now() - dueAt),
    settledAt: worker?.lastRunAt ?? null,
    rolledAt: worker?.rolledAt ?? null,
    unrolledViews: worker?.unrolledViews ?? 0,
  };
}
