/**
 * Owns: the work on a site's past as one chain of small steps: which is next, and what follows when one fails.
 * Not: what a step does (recount.ts, replacing.ts, publishing.ts, months.ts, proving.ts).
 *
 * One chain a site, so that sealing, re-roll and proof never meet in the middle of each other. Each step commits with
 * the note of how far the work is, so it can stop anywhere and go on there.
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { SEAL_DELAY_MS } from "../../../domain/intervals.ts";
import { RollupFormatError } from "../../../domain/rollups/bytes.ts";
import { internal } from "../../_generated/api.js";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { isRolledUntil } from "../events/log.ts";
import { scanEngagement } from "../engagement/past.ts";
import { readViewBatch } from "../log.ts";
import { isToCome } from "../scheduled.ts";
import { listSlugs, readSite } from "../sites.ts";
import { readWorker } from "../waking.ts";
import { countDay, endJob, findPastJob } from "./jobs.ts";
import { sealMonth } from "./months.ts";
import { proveDay, proveNext } from "./proving.ts";
import type { Proved } from "./proving.ts";
import { publishDay } from "./publishing.ts";
import { scanDay } from "./recount.ts";
import type { Place } from "./recount.ts";
import { replaceDay, sealDay } from "./replacing.ts";
import { ensureSealing, markStale, readStaleDays } from "./sealing.ts";
import { beginDay } from "./tasks.ts";
import type { DayTask } from "./tasks.ts";

/** The worker is asked again after this when it has not caught up. */
const BUSY_REST_MS = 1_000;

/** Marks of days that can no longer be made anew, which one step removes. */
const MAX_SKIPPED_DAYS = 100;

export type Advance = { isIdle: boolean; restMs: number };

type Work = Doc<"pastWork">;
type Sealing = Doc<"sealing">;

export async function findWork(ctx: QueryCtx, site: string): Promise<Work | null> {
  return await ctx.db
    .query("pastWork")
    .withIndex("by_site", (q) => q.eq("site", site))
    .first();
}

export async function ensureWork(ctx: MutationCtx, site: string): Promise<Work> {
  const found = await findWork(ctx, site);
  if (found !== null) return found;
  const work = await ctx.db.get("pastWork", await ctx.db.insert("pastWork", { site, chain: 0 }));
  if (work === null) throw new Error(`The work of site "${site}" is gone right after its insert.`);
  return work;
}

/** Makes sure that the chain is alive. Whoever leaves something to do calls it. */
export async function ensureChain(ctx: MutationCtx, site: string): Promise<void> {
  const work = await ensureWork(ctx, site);
  if (await isToCome(ctx, work.nextStep)) return;
  const chain = work.chain + 1;
  const nextStep = await ctx.scheduler.runAfter(0, internal.past.step, { site, chain });
  await ctx.db.patch("pastWork", work._id, { chain, nextStep });
}

/** From the cron: seals days that are over, and revives chains that died. */
export async function ensureChains(ctx: MutationCtx): Promise<null> {
  for (const site of await listSlugs(ctx)) {
    if (await hasWork(ctx, site)) await ensureChain(ctx, site);
  }
  return null;
}

/** One step, and the scheduling of the next. A step that throws fails what was under way and leaves nothing else behind. */
export async function step(ctx: MutationCtx, args: { site: string; chain: number }): Promise<null> {
  const { site, chain } = args;
  const work = await findWork(ctx, site);
  if (work === null || work.chain !== chain) return null;
  try {
    const advanced: Advance = await ctx.runMutation(internal.past.advance, { site });
    const nextStep = advanced.isIdle
      ? undefined
      : await ctx.scheduler.runAfter(advanced.restMs, internal.past.step, args);
    await ctx.db.patch("pastWork", work._id, { nextStep });
  } catch (error) {
    await fail(ctx, work, String(error));
  }
  return null;
}

