/**
 * Owns: how many were online at most in each five minutes of a day: followed where the headline is settled, kept when
 * five minutes are over, told beside the same weekday of the week before.
 * Not: the arithmetic (domain/online/slots.ts), or who is online (presence.ts).
 *
 * The slot under way stands in the headline's own row, which is written anyhow. A row of a day is read and written only
 * when a slot with somebody in it is over, or nobody is online any more; no run of the worker comes because of it.
 */
import { v } from "convex/values";
import type { Infer } from "convex/values";
import { calendarOf } from "../../domain/calendar/calendar.ts";
import type { Calendar } from "../../domain/calendar/calendar.ts";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { packCounts, unpackCounts } from "../../domain/counts.ts";
import { follow, SLOT_MS, slotsOf, weekBefore, withSlots } from "../../domain/online/slots.ts";
import type { Change, Slot } from "../../domain/online/slots.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { callerError, quoted } from "../errors.ts";
import type { Headline } from "./headline.ts";
import type { Unsettled } from "./log.ts";
import { readSite } from "./sites.ts";
import { moveOf, partsOf } from "./tally.ts";
import type { Move } from "./tally.ts";

/** A day is compared with the one a week before; the others are for whoever asks for them. */
const KEEP_ONLINE_DAYS_MS = 28 * DAY_MS;

/** As many as there can be, with some to spare: who changes the zone moves them all. */
const MAX_KEPT_DAYS = 40;

/** Days that one run removes: more than begin between two. */
const MAX_REMOVED_DAYS = 8;

const onlineDay = v.object({
  /** The local day, such as 2026-11-30; [startsAt, endsAt) in epoch ms. */
  day: v.string(),
  startsAt: v.number(),
  endsAt: v.number(),
  /** The most online at once in each slot of `slotMs`, from the first on. Later ones are not over, or nobody was there. */
  peaks: v.array(v.number()),
});

export const onlineByTime = v.union(
  v.object({
    slotMs: v.number(),
    day: onlineDay,
    /** The same weekday a week before; null when nothing was recorded that day. */
    weekBefore: v.union(onlineDay, v.null()),
  }),
  /** The site tells nobody apart. */
  v.null(),
);
export type OnlineByTime = Infer<typeof onlineByTime>;

/** The slot under way after the headline went from `before` to `added` by `rows`. Slots that are over are kept. */
export async function noteOnline(
  ctx: MutationCtx,
  {
    before,
    added,
    rows,
    timeZone,
  }: { before: Headline; added: Headline; rows: Unsettled; timeZone: string },
): Promise<NonNullable<Headline["slot"]>> {
  const calendar = calendarOf(timeZone);
  const { settledAt: at, online } = before;
  const standing = { at, online, ...(before.slot === undefined ? {} : { slot: before.slot }) };
  const { over, slot } = follow(standing, changesOf(rows), { now: added.settledAt, calendar });
  const isSame = before.slot?.startsAt === slot.startsAt;
  const kept = isSame ? (before.slot?.kept ?? 0) : 0;
  const isLast = added.online <= 0 && slot.most > kept;
  const slots = [...over, ...(isLast ? [slot] : [])].filter(({ most }) => most > 0);
  await keep(ctx, before.site, { slots, calendar });
  return { ...slot, kept: isLast ? slot.most : kept };
}

function changesOf({ views, moves }: Unsettled): Change[] {
  const ofViews = views.flatMap((view) => {
    const move = moveOf(view);
    return move === null ? [] : [{ at: view.timestamp, by: byOf(move) }];
  });
  const ofMoves = moves.flatMap((move) =>
    partsOf(move).map((part) => ({ at: move._creationTime, by: byOf(part) })),
  );
  return [...ofViews, ...ofMoves].filter(({ by }) => by !== 0);
}

function byOf({ from, to, sessions }: Move): number {
  return (Number(to !== undefined) - Number(from !== undefined)) * sessions;
}

