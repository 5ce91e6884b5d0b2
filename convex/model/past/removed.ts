/**
 * Owns: what is known of a visitor's past that retention has removed: what the first row that is left says of it.
 * Not: the facts that follow from it (lineage.ts).
 */
import type { Doc } from "../../_generated/dataModel.js";
import type { QueryCtx } from "../../_generated/server.js";
import { viewsFrom } from "./actions.ts";
import type { Before, Run } from "./actions.ts";

type Row = Doc<"pageViews">;

/** How many late rows a chunk may bring of one visitor, before the first that has its facts. */
const MAX_LATE = 500;

/**
 * The visitor's row before the stretch when retention has removed it: what the first row that came in its time says of
 * it. A row that is put before that one takes it over.
 */
export async function readRemoved(ctx: QueryCtx, stretch: Run): Promise<Before | null> {
  const rows = await viewsFrom(ctx, stretch).take(MAX_LATE);
  const next = rows.find(({ visitSequence }) => visitSequence !== undefined);
  const before = next === undefined ? null : predecessorOf(next);
  return before !== null && (before.timestamp ?? stretch.from) < stretch.from ? before : null;
}

/** What a row says of the one before it; null when it is the visitor's first. */
export function predecessorOf(row: Row): Before | null {
  const { visitorLastSeenAt, previousPath = "", visitSequence = 1, dimensions, lastEventAt } = row;
  if (visitorLastSeenAt === undefined) return null;
  const sequence = Math.max(1, visitSequence - 1);
  const lastView = { timestamp: visitorLastSeenAt, path: previousPath };
  return { ...lastView, visitSequence: sequence, dimensions, lastEventAt };
}

/** The same of a path: when it was seen before the stretch, as the next view of it says. */
export async function removedOfPath(
  ctx: QueryCtx,
  { site, sessionId, from }: Run,
  path: string,
): Promise<number | undefined> {
  const rows = await ctx.db
    .query("pageViews")
    .withIndex("by_session_path", (q) =>
      q.eq("sessionId", sessionId).eq("path", path).eq("site", site).gte("timestamp", from),
    )
    .take(MAX_LATE);
  const next = rows.find(({ visitSequence }) => visitSequence !== undefined);
  const seenAt = next?.pathLastSeenAt;
  return seenAt !== undefined && seenAt < from ? seenAt : undefined;
}
