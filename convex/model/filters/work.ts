/**
 * Owns: the work on a site's filters as one chain of small steps: what is rolled up is added to the days that are made,
 * days that are over are sealed, days that are missing are made, the newest first; filters that go are removed.
 * Not: what a step does (catchingUp.ts, scanning.ts), who asks for it (asking.ts).
 *
 * Each step commits with the note of how far the work is, so it can stop anywhere and go on there. It runs apart from
 * the worker: a fault of it takes neither the headline nor the roll-ups down.
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import { FILTER_FORGOTTEN_AFTER_MS, FILTER_KEPT_UP_MS } from "../../../domain/intervals.ts";
import { internal } from "../../_generated/api.js";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { findSealing } from "../rollups/sealed.ts";
import { rowsOfOwner } from "../rollups/store.ts";
import { isToCome } from "../scheduled.ts";
import { readSite } from "../sites.ts";
import { readWorker } from "../waking.ts";
import { catchUp } from "./catchingUp.ts";
import { ownerOf } from "./owner.ts";
import { beginDay, scanDay, sealFilterDay } from "./scanning.ts";
import type { Day } from "./scanning.ts";
import { daysOf, findFilter, letGo, listFilters } from "./store.ts";
import type { FilterRow } from "./store.ts";

/** Rows of the log that one step reads, about: a tenth of a second, so that what waits behind it does not wait long. */
const STEP_LOG_ROWS = 3_000;

/** What a day without rows costs: it is looked at and written down. */
const DAY_COST = 50;

/** Large rows that one step removes. */
const REMOVED_ROWS = 100;

/** After a step that failed: by then whatever it stumbled over is mended, or told again. */
const AFTER_FAILURE_MS = 60_000;

type Place = { calendar: Calendar; sealing: Doc<"sealing"> | null; now: number };

export async function ensureFilterChain(ctx: MutationCtx, site: string): Promise<void> {
  const work = await findWork(ctx, site);
  if (await isToCome(ctx, work?.nextStep)) return;
  const chain = (work?.chain ?? 0) + 1;
  const nextStep = await ctx.scheduler.runAfter(0, internal.filters.step, { site, chain });
  if (work === null) await ctx.db.insert("filterWork", { site, chain, nextStep });
  else await ctx.db.patch("filterWork", work._id, { chain, nextStep });
}

/** Something was rolled up, sealed or made anew: filters that are kept up follow. */
export async function tellFilters(
  ctx: MutationCtx,
  site: string,
  worker: Doc<"workers"> | null,
): Promise<void> {
  if ((worker?.filtersUntil ?? 0) > Date.now()) await ensureFilterChain(ctx, site);
}

/** From the watchdog: a chain that died goes on, and filters that nobody asks for any more go. */
export async function tendFilters(ctx: MutationCtx, site: string, now: number): Promise<void> {
  const rows = await listFilters(ctx, site);
  const isOld = ({ name, askedAt, goneSince }: FilterRow) =>
    name === undefined && goneSince === undefined && askedAt < now - FILTER_FORGOTTEN_AFTER_MS;
  const old = rows.filter(isOld);
  for (const row of old) await letGo(ctx, row);
  const isWanted =
    old.length > 0 || rows.some((row) => row.goneSince !== undefined || isKeptUp(row, now));
  if (isWanted) return await ensureFilterChain(ctx, site);
  const worker = await readWorker(ctx, site);
  // The last segment went.
  if (worker?.filtersUntil !== undefined) {
    await ctx.db.patch("workers", worker._id, { filtersUntil: undefined });
  }
}

export function isKeptUp({ name, askedAt }: FilterRow, now: number): boolean {
  return name !== undefined || askedAt > now - FILTER_KEPT_UP_MS;
}

/** One step, and the scheduling of the next. A step that throws leaves nothing behind and is tried again later. */
export async function step(ctx: MutationCtx, args: { site: string; chain: number }): Promise<null> {
  const work = await findWork(ctx, args.site);
  if (work === null || work.chain !== args.chain) return null;
  let restMs: number | null = AFTER_FAILURE_MS;
  try {
    const isIdle: boolean = await ctx.runMutation(internal.filters.advance, { site: args.site });
    restMs = isIdle ? null : 0;
  } catch (error) {
    console.error(`The filters of site "${args.site}" stay behind:`, String(error));
  }
  const nextStep =
    restMs === null ? undefined : await ctx.scheduler.runAfter(restMs, internal.filters.step, args);
  await ctx.db.patch("filterWork", work._id, { nextStep });
  return null;
}

/** The step itself. True when nothing is left to do. */
export async function advance(ctx: MutationCtx, { site }: { site: string }): Promise<boolean> {
  const now = Date.now();
  const { timeZone } = await readSite(ctx, site);
  const sealing = await findSealing(ctx, site);
  const place: Place = { calendar: calendarOf(timeZone), sealing, now };
  let budget = STEP_LOG_ROWS;
  // Who asked last is served first.
  for (const row of (await listFilters(ctx, site)).reverse()) {
    if (row.goneSince !== undefined) budget -= await removeSome(ctx, row);
    else if (isKeptUp(row, now)) budget -= await advanceFilter(ctx, row, place, budget);
    if (budget <= 0) return false;
  }
  return true;
}

