/**
 * Owns: the newest view of a path in its visitor's history.
 * Not: histories into which rows come late (past/lineage.ts), or which views are counted.
 */
import type { Doc } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";
import { DEFAULT_SITE } from "./sites.ts";

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