/** The step itself. In a transaction of its own inside the chain's, so that it leaves nothing behind when it throws. */
export async function advance(ctx: MutationCtx, args: { site: string }): Promise<Advance> {
  const { site } = args;
  const work = await ensureWork(ctx, site);
  const { timeZone } = await readSite(ctx, site);
  const place: Place = { site, calendar: calendarOf(timeZone) };
  const sealing = await ensureSealing(ctx, site, place.calendar);
  if (sealing === null) return await giveUp(ctx, work);
  const task = work.task ?? (await chooseDay(ctx, place, sealing));
  if (task !== null) {
    const proved = await perform(ctx, place, sealing, { task, work });
    return await keep(ctx, work, proved);
  }
  await endJob(ctx, site, "reroll", { state: "done" });
  if (work.proof === undefined) return await rest(ctx, site);
  return await keep(ctx, work, await proveNext(ctx, place, sealing, work.proof));
}

async function keep(
  ctx: MutationCtx,
  work: Work,
  { task, proof, isBusy }: Proved,
): Promise<Advance> {
  const changes = { task: task ?? undefined, proof: proof ?? undefined };
  await ctx.db.patch("pastWork", work._id, changes);
  return { isIdle: false, restMs: isBusy ? BUSY_REST_MS : 0 };
}

/** The log is empty: there is no past. */
async function giveUp(ctx: MutationCtx, work: Work): Promise<Advance> {
  await ctx.db.patch("pastWork", work._id, { task: undefined, proof: undefined });
  await endJob(ctx, work.site, "proof", { state: "done" });
  return await rest(ctx, work.site);
}

async function rest(ctx: MutationCtx, site: string): Promise<Advance> {
  await endJob(ctx, site, "reroll", { state: "done" });
  return { isIdle: true, restMs: 0 };
}

async function perform(
  ctx: MutationCtx,
  place: Place,
  sealing: Sealing,
  { task, work }: { task: DayTask; work: Work },
): Promise<Proved> {
  const proof = work.proof ?? null;
  if (task.phase === "scan" || task.phase === "engagement") {
    return { task: await writeStep(ctx, place, sealing, task), proof, isBusy: false };
  }
  if (task.purpose === "prove") {
    if (proof === null) return { task: null, proof, isBusy: false };
    return await proveDay(ctx, place, sealing, { task, proof });
  }
  const next = await write(ctx, place, sealing, task);
  if (next === null && task.purpose === "reroll") await countDay(ctx, place.site, "reroll");
  return { task: next, proof, isBusy: false };
}

async function write(
  ctx: MutationCtx,
  place: Place,
  sealing: Sealing,
  task: DayTask,
): Promise<DayTask | null> {
  try {
    return await writeStep(ctx, place, sealing, task);
  } catch (error) {
    const isDamaged = error instanceof RollupFormatError && task.startsAt >= sealing.rowsSince;
    if (!isDamaged || task.purpose !== "seal") throw error;
    console.error(`A roll-up of site "${place.site}" is made anew:`, error.message);
    return await remake(ctx, place, task);
  }
}

/** What cannot be read is made anew from the log, and then the day or month is sealed after all. */
async function remake(
  ctx: MutationCtx,
  { site, calendar }: Place,
  task: DayTask,
): Promise<DayTask | null> {
  if (task.phase !== "month") return beginDay("reroll", task, true);
  const instants = calendar.between("day", task.startsAt, task.endsAt);
  await markStale(ctx, site, { instants, calendar, isForced: true });
  return null;
}

async function writeStep(
  ctx: MutationCtx,
  place: Place,
  sealing: Sealing,
  task: DayTask,
): Promise<DayTask | null> {
  switch (task.phase) {
    case "scan":
      return await scanDay(ctx, place, task);
    case "engagement":
      return await scanEngagement(ctx, place, task);
    case "finish":
      return task.purpose === "seal"
        ? await sealDay(ctx, place, task)
        : await replaceDay(ctx, place, task, sealing);
    case "publish":
      return await publishDay(ctx, place, task);
    case "month":
      return await sealMonth(ctx, place, task);
    default:
      return task.phase satisfies never;
  }
}

