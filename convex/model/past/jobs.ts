/**
 * Owns: the rows that tell how far a re-roll or a proof is, for operators and /stats.
 * Not: the work (work.ts), or the backfill's row (backfillJob.ts).
 */
import { DAY_MS } from "../../../domain/calendar/civil.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { readStaleDays } from "./sealing.ts";
import type { ProofTask } from "./tasks.ts";
import type { PastJob } from "../shapes.ts";

type Job = Doc<"jobs">;
type PastKind = "reroll" | "proof";

/** Waiting days that a reader counts. */
const MAX_COUNTED_DAYS = 500;

export async function findPastJob(
  ctx: QueryCtx,
  site: string,
  kind: PastKind,
): Promise<Job | null> {
  return await ctx.db
    .query("jobs")
    .withIndex("by_site_kind", (q) => q.eq("site", site).eq("kind", kind))
    .first();
}

/** Sets the job going; one that is under way goes on counting. */
export async function startJob(ctx: MutationCtx, site: string, kind: PastKind): Promise<void> {
  const job = await findPastJob(ctx, site, kind);
  if (job?.state === "running") return;
  const now = Date.now();
  const fresh = {
    state: "running" as const,
    counted: 0,
    countedBefore: 0,
    startedAt: now,
    resumedAt: now,
    updatedAt: now,
    finishedAt: undefined,
    error: undefined,
    chain: (job?.chain ?? 0) + 1,
  };
  if (job === null) await ctx.db.insert("jobs", { site, kind, ...fresh });
  else await ctx.db.patch("jobs", job._id, fresh);
}

export async function countDay(ctx: MutationCtx, site: string, kind: PastKind): Promise<void> {
  const job = await findPastJob(ctx, site, kind);
  if (job?.state !== "running") return;
  await ctx.db.patch("jobs", job._id, { counted: job.counted + 1, updatedAt: Date.now() });
}

/** Ends the job if it runs. */
export async function endJob(
  ctx: MutationCtx,
  site: string,
  kind: PastKind,
  outcome: { state: "done" | "failed" | "cancelled"; error?: string },
): Promise<void> {
  const job = await findPastJob(ctx, site, kind);
  if (job?.state !== "running") return;
  const now = Date.now();
  await ctx.db.patch("jobs", job._id, { ...outcome, updatedAt: now, finishedAt: now });
  console.log(
    `The ${kind} of site "${site}" is ${outcome.state} after ${job.counted} days, ${rateOf(job)} days/s.`,
  );
}

export async function statusOfReroll(ctx: QueryCtx, site: string): Promise<PastJob | null> {
  const job = await findPastJob(ctx, site, "reroll");
  if (job === null) return null;
  const waiting = (await readStaleDays(ctx, site, MAX_COUNTED_DAYS)).length;
  return statusOf(job, job.state === "running" ? Math.max(1, waiting) : waiting);
}

export async function statusOfProof(
  ctx: QueryCtx,
  site: string,
  proof: ProofTask | undefined,
): Promise<PastJob | null> {
  const job = await findPastJob(ctx, site, "proof");
  if (job === null) return null;
  const left = proof === undefined ? 0 : (proof.until - proof.next) / DAY_MS;
  return statusOf(job, Math.max(0, Math.ceil(left)));
}

function statusOf(job: Job, daysLeft: number): PastJob {
  const { state, counted, startedAt, finishedAt = null, error = null } = job;
  const perSecond = rateOf(job);
  const isEstimable = state === "running" && perSecond > 0;
  return {
    state,
    daysDone: counted,
    daysLeft,
    startedAt,
    finishedAt,
    daysPerSecond: perSecond,
    etaMs: isEstimable ? Math.round((daysLeft / perSecond) * 1_000) : null,
    error,
  };
}

function rateOf({ counted, startedAt, updatedAt }: Job): number {
  const elapsedMs = updatedAt - startedAt;
  return elapsedMs <= 0 ? 0 : Math.round((counted * 100_000) / elapsedMs) / 100;
}
