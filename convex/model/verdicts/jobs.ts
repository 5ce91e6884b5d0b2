/**
 * Owns: changing verdicts of the door afterwards, as an operator asks for it: a job that goes step after step, can be
 * listed, stopped and asked for again.
 * Not: what a step does (steps.ts).
 *
 * What is changed is not there any more for the next step, so a job can stop anywhere, and asking for the same again
 * goes on with what is left.
 */
import { internal } from "../../_generated/api.js";
import type { Doc, Id } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { callerError } from "../../errors.ts";
import { startReroll } from "../past/asking.ts";
import { isToCome } from "../scheduled.ts";
import type { FilterReason, HitCriteria } from "../shapes.ts";
import { readSite } from "../sites.ts";
import { acceptRestored, acceptWithdrawn, matcherOf, reasonOf } from "./criteria.ts";
import { restoreRows } from "./restoring.ts";
import { firstPlace, takeStep } from "./steps.ts";
import type { VerdictJob } from "./verdictShapes.ts";

type Job = Doc<"verdictJobs">;
type Asked = HitCriteria & { site?: string; dryRun?: boolean };

/** Jobs that are listed, and those of a state that are kept. */
const MAX_JOBS = 50;

/** Counts filtered hits after all. Throws `unknown_site`, `invalid_criteria` or `invalid_range`. */
export async function restore(
  ctx: MutationCtx,
  { site, dryRun = false, id, ...criteria }: Asked & { id?: Id<"filteredHits"> },
): Promise<VerdictJob> {
  if (id !== undefined) return await restoreOne(ctx, site, id, dryRun);
  return await start(ctx, site, {
    ...{ change: "restore" as const, criteria: acceptRestored(criteria) },
    isDryRun: dryRun,
  });
}

/** Counts views no more that came before the rule. Throws as above. */
export async function withdraw(
  ctx: MutationCtx,
  { site, dryRun = false, because, ...criteria }: Asked & { because?: FilterReason },
): Promise<VerdictJob> {
  const accepted = acceptWithdrawn(criteria);
  const reason = because ?? reasonOf(accepted);
  const asked = { change: "withdraw" as const, criteria: accepted, reason };
  return await start(ctx, site, { ...asked, isDryRun: dryRun });
}

export async function list(ctx: QueryCtx, args: { site?: string }): Promise<VerdictJob[]> {
  const { slug } = await readSite(ctx, args.site);
  const jobs = await ctx.db
    .query("verdictJobs")
    .withIndex("by_site_state", (q) => q.eq("site", slug))
    .take(4 * MAX_JOBS);
  const newest = jobs.sort((a, b) => b.startedAt - a.startedAt).slice(0, MAX_JOBS);
  return newest.map(describe);
}

/** Stops what runs; what is changed stays changed. */
export async function cancel(ctx: MutationCtx, args: { site?: string }): Promise<VerdictJob[]> {
  const { slug } = await readSite(ctx, args.site);
  const ended: VerdictJob[] = [];
  for (const job of await readRunning(ctx, slug)) {
    ended.push(describe(await end(ctx, job, { state: "cancelled" })));
  }
  return ended;
}

/** A step of a job, and the scheduling of the next. Does nothing when another took its place. */
export async function step(
  ctx: MutationCtx,
  { job: id, step: number }: { job: Id<"verdictJobs">; step: number },
): Promise<null> {
  const job = await ctx.db.get("verdictJobs", id);
  if (job === null || job.state !== "running" || job.step !== number) return null;
  try {
    await ctx.runMutation(internal.verdicts.advance, { job: id });
  } catch (error) {
    await end(ctx, job, { state: "failed", error: String(error) });
  }
  return null;
}

/** In a transaction of its own inside the step's, so that one that throws leaves nothing behind. */
export async function advance(ctx: MutationCtx, args: { job: Id<"verdictJobs"> }): Promise<null> {
  const job = await ctx.db.get("verdictJobs", args.job);
  if (job === null || job.state !== "running") return null;
  const { isDone, ...changes } = await takeStep(ctx, job);
  await ctx.db.patch("verdictJobs", job._id, { ...changes, updatedAt: Date.now() });
  if (isDone) await end(ctx, { ...job, ...changes }, { state: "done" });
  else await scheduleStep(ctx, { ...job, ...changes });
  return null;
}

/** Jobs whose next step got lost go on. From the watchdog. */
export async function reviveVerdicts(ctx: MutationCtx, site: string): Promise<void> {
  for (const job of await readRunning(ctx, site)) {
    if (!(await isToCome(ctx, job.nextStep))) await scheduleStep(ctx, job);
  }
}

type Begun = Pick<Job, "change" | "criteria" | "reason" | "isDryRun">;

/** Joins a job that does the same. The first step is taken at once, so a small one is done when the caller hears of it. */
async function start(
  ctx: MutationCtx,
  site: string | undefined,
  asked: Begun,
): Promise<VerdictJob> {
  const known = await readSite(ctx, site);
  matcherOf(known, asked.criteria);
  const { slug } = known;
  const same = (await readRunning(ctx, slug)).find((job) => isSame(job, asked));
  if (same !== undefined && (await isToCome(ctx, same.nextStep))) return describe(same);
  const id = same?._id ?? (await insert(ctx, slug, asked));
  await advance(ctx, { job: id });
  return describe(await read(ctx, id));
}