async function keep(
  ctx: MutationCtx,
  site: string,
  { slots, calendar }: { slots: readonly Slot[]; calendar: Calendar },
): Promise<void> {
  const days = new Set(slots.map((slot) => calendar.startOf("day", slot.startsAt)));
  for (const startsAt of days) {
    const ofDay = slots.filter((slot) => calendar.startOf("day", slot.startsAt) === startsAt);
    const row = await findDay(ctx, site, startsAt);
    const before = unpackCounts(row?.peaks ?? "");
    const peaks = withSlots(before, startsAt, ofDay);
    if (peaks === before) continue;
    if (row !== null) await ctx.db.patch("onlineDays", row._id, { peaks: packCounts(peaks) });
    else {
      await ctx.db.insert("onlineDays", { site, startsAt, peaks: packCounts(peaks) });
      await removeOld(ctx, site, startsAt);
    }
  }
}

/** Of another time zone the days are other ones: what was recorded is put into them. */
export async function moveOnlineDays(
  ctx: MutationCtx,
  site: string,
  calendar: Calendar,
): Promise<void> {
  const rows = await ctx.db
    .query("onlineDays")
    .withIndex("by_site_startsAt", (q) => q.eq("site", site))
    .take(MAX_KEPT_DAYS);
  for (const row of rows) await ctx.db.delete("onlineDays", row._id);
  const slots = rows.flatMap(({ startsAt, peaks }) => slotsOf(unpackCounts(peaks), startsAt));
  await keep(ctx, site, { slots, calendar });
}

async function removeOld(ctx: MutationCtx, site: string, startsAt: number): Promise<void> {
  const old = await ctx.db
    .query("onlineDays")
    .withIndex("by_site_startsAt", (q) =>
      q.eq("site", site).lt("startsAt", startsAt - KEEP_ONLINE_DAYS_MS),
    )
    .take(MAX_REMOVED_DAYS);
  for (const row of old) await ctx.db.delete("onlineDays", row._id);
}

async function findDay(
  ctx: QueryCtx,
  site: string,
  startsAt: number,
): Promise<Doc<"onlineDays"> | null> {
  return await ctx.db
    .query("onlineDays")
    .withIndex("by_site_startsAt", (q) => q.eq("site", site).eq("startsAt", startsAt))
    .first();
}

/** Of a local day, today when none is named. Throws `unknown_site` or `invalid_range`. */
export async function readOnlineByTime(
  ctx: QueryCtx,
  args: { site?: string; day?: string },
): Promise<OnlineByTime> {
  const { slug, timeZone, visitorMode } = await readSite(ctx, args.site);
  if (visitorMode === "none") return null;
  const calendar = calendarOf(timeZone);
  const startsAt =
    args.day === undefined ? calendar.startOf("day", Date.now()) : acceptDay(args.day, calendar);
  const startedBefore = weekBefore(startsAt, calendar);
  const [row, rowBefore] = [
    await findDay(ctx, slug, startsAt),
    await findDay(ctx, slug, startedBefore),
  ];
  return {
    slotMs: SLOT_MS,
    day: dayOf(row, startsAt, calendar),
    weekBefore: rowBefore === null ? null : dayOf(rowBefore, startedBefore, calendar),
  };
}

function dayOf(
  row: Doc<"onlineDays"> | null,
  startsAt: number,
  calendar: Calendar,
): Infer<typeof onlineDay> {
  const { endsAt } = calendar.bucketAt("day", startsAt);
  const day = calendar.localTime(startsAt).date;
  return { day, startsAt, endsAt, peaks: unpackCounts(row?.peaks ?? "") };
}

function acceptDay(day: string, calendar: Calendar): number {
  const startsAt = calendar.startOfDate(day);
  if (startsAt !== null) return startsAt;
  throw callerError(
    "invalid_range",
    `${quoted(day)} is no day in ${calendar.timeZone}; wanted one such as 2026-11-30.`,
  );
}
