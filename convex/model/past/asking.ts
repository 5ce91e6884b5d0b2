/**
 * Owns: what operators ask of a site's past: make days anew, prove them, put them right, stop.
 * Not: doing it (work.ts).
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import type { MutationCtx } from "../../_generated/server.js";
import type { PastJob } from "../shapes.ts";
import { listSlugs, readSite } from "../sites.ts";
import { dayName, spanOf } from "./days.ts";
import { endJob, findPastJob, startJob, statusOfProof, statusOfReroll } from "./jobs.ts";
import { ensureSealing, markStale, readOldestAt, readStaleDays } from "./sealing.ts";
import type { ProofTask } from "./tasks.ts";
import { ensureChain, ensureWork, findWork } from "./work.ts";

export type Asked = { site?: string; from?: string; to?: string };

type Span = { from: number; until: number };

/** Makes days anew from the log; without days, all that wait for it and whose rows are there. */
export async function reroll(ctx: MutationCtx, args: Asked): Promise<PastJob | null> {
  const { slug, calendar } = await siteOf(ctx, args.site);
  const isResumed = args.from === undefined && args.to === undefined && (await waits(ctx, slug));
  if (!isResumed) await mark(ctx, slug, { calendar, args, isForced: false });
  await startReroll(ctx, slug);
  return await statusOfReroll(ctx, slug);
}

/** Days are marked already: works them off. */
export async function startReroll(ctx: MutationCtx, site: string): Promise<void> {
  if (await waits(ctx, site)) await startJob(ctx, site, "reroll");
  await ensureChain(ctx, site);
}

/** Days that wait go on waiting, until a re-roll is asked for again. */
export async function cancelReroll(
  ctx: MutationCtx,
  args: { site?: string },
): Promise<PastJob | null> {
  const { slug, calendar } = await siteOf(ctx, args.site);
  const work = await findWork(ctx, slug);
  if (work?.task?.purpose === "reroll") {
    const { startsAt, isForced } = work.task;
    await markStale(ctx, slug, { instants: [startsAt], calendar, isForced });
    await ctx.db.patch("pastWork", work._id, { task: undefined });
  }
  await endJob(ctx, slug, "reroll", { state: "cancelled" });
  return await statusOfReroll(ctx, slug);
}

/** Recounts days from the log and compares every figure; without days, all whose rows are there, and always the totals. */
export async function verify(ctx: MutationCtx, args: Asked): Promise<PastJob | null> {
  return await prove(ctx, args, { isRepair: false });
}

/** Makes days anew, whatever they hold, and then puts the all-time totals right by them. */
export async function repair(ctx: MutationCtx, args: Asked): Promise<PastJob | null> {
  const { slug, calendar } = await siteOf(ctx, args.site);
  await mark(ctx, slug, { calendar, args, isForced: true });
  await startReroll(ctx, slug);
  return await prove(ctx, args, { isRepair: true });
}

/** From the nightly cron: the day before, of every site. */
export async function verifyYesterday(ctx: MutationCtx): Promise<null> {
  for (const site of await listSlugs(ctx)) {
    const { calendar } = await siteOf(ctx, site);
    const isCancelled = (await findPastJob(ctx, site, "reroll"))?.state === "cancelled";
    const isAtWork = (await findWork(ctx, site))?.proof !== undefined;
    const isEmpty = (await readOldestAt(ctx, site)) === null;
    if (isCancelled || isAtWork || isEmpty) continue;
    const day = dayName(calendar, calendar.previous("day", Date.now()));
    await verify(ctx, { site, from: day, to: day });
  }
  return null;
}

async function prove(
  ctx: MutationCtx,
  args: Asked,
  { isRepair }: { isRepair: boolean },
): Promise<PastJob | null> {
  const { slug, calendar } = await siteOf(ctx, args.site);
  const span = await spanOfRows(ctx, slug, { calendar, args });
  const work = await ensureWork(ctx, slug);
  // What a repair at work was to put right must not be forgotten: a proof that is asked for meanwhile goes on as one.
  const repairing = work.proof?.isRepair === true ? work.proof : undefined;
  const from = Math.min(span.from, repairing?.next ?? span.from);
  const until = Math.max(span.until, repairing?.until ?? span.until);
  const proof: ProofTask = {
    isRepair: isRepair || repairing !== undefined,
    from: dayName(calendar, from),
    to: dayName(calendar, Math.max(from, until - 1)),
    next: from,
    until,
    phase: "days",
    cursor: null,
    pages: 0,
    days: 0,
    rows: 0,
    drift: 0,
    found: [],
  };
  const task = work.task?.purpose === "prove" ? undefined : work.task;
  await ctx.db.patch("pastWork", work._id, { proof, task });
  await endJob(ctx, slug, "proof", { state: "cancelled" });
  await startJob(ctx, slug, "proof");
  await startReroll(ctx, slug);
  return await statusOfProof(ctx, slug, proof);
}

async function mark(
  ctx: MutationCtx,
  site: string,
  { calendar, args, isForced }: { calendar: Calendar; args: Asked; isForced: boolean },
): Promise<void> {
  const { from, until } = await spanOfRows(ctx, site, { calendar, args });
  const instants = calendar.between("day", from, until);
  await markStale(ctx, site, { instants, calendar, isForced });
}

/** The days asked for, as far as rows are there. */
async function spanOfRows(
  ctx: MutationCtx,
  site: string,
  { calendar, args }: { calendar: Calendar; args: Asked },
): Promise<Span> {
  const asked = spanOf(calendar, args);
  const sealing = await ensureSealing(ctx, site, calendar);
  const oldest = (await readOldestAt(ctx, site)) ?? Date.now();
  const first = calendar.startOf("day", Math.max(oldest, sealing?.rowsSince ?? 0));
  const end = calendar.next("day", Date.now());
  const from = Math.max(asked.from ?? first, first);
  return { from, until: Math.max(from, Math.min(asked.until ?? end, end)) };
}

async function waits(ctx: MutationCtx, site: string): Promise<boolean> {
  return (await readStaleDays(ctx, site, 1)).length > 0;
}

async function siteOf(
  ctx: MutationCtx,
  site: string | undefined,
): Promise<{ slug: string; calendar: Calendar }> {
  const { slug, timeZone } = await readSite(ctx, site);
  return { slug, calendar: calendarOf(timeZone) };
}
