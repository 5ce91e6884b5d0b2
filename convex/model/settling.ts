/**
 * Owns: turning log rows into the headline, the first of the worker's two steps.
 * Not: when that happens (worker.ts), rows that throw (recovery.ts), or the second step, paths and roll-ups (rollups/roll.ts).
 */
import type { Doc, Id } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { addToHeadline, emptyHeadline } from "./headline.ts";
import type { Headline } from "./headline.ts";
import { commitTsOf, readMoveBatch, readViewBatch } from "./log.ts";
import type { LogRow, Unsettled } from "./log.ts";
import { noteOnline } from "./online.ts";
import { readSite } from "./sites.ts";
import { tally } from "./tally.ts";
import { applyDailyCap } from "./verdicts/dailyCap.ts";
import { ensureWorker } from "./waking.ts";

/** Rows of each log that one run takes; with a tied edge up to MAX_ROWS_PER_COMMIT more. Far below any limit of a transaction. */
const ROWS_PER_RUN = 400;

export type BatchOutcome = { rows: number; isFull: boolean };

export async function readLive(ctx: QueryCtx, site: string): Promise<Doc<"live"> | null> {
  return await ctx.db
    .query("live")
    .withIndex("by_site", (q) => q.eq("site", site))
    .first();
}

/** Counts the next batch, and moves the cursor in the same transaction. */
export async function settleBatch(ctx: MutationCtx, args: { site: string }): Promise<BatchOutcome> {
  const worker = await ensureWorker(ctx, args.site);
  const batch = await takeBatch(ctx, worker, ROWS_PER_RUN);
  await settle(ctx, args.site, batch);
  await passBatch(ctx, worker, batch);
  return outcomeOf(batch);
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

/** What is to be counted; `moved` rows were in the log and are past the daily cap. */
export type Batch = Unsettled & { moved: number; isFull: boolean };

/** The next rows of both logs, `limit` of each, without those that the daily cap leaves out. */
export async function takeBatch(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  limit: number,
): Promise<Batch> {
  const upTo = ctx.meta.getSnapshotTs();
  const { read, moves } = await readBothLogs(ctx, worker, { upTo, limit });
  const { views, moved, isCut } = await applyDailyCap(ctx, worker, read);
  const isFull = isCut || read.length >= limit || moves.length >= limit;
  return { views, moves, moved, isFull };
}

/** Both up to the same commit where one of them is cut: nobody leaves before they have come. */
async function readBothLogs(
  ctx: QueryCtx,
  { site, viewCursor, moveCursor = 0n }: Doc<"workers">,
  { upTo, limit }: { upTo: bigint; limit: number },
): Promise<{ read: Doc<"pageViews">[]; moves: Doc<"presenceLog">[] }> {
  const views = await readViewBatch(ctx, site, { after: viewCursor, upTo, limit });
  const viewsUpTo = cutAt(views, { upTo, limit });
  const moves = await readMoveBatch(ctx, site, { after: moveCursor, upTo: viewsUpTo, limit });
  const movesUpTo = cutAt(moves, { upTo: viewsUpTo, limit });
  return { read: views.filter((view) => commitTsOf(view) <= movesUpTo), moves };
}

/** Through which commit a batch tells all there is. */
function cutAt(rows: readonly LogRow[], { upTo, limit }: { upTo: bigint; limit: number }): bigint {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? upTo : commitTsOf(last);
}

export function outcomeOf({ views, moves, moved, isFull }: Batch): BatchOutcome {
  return { rows: views.length + moves.length + moved, isFull };
}

/** Marks a batch as counted: the cursors pass it. */
export async function passBatch(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  { views, moves }: Unsettled,
): Promise<void> {
  if (views.length + moves.length === 0) return;
  const [lastView, lastMove] = [views.at(-1), moves.at(-1)];
  await ctx.db.patch("workers", worker._id, {
    viewCursor: lastView === undefined ? worker.viewCursor : commitTsOf(lastView),
    moveCursor: lastMove === undefined ? worker.moveCursor : commitTsOf(lastMove),
    unrolledViews: (worker.unrolledViews ?? 0) + views.length,
    unrolledMoves: (worker.unrolledMoves ?? 0) + moves.length,
    lastRunAt: Date.now(),
  });
}

/** Adds rows to the headline. With no rows it only rolls it to now. */
export async function settle(ctx: MutationCtx, slug: string, rows: Unsettled): Promise<void> {
  const sum = tally(rows);
  const now = Date.now();
  const { timeZone } = await readSite(ctx, slug);
  const row = await readLive(ctx, slug);
  if (sum.views === 0 && sum.paths.size === 0 && row === null) return;
  const before: Headline = row === null ? emptyHeadline(slug, timeZone, now) : row;
  const added = addToHeadline(before, sum, { timeZone, now });
  const headline = { ...added, slot: await noteOnline(ctx, { before, added, rows, timeZone }) };
  if (row === null) await ctx.db.insert("live", headline);
  else await ctx.db.replace("live", row._id, headline);
}

function isThere<T>(row: T | null): row is T {
  return row !== null;
}
