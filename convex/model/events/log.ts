/**
 * Owns: reading the events that are not rolled up yet, in commit order, and telling whether there are any.
 * Not: what is made of them (drain.ts).
 */
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { withWholeCommits } from "../log.ts";

type Cursor = Pick<Doc<"workers">, "eventCursor"> | null;

/** Events after the cursor, up to `upTo`, at least `limit` of them if there are as many, and never half a commit. */
export async function readEventBatch(
  ctx: QueryCtx,
  site: string,
  { after, upTo, limit }: { after: bigint; upTo: bigint; limit: number },
): Promise<Doc<"events">[]> {
  const rows = await ctx.db
    .query("events")
    .withIndex("by_site_commitTs", (q) =>
      q.eq("site", site).gt("commitTs", after).lte("commitTs", upTo),
    )
    .take(limit);
  return await withWholeCommits(rows, limit, (commitTs, most) =>
    ctx.db
      .query("events")
      .withIndex("by_site_commitTs", (q) => q.eq("site", site).eq("commitTs", commitTs))
      .take(most),
  );
}

/** How many events wait, at most `limit`. Bounded by now, so that one which commits at the same moment does not conflict. */
export async function countWaiting(
  ctx: MutationCtx,
  site: string,
  worker: Cursor,
  limit: number,
): Promise<number> {
  const upTo = ctx.meta.getSnapshotTs();
  const after = worker?.eventCursor ?? 0n;
  const rows = await ctx.db
    .query("events")
    .withIndex("by_site_commitTs", (q) =>
      q.eq("site", site).gt("commitTs", after).lte("commitTs", upTo),
    )
    .take(limit);
  return rows.length;
}

/** The same to the open end of the log: before the worker goes idle, an event at the same moment must conflict. */
export async function countWaitingToTheEnd(
  ctx: QueryCtx,
  site: string,
  worker: Cursor,
  limit: number,
): Promise<number> {
  const after = worker?.eventCursor ?? 0n;
  const rows = await ctx.db
    .query("events")
    .withIndex("by_site_commitTs", (q) => q.eq("site", site).gt("commitTs", after))
    .take(limit);
  return rows.length;
}

/** Whether the next event that is not rolled up was sent at or after `endsAt`, or there is none. */
export async function isRolledUntil(
  ctx: MutationCtx,
  site: string,
  worker: Cursor,
  endsAt: number,
): Promise<boolean> {
  const [next] = await readEventBatch(ctx, site, {
    after: worker?.eventCursor ?? 0n,
    upTo: ctx.meta.getSnapshotTs(),
    limit: 1,
  });
  return next === undefined || next.timestamp >= endsAt;
}

/** The oldest event whose time makes sense. */
export async function readOldestEvent(ctx: QueryCtx, site: string): Promise<Doc<"events"> | null> {
  return await ctx.db
    .query("events")
    .withIndex("by_site_time", (q) => q.eq("site", site).gte("timestamp", 0))
    .first();
}
