/**
 * Owns: a site's daily cap: the views past it, in commit order, become filtered hits before the worker counts them.
 * Not: the counting (settling.ts).
 *
 * The worker alone decides, because it alone sees views in one order: so the numbers stop exactly at the cap, and no
 * view writes anything that others read. Views that an operator puts back are not asked again.
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { storeFiltered } from "../filtered.ts";
import { commitTsOf } from "../log.ts";
import { markStale } from "../past/sealing.ts";
import { keepPresence } from "../presence.ts";
import { readTotals } from "../rollups/store.ts";
import { readSite } from "../sites.ts";
import { isCountable } from "../tally.ts";
import { asFiltered, byVisitor } from "./leaving.ts";
import { unlink } from "./unlinking.ts";

type View = Doc<"pageViews">;
type Day = { startsAt: number; views: number };

/** Views that one batch moves: each costs some ten ranges of the 4,096 that a transaction may read. */
const MAX_MOVED = 100;

/** Days whose count is remembered: views of yesterday come in after midnight. */
const REMEMBERED_DAYS = 3;

type Capped = {
  /** Those that are counted, as they are now. */
  views: View[];
  moved: number;
  /** Some of the batch were not looked at. */
  isCut: boolean;
};

/** Takes what is past the cap out of a batch of the log, in its order. */
export async function applyDailyCap(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  views: View[],
): Promise<Capped> {
  const { site } = worker;
  const { dailyCap, timeZone } = await readSite(ctx, site);
  if (dailyCap === undefined) {
    if (worker.cappedDays !== undefined) await remember(ctx, worker, undefined);
    return { views, moved: 0, isCut: false };
  }
  if (views.length === 0) return { views, moved: 0, isCut: false };
  const calendar = calendarOf(timeZone);
  const count = new Count(worker.cappedDays ?? [], calendar);
  const [kept, excess]: [View[], View[]] = [[], []];
  let before: View | null = null;
  for (const view of views) {
    const isSameCommit = before !== null && commitTsOf(before) === commitTsOf(view);
    if (excess.length >= MAX_MOVED && !isSameCommit) break;
    before = view;
    const isAsked = view.backfilled !== true && isCountable(view);
    if (isAsked && (await count.of(ctx, site, view.timestamp)) >= dailyCap) excess.push(view);
    else {
      kept.push(view);
      if (isAsked) count.add(view.timestamp);
    }
  }
  await remember(ctx, worker, count.newest());
  const isCut = kept.length + excess.length < views.length;
  if (excess.length === 0) return { views: kept, moved: 0, isCut };
  await moveOut(ctx, site, excess, calendar);
  return { views: await readAgain(ctx, kept), moved: excess.length, isCut };
}

async function moveOut(
  ctx: MutationCtx,
  site: string,
  excess: readonly View[],
  calendar: Calendar,
): Promise<void> {
  const instants: number[] = [];
  for (const ofVisitor of byVisitor(excess)) {
    instants.push(...(await unlink(ctx, ofVisitor)).changedAt);
  }
  for (const view of excess) {
    await keepPresence(ctx, site, view);
    await storeFiltered(ctx, asFiltered(site, view, "daily cap"));
  }
  // Views that come later are not counted yet; one that was put back may be.
  await markStale(ctx, site, { instants, calendar });
}

/** Views counted of each local day so far. */
class Count {
  readonly #days: Map<number, number>;
  readonly #calendar: Calendar;

  constructor(days: readonly Day[], calendar: Calendar) {
    this.#days = new Map(days.map(({ startsAt, views }) => [startsAt, views]));
    this.#calendar = calendar;
  }

  async of(ctx: QueryCtx, site: string, at: number): Promise<number> {
    const { startsAt, endsAt } = this.#calendar.bucketAt("day", at);
    const known = this.#days.get(startsAt);
    if (known !== undefined) return known;
    const views = await countedBefore(ctx, site, { startsAt, endsAt });
    this.#days.set(startsAt, views);
    return views;
  }

  add(at: number): void {
    const startsAt = this.#calendar.startOf("day", at);
    this.#days.set(startsAt, (this.#days.get(startsAt) ?? 0) + 1);
  }

  newest(): Day[] {
    const days = [...this.#days].map(([startsAt, views]) => ({ startsAt, views }));
    return days.sort((a, b) => b.startsAt - a.startsAt).slice(0, REMEMBERED_DAYS);
  }
}

/** Of a day that had no cap until now: as the headline or the hours say. */
async function countedBefore(
  ctx: QueryCtx,
  site: string,
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
): Promise<number> {
  const live = await ctx.db
    .query("live")
    .withIndex("by_site", (q) => q.eq("site", site))
    .first();
  if (live?.today.startsAt === startsAt) return live.today.views;
  const hours = await readTotals(ctx, site, { unit: "hour", from: startsAt, until: endsAt });
  return hours.reduce((sum, { total }) => sum + total.views, 0);
}

async function remember(
  ctx: MutationCtx,
  { _id }: Doc<"workers">,
  cappedDays: Day[] | undefined,
): Promise<void> {
  await ctx.db.patch("workers", _id, { cappedDays });
}

/** What follows a view that left has changed. */
async function readAgain(ctx: QueryCtx, views: readonly View[]): Promise<View[]> {
  const now = await Promise.all(views.map(({ _id }) => ctx.db.get("pageViews", _id)));
  return now.filter((view): view is View => view !== null);
}
