/**
 * Owns: reading the part of the log that is not settled yet, in commit order.
 * Not: what is made of it (settling.ts, stats.ts).
 */
import type { Doc } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";

/** The most rows that one transaction gives the same commitTs: a chunk of the backfill. */
export const MAX_ROWS_PER_COMMIT = 500;

export type Unsettled = {
  views: Doc<"pageViews">[];
  moves: Doc<"presenceLog">[];
};

/** Views after the cursor, up to `upTo`, at least `limit` of them if there are as many, and never half a commit. */
export async function readViewBatch(
  ctx: QueryCtx,
  site: string,
  { after, upTo, limit }: { after: bigint; upTo: bigint; limit: number },
): Promise<Doc<"pageViews">[]> {
  const rows = await ctx.db
    .query("pageViews")
    .withIndex("by_site_commitTs", (q) =>
      q.eq("site", site).gt("commitTs", after).lte("commitTs", upTo),
    )
    .take(limit);
  return await withWholeCommits(rows, limit, (commitTs, most) =>
    ctx.db
      .query("pageViews")
      .withIndex("by_site_commitTs", (q) => q.eq("site", site).eq("commitTs", commitTs))
      .take(most),
  );
}

export type LogRow = Doc<"pageViews"> | Doc<"presenceLog"> | Doc<"events"> | Doc<"engagements">;

/** The commitTs of a row that was read from the log, where it is always resolved. */
export function commitTsOf(row: LogRow): bigint {
  if (typeof row.commitTs === "bigint") return row.commitTs;
  throw new Error(`Row ${row._id} of the log has no commitTs and yet was read from it.`);
}

/** A batch of a log, at most `limit` rows of it, with the whole of the commit that it may have cut. */
export async function withWholeCommits<R extends LogRow>(
  rows: R[],
  limit: number,
  readCommit: (commitTs: bigint, limit: number) => Promise<R[]>,
): Promise<R[]> {
  const last = rows.at(-1);
  if (last === undefined || rows.length < limit) return rows;
  const edge = commitTsOf(last);
  const tied = await readCommit(edge, MAX_ROWS_PER_COMMIT);
  return [...rows.filter((row) => commitTsOf(row) !== edge), ...tied];
}

/** Views after the cursor, at most `limit`. */
export async function readViewTail(
  ctx: QueryCtx,
  site: string,
  { after, limit }: { after: bigint; limit: number },
): Promise<Doc<"pageViews">[]> {
  return await ctx.db
    .query("pageViews")
    .withIndex("by_site_commitTs", (q) => q.eq("site", site).gt("commitTs", after))
    .take(limit);
}

/** Moves after the cursor, in commit order, at most `limit`. */
export async function readMoveTail(
  ctx: QueryCtx,
  site: string,
  { after, limit }: { after: bigint; limit: number },
): Promise<Doc<"presenceLog">[]> {
  return await ctx.db
    .query("presenceLog")
    .withIndex("by_site_commitTs", (q) => q.eq("site", site).gt("commitTs", after))
    .take(limit);
}

/** Moves after the cursor, as readViewBatch reads views: a bound keeps the worker from conflicting with those that arrive meanwhile. */
export async function readMoveBatch(
  ctx: QueryCtx,
  site: string,
  { after, upTo, limit }: { after: bigint; upTo: bigint; limit: number },
): Promise<Doc<"presenceLog">[]> {
  const rows = await ctx.db
    .query("presenceLog")
    .withIndex("by_site_commitTs", (q) =>
      q.eq("site", site).gt("commitTs", after).lte("commitTs", upTo),
    )
    .take(limit);
  return await withWholeCommits(rows, limit, (commitTs, most) =>
    ctx.db
      .query("presenceLog")
      .withIndex("by_site_commitTs", (q) => q.eq("site", site).eq("commitTs", commitTs))
      .take(most),
  );
}

/** True when anything is not in the headline. Reads to the open end of the log, so that a commit at the same moment conflicts instead of being overlooked. */
export async function hasUnsettled(
  ctx: QueryCtx,
  site: string,
  worker: Pick<Doc<"workers">, "viewCursor" | "moveCursor"> | null,
): Promise<boolean> {
  const views = await readViewTail(ctx, site, { after: worker?.viewCursor ?? 0n, limit: 1 });
  if (views.length > 0) return true;
  const after = worker?.moveCursor ?? 0n;
  return (await readMoveTail(ctx, site, { after, limit: 1 })).length > 0;
}

/** The newest row of the original design that the backfill has not reached. */
export async function readNewestOldRow(ctx: QueryCtx): Promise<Doc<"pageViews"> | null> {
  return await ctx.db
    .query("pageViews")
    .withIndex("by_site_commitTs", (q) => q.eq("site", undefined).eq("commitTs", undefined))
    .order("desc")
    .first();
}

/** Rows of the original design that the backfill has not reached, the oldest first; they belong to the default site. */
export async function readOldRows(ctx: QueryCtx, limit: number): Promise<Doc<"pageViews">[]> {
  return await ctx.db
    .query("pageViews")
    .withIndex("by_site_commitTs", (q) => q.eq("site", undefined).eq("commitTs", undefined))
    .take(limit);
}