/** A step of one filter alone, by whoever waits for it. True when nothing of it is left to do. */
export async function advanceOne(
  ctx: MutationCtx,
  { site, filter }: { site: string; filter: Filter },
): Promise<boolean> {
  const row = await findFilter(ctx, site, filter);
  if (row === null) return true;
  const { timeZone } = await readSite(ctx, site);
  const sealing = await findSealing(ctx, site);
  const place = { calendar: calendarOf(timeZone), sealing, now: Date.now() };
  return (await advanceFilter(ctx, row, place, STEP_LOG_ROWS)) < STEP_LOG_ROWS;
}

/** What it cost; at least `budget` while something is left to do. */
async function advanceFilter(
  ctx: MutationCtx,
  row: FilterRow,
  place: Place,
  budget: number,
): Promise<number> {
  const { cursors, cost, isComplete } = await catchUp(ctx, row, place.calendar);
  const isNew = cursors.upTo !== row.upTo || cursors.eventsUpTo !== row.eventsUpTo;
  if (isNew) await ctx.db.patch("filters", row._id, cursors);
  if (!isComplete) return Math.max(cost, budget);
  const sealed = await sealDays(ctx, row, place);
  return await makeDays(ctx, { ...row, ...cursors }, place, { budget, spent: cost + sealed });
}

/** Days that the site has sealed, and that hold all of theirs. */
async function sealDays(
  ctx: MutationCtx,
  row: FilterRow,
  { calendar, sealing }: Place,
): Promise<number> {
  if (sealing === null) return 0;
  const { daysUntil, hoursSince } = sealing;
  let cost = 0;
  for (const day of await daysOf(ctx, row._id)) {
    const endsAt = calendar.next("day", day.startsAt);
    if (day.isSealed || endsAt > daysUntil) continue;
    await sealFilterDay(ctx, row, { startsAt: day.startsAt, endsAt }, { calendar, hoursSince });
    await ctx.db.patch("filterDays", day._id, { isSealed: true });
    cost += DAY_COST;
  }
  return cost;
}

async function makeDays(
  ctx: MutationCtx,
  row: FilterRow,
  place: Place,
  { budget, spent }: { budget: number; spent: number },
): Promise<number> {
  const { calendar } = place;
  let cost = spent;
  const missing = await missingDays(ctx, row, place);
  let task = row.task ?? null;
  while (cost < budget) {
    const day = task ?? missing.shift();
    if (day === undefined) break;
    task ??= await beginDay(ctx, row, day);
    const scanned = await scanDay(ctx, row, task, { calendar, budget: budget - cost });
    cost += scanned.cost + DAY_COST;
    task = scanned.task;
    if (task === null) await finishDay(ctx, row, day, place);
  }
  if (task !== null || row.task !== undefined) {
    await ctx.db.patch("filters", row._id, { task: task ?? undefined });
  }
  return task === null && missing.length === 0 ? cost : Math.max(cost, budget);
}

async function finishDay(
  ctx: MutationCtx,
  row: FilterRow,
  { startsAt, endsAt }: Day,
  { calendar, sealing }: Place,
): Promise<void> {
  const isSealed = sealing !== null && endsAt <= sealing.daysUntil;
  if (isSealed) {
    const { hoursSince } = sealing;
    await sealFilterDay(ctx, row, { startsAt, endsAt }, { calendar, hoursSince });
  }
  await ctx.db.insert("filterDays", { site: row.site, filter: row._id, startsAt, isSealed });
}

/** Those that are wanted and not made, nor being made; the newest first. */
async function missingDays(
  ctx: QueryCtx,
  { _id, wantedFrom, task }: FilterRow,
  { calendar, sealing, now }: Place,
): Promise<Day[]> {
  const from = Math.max(wantedFrom, sealing?.rowsSince ?? 0);
  const made = new Set((await daysOf(ctx, _id)).map(({ startsAt }) => startsAt));
  return calendar
    .between("day", calendar.startOf("day", from), now + 1)
    .filter((startsAt) => !made.has(startsAt) && startsAt !== task?.startsAt)
    .map((startsAt) => ({ startsAt, endsAt: calendar.next("day", startsAt) }))
    .reverse();
}

/** A piece of what a filter leaves behind; the last one takes its row. */
async function removeSome(ctx: MutationCtx, { _id, site }: FilterRow): Promise<number> {
  const rows = await rowsOfOwner(ctx, ownerOf(site, _id), REMOVED_ROWS);
  for (const row of rows) await ctx.db.delete("rollups", row._id);
  if (rows.length < REMOVED_ROWS) await ctx.db.delete("filters", _id);
  return rows.length === 0 ? DAY_COST : STEP_LOG_ROWS;
}

async function findWork(ctx: QueryCtx, site: string): Promise<Doc<"filterWork"> | null> {
  return await ctx.db
    .query("filterWork")
    .withIndex("by_site", (q) => q.eq("site", site))
    .first();
}
