/**
 * Owns: the row that says how much of a site's past is closed, and which of its days have to be made anew.
 * Not: closing them or making them (work.ts).
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { KEEP_HOURS_MS } from "../../../domain/intervals.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { readOldestEvent } from "../events/log.ts";
import { findSealing } from "../rollups/sealed.ts";

export type Sealing = Omit<Doc<"sealing">, "_id" | "_creationTime">;

/** Days that one call marks at most: more than ten years. */
const MAX_MARKED_DAYS = 4_000;

/**
 * The site's row; created, when it is missing, so that nothing before the first row of the log waits to be sealed.
 * Null while the log is empty.
 */
export async function ensureSealing(
  ctx: MutationCtx,
  site: string,
  calendar: Calendar,
): Promise<Doc<"sealing"> | null> {
  const found = await findSealing(ctx, site);
  if (found !== null) return found;
  const first = await readOldestAt(ctx, site);
  if (first === null) return null;
  const day = calendar.startOf("day", first);
  const id = await ctx.db.insert("sealing", {
    site,
    hoursSince: calendar.startOf("day", Date.now() - KEEP_HOURS_MS),
    daysUntil: day,
    monthsUntil: calendar.startOf("month", day),
    publishedUntil: day,
    rowsSince: 0,
  });
  return await ctx.db.get("sealing", id);
}

export async function changeSealing(
  ctx: MutationCtx,
  site: string,
  changes: Partial<Sealing>,
): Promise<void> {
  const row = await findSealing(ctx, site);
  if (row === null) throw new Error(`Site "${site}" has no row of sealing that could change.`);
  await ctx.db.patch("sealing", row._id, changes);
}

/** When the oldest view or event of a site was, of those whose time makes sense; null when there is none. */
export async function readOldestAt(ctx: QueryCtx, site: string): Promise<number | null> {
  const view = await ctx.db
    .query("pageViews")
    .withIndex("by_site_time", (q) => q.eq("site", site).gte("timestamp", 0))
    .first();
  const event = await readOldestEvent(ctx, site);
  if (view === null) return event?.timestamp ?? null;
  return Math.min(view.timestamp, event?.timestamp ?? view.timestamp);
}

/** Marks the days of these instants, each once. Returns how many were not marked yet. */
export async function markStale(
  ctx: MutationCtx,
  site: string,
  {
    instants,
    calendar,
    isForced = false,
  }: { instants: Iterable<number>; calendar: Calendar; isForced?: boolean },
): Promise<number> {
  const days = new Set<number>();
  for (const at of instants) days.add(calendar.startOf("day", at));
  if (days.size > MAX_MARKED_DAYS) {
    throw new Error(`${days.size} days cannot be marked at once; at most ${MAX_MARKED_DAYS}.`);
  }
  let marked = 0;
  for (const startsAt of days) {
    const found = await findStaleDay(ctx, site, startsAt);
    if (found === null) {
      await ctx.db.insert("staleDays", { site, startsAt, isForced });
      marked += 1;
    } else if (isForced && !found.isForced) {
      await ctx.db.patch("staleDays", found._id, { isForced });
    }
  }
  return marked;
}

export async function findStaleDay(
  ctx: QueryCtx,
  site: string,
  startsAt: number,
): Promise<Doc<"staleDays"> | null> {
  return await ctx.db
    .query("staleDays")
    .withIndex("by_site_startsAt", (q) => q.eq("site", site).eq("startsAt", startsAt))
    .first();
}

/** Days that wait, the oldest first, at most `limit`. */
export async function readStaleDays(
  ctx: QueryCtx,
  site: string,
  limit: number,
): Promise<Doc<"staleDays">[]> {
  return await ctx.db
    .query("staleDays")
    .withIndex("by_site_startsAt", (q) => q.eq("site", site))
    .take(limit);
}