async function insert(ctx: MutationCtx, site: string, asked: Begun): Promise<Id<"verdictJobs">> {
  const now = Date.now();
  const counts = { looked: 0, matching: 0, moved: 0, duplicates: 0, left: 0, step: 0 };
  await forgetOldest(ctx, site);
  return await ctx.db.insert("verdictJobs", {
    ...{ site, ...asked, ...counts, place: firstPlace(site, asked) },
    ...{ state: "running", until: await lastOf(ctx, asked.change, now) },
    ...{ startedAt: now, updatedAt: now },
  });
}

/** Filtered hits are walked as they were kept, and a deployment may keep many within a millisecond, each a bit later than the one before. */
async function lastOf(ctx: QueryCtx, change: Job["change"], now: number): Promise<number> {
  if (change === "withdraw") return now;
  const newest = await ctx.db.query("filteredHits").order("desc").first();
  return Math.max(now, newest?._creationTime ?? now);
}

async function forgetOldest(ctx: MutationCtx, site: string): Promise<void> {
  for (const state of ["done", "failed", "cancelled"] as const) {
    const jobs = await ctx.db
      .query("verdictJobs")
      .withIndex("by_site_state", (q) => q.eq("site", site).eq("state", state))
      .take(MAX_JOBS);
    const [oldest] = jobs;
    if (jobs.length === MAX_JOBS && oldest) await ctx.db.delete("verdictJobs", oldest._id);
  }
}

async function restoreOne(
  ctx: MutationCtx,
  site: string | undefined,
  id: Id<"filteredHits">,
  isDryRun: boolean,
): Promise<VerdictJob> {
  const known = await readSite(ctx, site);
  const row = await ctx.db.get("filteredHits", id);
  if (row === null || (row.site !== known.slug && row.site !== "")) {
    const message = `Site "${known.slug}" has no filtered hit ${id}. See npx convex run stats:listFilteredHits.`;
    throw callerError("invalid_criteria", message);
  }
  const asked = { change: "restore" as const, criteria: { sessionId: row.sessionId }, isDryRun };
  const job = await read(ctx, await insert(ctx, known.slug, asked));
  const counts = isDryRun ? {} : await restoreRows(ctx, known, [row]);
  await ctx.db.patch("verdictJobs", job._id, { ...counts, looked: 1, matching: 1 });
  return describe(await end(ctx, await read(ctx, job._id), { state: "done" }));
}

async function scheduleStep(ctx: MutationCtx, { _id: id, site, step }: Job): Promise<void> {
  const args = { site, job: id, step: step + 1 };
  const nextStep = await ctx.scheduler.runAfter(0, internal.verdicts.step, args);
  await ctx.db.patch("verdictJobs", id, { step: step + 1, nextStep });
}

async function end(
  ctx: MutationCtx,
  job: Job,
  outcome: { state: "done" | "failed" | "cancelled"; error?: string },
): Promise<Job> {
  const now = Date.now();
  const changes = { ...outcome, nextStep: undefined, updatedAt: now, finishedAt: now };
  await ctx.db.patch("verdictJobs", job._id, changes);
  if (!job.isDryRun) await startReroll(ctx, job.site);
  console.log(`${inWords(job)}: ${outcome.state}. ${outcome.error ?? ""}`);
  return await read(ctx, job._id);
}

function inWords({ site, change, isDryRun, ...job }: Job): string {
  const what = change === "restore" ? "Counting filtered hits after all" : "Withdrawing views";
  const { looked, matching, moved, duplicates, left } = job;
  const numbers = isDryRun ? "" : `, ${moved} moved, ${duplicates} duplicates, ${left} left`;
  return `${what} of site "${site}": ${looked} rows looked at, ${matching} meant${numbers}`;
}

async function readRunning(ctx: QueryCtx, site: string): Promise<Job[]> {
  return await ctx.db
    .query("verdictJobs")
    .withIndex("by_site_state", (q) => q.eq("site", site).eq("state", "running"))
    .take(MAX_JOBS);
}

async function read(ctx: QueryCtx, id: Id<"verdictJobs">): Promise<Job> {
  const job = await ctx.db.get("verdictJobs", id);
  if (job === null) throw new Error(`Job ${id} is gone while it is at work.`);
  return job;
}

function isSame(job: Job, asked: Begun): boolean {
  const textOf = ({ change, criteria, reason, isDryRun }: Begun) =>
    JSON.stringify([change, Object.entries(criteria).sort(), reason, isDryRun]);
  return textOf(job) === textOf(asked);
}

function describe(job: Job): VerdictJob {
  const { _id: id, change, criteria, isDryRun, state, startedAt } = job;
  const { looked, matching, moved, duplicates, left } = job;
  const { reason = null, finishedAt = null, error = null } = job;
  return {
    ...{ id, change, criteria, reason, isDryRun, state, startedAt, finishedAt, error },
    ...{ looked, matching, moved, duplicates, left },
  };
}
