/**
 * Owns: the rows of a sealed day that the three aggregates stand on, written a batch of paths at a time.
 * Not: the day's roll-up (replacing.ts).
 */
import { newVisitors } from "../../../domain/rollups/cell.ts";
import type { Cell } from "../../../domain/rollups/cell.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { readRollup } from "../rollups/store.ts";
import {
  pageViewsByPath,
  removePathOrphans,
  removeSiteOrphans,
  totalPageViews,
  uniqueVisitors,
} from "./aggregates.ts";
import type { Place } from "./recount.ts";
import { changeSealing } from "./sealing.ts";
import type { DayTask } from "./tasks.ts";

type Day = { site: string; startsAt: number };

/** What a day says of a path, or of the site. */
export type Sums = { views: number; newVisitors: number };

/** Rows that one transaction writes: each reads some 20 ranges of its tree, of 4,096 that Convex allows. */
const BATCH_PATHS = 40;

/** A sealed day keeps at most 25,000 paths by name. */
const MAX_DAY_PATHS = 26_000;

/** Null: the day is published. */
export async function publishDay(
  ctx: MutationCtx,
  { site }: Place,
  task: DayTask,
): Promise<DayTask | null> {
  const { startsAt, endsAt } = task;
  if (await removeStrays(ctx, site, task)) return task;
  const rollup = await readRollup(ctx, site, { unit: "day", startsAt }, new Set(["path"]));
  const pages = rollup?.dimensions.get("path");
  const wanted = new Map([...(pages?.cells ?? [])].map(([path, cell]) => [path, sumsOf(cell)]));
  const written = await publishPaths(ctx, { site, startsAt }, { task, wanted });
  if (written !== null) return { ...task, cursor: written };
  const total = rollup === null ? { views: 0, newVisitors: 0 } : sumsOf(rollup.total);
  await publishSite(ctx, { site, startsAt }, { sums: total, isForced: task.isForced });
  if (task.purpose === "seal") await changeSealing(ctx, site, { publishedUntil: endsAt });
  if (pages?.other) await changeSealing(ctx, site, { hasFoldedPaths: true });
  return null;
}

export function sumsOf(cell: Cell): Sums {
  return { views: cell.views, newVisitors: newVisitors(cell) };
}

/** The rows of a day by path. */
export async function readPathDays(
  ctx: QueryCtx,
  { site, startsAt }: Day,
): Promise<Map<string, Doc<"pathDays">>> {
  const rows = await ctx.db
    .query("pathDays")
    .withIndex("by_site_startsAt", (q) => q.eq("site", site).eq("startsAt", startsAt))
    .take(MAX_DAY_PATHS);
  return new Map(rows.map((row) => [row.path, row]));
}

export async function findSiteDay(
  ctx: QueryCtx,
  { site, startsAt }: Day,
): Promise<Doc<"siteDays"> | null> {
  return await ctx.db
    .query("siteDays")
    .withIndex("by_site_startsAt", (q) => q.eq("site", site).eq("startsAt", startsAt))
    .first();
}

/** Writes the next batch. Returns the path where the next one goes on; null when none is left. */
async function publishPaths(
  ctx: MutationCtx,
  day: Day,
  { task, wanted }: { task: DayTask; wanted: Map<string, Sums> },
): Promise<string | null> {
  const stored = await readPathDays(ctx, day);
  const paths = [...new Set([...wanted.keys(), ...stored.keys()])].sort();
  let writes = 0;
  for (const path of paths) {
    if (task.cursor !== null && path <= task.cursor) continue;
    const before = stored.get(path) ?? null;
    const sums = wanted.get(path) ?? { views: 0, newVisitors: 0 };
    if (!task.isForced && isSame(before, sums)) continue;
    await publishPath(ctx, { ...day, path }, { before, sums, isForced: task.isForced });
    writes += 1;
    if (writes === BATCH_PATHS) return path;
  }
  return null;
}

/** A path without a view has no row: it would only say that an earlier day's exit was taken back. */
function isSame(before: Sums | null, sums: Sums): boolean {
  if (before === null) return sums.views === 0;
  return sums.views !== 0 && before.views === sums.views && before.newVisitors === sums.newVisitors;
}

async function publishPath(
  ctx: MutationCtx,
  place: Day & { path: string },
  { before, sums, isForced }: { before: Doc<"pathDays"> | null; sums: Sums; isForced: boolean },
): Promise<void> {
  if (sums.views === 0) {
    if (before !== null) await removePathDay(ctx, before);
    return;
  }
  const id = before?._id ?? (await ctx.db.insert("pathDays", { ...place, ...sums }));
  if (before !== null) await ctx.db.patch("pathDays", id, sums);
  const after = await ctx.db.get("pathDays", id);
  if (after === null) throw new Error(`Row ${id} of pathDays is gone right after it was written.`);
  if (isForced) await removePathOrphans(ctx, after);
  await pageViewsByPath.replaceOrInsert(ctx, before ?? after, after);
}

async function publishSite(
  ctx: MutationCtx,
  day: Day,
  { sums, isForced }: { sums: Sums; isForced: boolean },
): Promise<void> {
  const before = await findSiteDay(ctx, day);
  if (before === null && sums.views === 0) return;
  const id = before?._id ?? (await ctx.db.insert("siteDays", { ...day, ...sums }));
  if (before !== null) await ctx.db.patch("siteDays", id, sums);
  const after = await ctx.db.get("siteDays", id);
  if (after === null) throw new Error(`Row ${id} of siteDays is gone right after it was written.`);
  if (isForced) await removeSiteOrphans(ctx, after);
  await totalPageViews.replaceOrInsert(ctx, before ?? after, after);
  await uniqueVisitors.replaceOrInsert(ctx, before ?? after, after);
}

async function removePathDay(ctx: MutationCtx, row: Doc<"pathDays">): Promise<void> {
  await ctx.db.delete("pathDays", row._id);
  await pageViewsByPath.deleteIfExists(ctx, row);
}

/** Rows of days that another time zone had, a batch of them. False when there are none. */
async function removeStrays(
  ctx: MutationCtx,
  site: string,
  { startsAt, endsAt }: DayTask,
): Promise<boolean> {
  const paths = await ctx.db
    .query("pathDays")
    .withIndex("by_site_startsAt", (q) =>
      q.eq("site", site).gt("startsAt", startsAt).lt("startsAt", endsAt),
    )
    .take(BATCH_PATHS);
  for (const row of paths) await removePathDay(ctx, row);
  if (paths.length > 0) return true;
  const days = await ctx.db
    .query("siteDays")
    .withIndex("by_site_startsAt", (q) =>
      q.eq("site", site).gt("startsAt", startsAt).lt("startsAt", endsAt),
    )
    .take(BATCH_PATHS);
  for (const row of days) {
    await ctx.db.delete("siteDays", row._id);
    await totalPageViews.deleteIfExists(ctx, row);
    await uniqueVisitors.deleteIfExists(ctx, row);
  }
  return days.length > 0;
}