/** What comes first: days that are over, days that are wrong, months that are whole. */
async function chooseDay(
  ctx: MutationCtx,
  place: Place,
  sealing: Sealing,
): Promise<DayTask | null> {
  const { site, calendar } = place;
  if (sealing.publishedUntil < sealing.daysUntil) {
    const bucket = calendar.bucketAt("day", sealing.publishedUntil);
    return { ...beginDay("seal", bucket), phase: "publish" };
  }
  const next = calendar.bucketAt("day", sealing.daysUntil);
  if (await isRolled(ctx, site, next.endsAt)) return beginDay("seal", next);
  const stale = await takeStaleDay(ctx, place, sealing);
  if (stale !== null) return stale;
  const month = calendar.bucketAt("month", sealing.monthsUntil);
  if (month.endsAt <= sealing.publishedUntil) {
    return { ...beginDay("seal", month), phase: "month" };
  }
  return null;
}

/** The next day that has to be made anew. Its mark goes now, so that a change meanwhile leaves a new one. */
async function takeStaleDay(
  ctx: MutationCtx,
  { site, calendar }: Place,
  { rowsSince }: Sealing,
): Promise<DayTask | null> {
  const job = await findPastJob(ctx, site, "reroll");
  if (job?.state === "cancelled") return null;
  for (const stale of await readStaleDays(ctx, site, MAX_SKIPPED_DAYS)) {
    await ctx.db.delete("staleDays", stale._id);
    const bucket = calendar.bucketAt("day", stale.startsAt);
    // Rows before `rowsSince` may be gone: made anew, such a day would lack them.
    if (bucket.endsAt > rowsSince) return beginDay("reroll", bucket, stale.isForced);
  }
  return null;
}

/** True when the day is over and everything that was recorded in it is in its hours. */
async function isRolled(ctx: MutationCtx, site: string, endsAt: number): Promise<boolean> {
  if (Date.now() < endsAt + SEAL_DELAY_MS) return false;
  const worker = await readWorker(ctx, site);
  const after = worker?.rollupCursor ?? 0n;
  const upTo = ctx.meta.getSnapshotTs();
  const [next] = await readViewBatch(ctx, site, { after, upTo, limit: 1 });
  const areViewsRolled = next === undefined || next.timestamp >= endsAt;
  return areViewsRolled && (await isRolledUntil(ctx, site, worker, endsAt));
}

/** Whether a chain would find something to do; the cron asks it for every site. */
async function hasWork(ctx: MutationCtx, site: string): Promise<boolean> {
  const work = await findWork(ctx, site);
  if (work?.task !== undefined || work?.proof !== undefined) return true;
  const calendar = calendarOf((await readSite(ctx, site)).timeZone);
  const sealing = await ensureSealing(ctx, site, calendar);
  if (sealing === null) return false;
  const { daysUntil, publishedUntil, monthsUntil } = sealing;
  if (publishedUntil < daysUntil) return true;
  if (await isRolled(ctx, site, calendar.next("day", daysUntil))) return true;
  if (calendar.next("month", monthsUntil) <= publishedUntil) return true;
  const job = await findPastJob(ctx, site, "reroll");
  return job?.state !== "cancelled" && (await readStaleDays(ctx, site, 1)).length > 0;
}

/** The day that failed is wrong still; the cron tries again. */
async function fail(ctx: MutationCtx, work: Work, error: string): Promise<void> {
  const { site, task } = work;
  console.error(`The work on the past of site "${site}" failed and is tried again:`, error);
  await endJob(ctx, site, "reroll", { state: "failed", error });
  await endJob(ctx, site, "proof", { state: "failed", error });
  if (task?.purpose === "reroll") {
    const calendar = calendarOf((await readSite(ctx, site)).timeZone);
    const { startsAt, isForced } = task;
    await markStale(ctx, site, { instants: [startsAt], calendar, isForced });
  }
  const cleared = { task: undefined, proof: undefined, nextStep: undefined };
  await ctx.db.patch("pastWork", work._id, cleared);
}
