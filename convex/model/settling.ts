/**
 * Owns: turning log rows into the shared numbers: the headline and the path rows. The worker alone calls it.
 * Not: when that happens (worker.ts), or rows that throw (recovery.ts).
 */
import { LISTED_ACTIVE_PATHS } from "../../domain/limits.ts";
import { updateTop } from "../../domain/ranking.ts";
import type { Ranked } from "../../domain/ranking.ts";
import type { Doc, Id } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { addToHeadline, emptyHeadline } from "./headline.ts";
import type { Headline } from "./headline.ts";
import { commitTsOf, readMoveBatch, readViewBatch } from "./log.ts";
import type { Unsettled } from "./log.ts";
import { findPath } from "./paths.ts";
import { readSite } from "./sites.ts";
import { tally } from "./tally.ts";
import type { PathTally, Tally } from "./tally.ts";
import { ensureWorker } from "./waking.ts";

/** Rows of each log that one run takes; with a tied edge up to MAX_ROWS_PER_COMMIT more. Far below any limit of a transaction. */
const ROWS_PER_RUN = 400;

export type BatchOutcome = { rows: number; isFull: boolean };

/** How the paths changed, for the lists of the headline. */
type PathChanges = { newPages: number; onlinePaths: number; online: Map<string, number> };

export async function readLive(ctx: QueryCtx, site: string): Promise<Doc<"live"> | null> {
  return await ctx.db
    .query("live")
    .withIndex("by_site", (q) => q.eq("site", site))
    .first();
}

/** Counts the next batch, and moves the cursor in the same transaction. */
export async function settleBatch(ctx: MutationCtx, args: { site: string }): Promise<BatchOutcome> {
  const worker = await ensureWorker(ctx, args.site);
  const batch = await readBatch(ctx, worker, ROWS_PER_RUN);
  await settle(ctx, args.site, batch);
  await passBatch(ctx, worker, batch);
  return outcomeOf(batch, ROWS_PER_RUN);
}

/** Counts rows by id, and leaves the cursor to the caller. */
export async function settleRows(
  ctx: MutationCtx,
  args: { site: string; views: Id<"pageViews">[]; moves: Id<"presenceLog">[] },
): Promise<null> {
  const views = await Promise.all(args.views.map((id) => ctx.db.get("pageViews", id)));
  const moves = await Promise.all(args.moves.map((id) => ctx.db.get("presenceLog", id)));
  await settle(ctx, args.site, { views: views.filter(isThere), moves: moves.filter(isThere) });
  return null;
}

/** The next rows of both logs, `limit` of each. */
export async function readBatch(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  limit: number,
): Promise<Unsettled> {
  const upTo = ctx.meta.getSnapshotTs();
  const { site, viewCursor } = worker;
  return {
    views: await readViewBatch(ctx, site, { after: viewCursor, upTo, limit }),
    moves: await readMoveBatch(ctx, site, { upTo, limit }),
  };
}

export function outcomeOf({ views, moves }: Unsettled, limit: number): BatchOutcome {
  const isFull = views.length >= limit || moves.length >= limit;
  return { rows: views.length + moves.length, isFull };
}

/** Marks a batch as counted: the cursor passes its views, its moves are removed. */
export async function passBatch(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  { views, moves }: Unsettled,
): Promise<void> {
  for (const move of moves) await ctx.db.delete("presenceLog", move._id);
  const last = views.at(-1);
  const viewCursor = last === undefined ? worker.viewCursor : commitTsOf(last);
  if (views.length + moves.length === 0) return;
  const unrolledViews = (worker.unrolledViews ?? 0) + views.length;
  await ctx.db.patch("workers", worker._id, { viewCursor, unrolledViews, lastRunAt: Date.now() });
}

/** Adds rows to the shared numbers. With no rows it only rolls the headline to now. */
export async function settle(ctx: MutationCtx, slug: string, rows: Unsettled): Promise<void> {
  const sum = tally(rows);
  const now = Date.now();
  const { timeZone } = await readSite(ctx, slug);
  const row = await readLive(ctx, slug);
  if (sum.views === 0 && sum.paths.size === 0 && row === null) return;
  const changes = await applyToPaths(ctx, slug, sum);
  const before: Headline = row === null ? emptyHeadline(slug, timeZone, now) : row;
  const counted = addToHeadline(before, sum, { timeZone, now });
  const headline = await applyPathChanges(ctx, counted, changes);
  if (row === null) await ctx.db.insert("live", headline);
  else await ctx.db.replace("live", row._id, headline);
}

async function applyToPaths(ctx: MutationCtx, site: string, sum: Tally): Promise<PathChanges> {
  const changes: PathChanges = { newPages: 0, onlinePaths: 0, online: new Map() };
  for (const [path, added] of sum.paths) {
    if (added.views === 0 && added.online === 0) continue;
    const row = await findPath(ctx, site, path);
    const before = { views: row?.views ?? 0, online: row?.online ?? 0 };
    const after = { views: before.views + added.views, online: before.online + added.online };
    await storePath(ctx, { site, path, row, after, added });
    if (before.views === 0 && after.views > 0) changes.newPages += 1;
    if (added.online === 0) continue;
    changes.online.set(path, after.online);
    changes.onlinePaths += Number(after.online > 0) - Number(before.online > 0);
  }
  return changes;
}

async function storePath(
  ctx: MutationCtx,
  change: {
    site: string;
    path: string;
    row: Doc<"paths"> | null;
    after: { views: number; online: number };
    added: PathTally;
  },
): Promise<void> {
  const { site, path, row, after, added } = change;
  const pageType = added.pageType ?? row?.pageType ?? "page";
  const title = added.title ?? row?.title;
  if (row === null) await ctx.db.insert("paths", { site, path, pageType, title, ...after });
  else await ctx.db.patch("paths", row._id, { pageType, title, ...after });
}

async function applyPathChanges(
  ctx: MutationCtx,
  headline: Headline,
  changes: PathChanges,
): Promise<Headline> {
  const onlinePaths = headline.onlinePaths + changes.onlinePaths;
  const limit = LISTED_ACTIVE_PATHS;
  const onlineByPath =
    updateTop(headline.onlineByPath, changes.online, { limit, totalPaths: onlinePaths }) ??
    (await readBusiest(ctx, headline.site, limit));
  const pagesTotal = headline.pagesTotal + changes.newPages;
  return { ...headline, pagesTotal, onlinePaths, onlineByPath };
}

/** The paths with the most sessions online, the busiest first. */
export async function readBusiest(ctx: QueryCtx, site: string, limit: number): Promise<Ranked[]> {
  const rows = await ctx.db
    .query("paths")
    .withIndex("by_site_online", (q) => q.eq("site", site).gt("online", 0))
    .order("desc")
    .take(limit);
  return rows.map(({ path, online }) => ({ path, count: online }));
}

function isThere<T>(row: T | null): row is T {
  return row !== null;
}
