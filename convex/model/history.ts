/**
 * Owns: the neighbours of a view in its visitor's history, and keeping their gaps right when a view arrives late.
 * Not: which views are counted.
 *
 * Rows carry gaps (when was this visitor, and this path by them, last seen before), not verdicts. A row that is put
 * before others therefore changes its successors: the visitor's next view, and their next view of the same path.
 */
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { DEFAULT_SITE } from "./sites.ts";

export type Gaps = Pick<Doc<"pageViews">, "visitorLastSeenAt" | "previousPath" | "pathLastSeenAt">;

type Moment = { site: string; sessionId: string; path: string; timestamp: number };

/**
 * This visitor's newest view of this path. The range reaches down to rows without a site, so that a row of the
 * original design that is not backfilled yet is found too.
 */
export async function findViewOfPath(
  ctx: QueryCtx,
  site: string,
  { sessionId, path }: { sessionId: string; path: string },
): Promise<Doc<"pageViews"> | null> {
  const row = await ctx.db
    .query("pageViews")
    .withIndex("by_session_path", (q) =>
      q.eq("sessionId", sessionId).eq("path", path).lte("site", site),
    )
    .order("desc")
    .first();
  return row !== null && (row.site ?? DEFAULT_SITE) === site ? row : null;
}

/** When this visitor's last counted view of this path at or before `timestamp` was. */
export async function findPathLastSeenAt(
  ctx: QueryCtx,
  { site, sessionId, path, timestamp }: Moment,
): Promise<number | undefined> {
  const row = await ctx.db
    .query("pageViews")
    .withIndex("by_session_path", (q) =>
      q.eq("sessionId", sessionId).eq("path", path).eq("site", site).lte("timestamp", timestamp),
    )
    .order("desc")
    .first();
  return row?.timestamp;
}

/** The gaps of a view that is put among counted views of its visitor; corrects those of its successors. */
export async function insertIntoHistory(ctx: MutationCtx, moment: Moment): Promise<Gaps> {
  const before = await findNeighbour(ctx, moment, "before");
  const pathLastSeenAt = await findPathLastSeenAt(ctx, moment);
  const after = await findNeighbour(ctx, moment, "after");
  if (after !== null) {
    await ctx.db.patch("pageViews", after._id, {
      visitorLastSeenAt: moment.timestamp,
      previousPath: moment.path,
    });
  }
  const afterOfPath = await findNextOfPath(ctx, moment);
  if (afterOfPath !== null) {
    await ctx.db.patch("pageViews", afterOfPath._id, { pathLastSeenAt: moment.timestamp });
  }
  return { visitorLastSeenAt: before?.timestamp, previousPath: before?.path, pathLastSeenAt };
}

async function findNeighbour(
  ctx: QueryCtx,
  { site, sessionId, timestamp }: Moment,
  side: "before" | "after",
): Promise<Doc<"pageViews"> | null> {
  return await ctx.db
    .query("pageViews")
    .withIndex("by_session_time", (q) => {
      const ofVisitor = q.eq("site", site).eq("sessionId", sessionId);
      return side === "before"
        ? ofVisitor.lte("timestamp", timestamp)
        : ofVisitor.gt("timestamp", timestamp);
    })
    .order(side === "before" ? "desc" : "asc")
    .first();
}

async function findNextOfPath(
  ctx: QueryCtx,
  { site, sessionId, path, timestamp }: Moment,
): Promise<Doc<"pageViews"> | null> {
  return await ctx.db
    .query("pageViews")
    .withIndex("by_session_path", (q) =>
      q.eq("sessionId", sessionId).eq("path", path).eq("site", site).gt("timestamp", timestamp),
    )
    .first();
}
