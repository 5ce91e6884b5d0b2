/**
 * Owns: the rows of filters and of their days: finding, making, changing and forgetting them.
 * Not: what a day holds (counting.ts), or when one is made (work.ts).
 */
import { keyOf, normalFilter } from "../../../domain/filters/filter.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import { MAX_KEPT_FILTERS, MAX_SEGMENTS } from "../../../domain/limits.ts";
import type { Doc, Id } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { readWorker } from "../waking.ts";

export type FilterRow = Doc<"filters">;

/** Those that go are still there for a while. */
const MAX_FILTERS = 10 * (MAX_KEPT_FILTERS + MAX_SEGMENTS);

/** Days of one filter: more than a log is kept for, and few enough for one transaction. */
const MAX_DAYS = 4_000;

/** Of all filters: as many as there may be, each with all days of a log, are fewer; a transaction may write 16,000 rows. */
const MAX_DAYS_OF_SITE = 15_000;

export async function findFilter(
  ctx: QueryCtx,
  site: string,
  filter: Filter,
): Promise<FilterRow | null> {
  const rows = await ctx.db
    .query("filters")
    .withIndex("by_site_key", (q) => q.eq("site", site).eq("key", keyOf(filter)))
    .take(MAX_FILTERS);
  return rows.find(({ goneSince }) => goneSince === undefined) ?? null;
}

/** Those of a site, also those that go, the least recently asked for first. */
export async function listFilters(ctx: QueryCtx, site: string): Promise<FilterRow[]> {
  return await ctx.db
    .query("filters")
    .withIndex("by_site_askedAt", (q) => q.eq("site", site))
    .take(MAX_FILTERS);
}

export async function insertFilter(
  ctx: MutationCtx,
  site: string,
  { filter, wantedFrom, name }: { filter: Filter; wantedFrom: number; name?: string },
): Promise<Id<"filters">> {
  const cursors = await cursorsOf(ctx, site);
  return await ctx.db.insert("filters", {
    ...{ site, key: keyOf(filter), filter: normalFilter(filter), wantedFrom, name, ...cursors },
    askedAt: Date.now(),
  });
}

/** Through what the worker has rolled up. */
export async function cursorsOf(
  ctx: QueryCtx,
  site: string,
): Promise<Pick<FilterRow, "upTo" | "eventsUpTo">> {
  const worker = await readWorker(ctx, site);
  return { upTo: worker?.rollupCursor ?? 0n, eventsUpTo: worker?.eventCursor ?? 0n };
}

/** From now on it is in no answer; its work removes what is left of it. */
export async function letGo(ctx: MutationCtx, row: FilterRow): Promise<void> {
  await ctx.db.patch("filters", row._id, { goneSince: Date.now(), task: undefined });
  for (const day of await daysOf(ctx, row._id)) await ctx.db.delete("filterDays", day._id);
}

/** The days that are made, in order, those that begin in the range. */
export async function daysOf(
  ctx: QueryCtx,
  filter: Id<"filters">,
  { from, until }: { from: number; until: number } = { from: 0, until: Number.MAX_VALUE },
): Promise<Doc<"filterDays">[]> {
  return await ctx.db
    .query("filterDays")
    .withIndex("by_filter", (q) =>
      q.eq("filter", filter).gte("startsAt", from).lt("startsAt", until),
    )
    .take(MAX_DAYS);
}

/** Of a filter that nobody kept up, the days that are not sealed: what came since is in none of them. */
export async function dropOpenDays(ctx: MutationCtx, row: FilterRow): Promise<void> {
  for (const day of await daysOf(ctx, row._id)) {
    if (!day.isSealed) await ctx.db.delete("filterDays", day._id);
  }
}

/**
 * A day of the site is made anew: of every filter that day goes, and all after it, because who was seen before on a
 * view that meets the filter may have changed for any of them.
 */
export async function dropDaysFrom(
  ctx: MutationCtx,
  site: string,
  startsAt: number,
): Promise<void> {
  const days = await ctx.db
    .query("filterDays")
    .withIndex("by_site_startsAt", (q) => q.eq("site", site).gte("startsAt", startsAt))
    .take(MAX_DAYS_OF_SITE);
  for (const day of days) await ctx.db.delete("filterDays", day._id);
  for (const { _id, task } of await listFilters(ctx, site)) {
    if (task !== undefined) await ctx.db.patch("filters", _id, { task: undefined });
  }
}
