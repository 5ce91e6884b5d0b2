/**
 * Owns: removing engagement that has served its time: its log with the views of the day, its hours with theirs.
 * Not: when that is (past/retention.ts). Sealed days stay for ever.
 */
import type { Id } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { MAX_REPORTS_OF_VIEW } from "../limits.ts";
import { commitTsOf } from "../log.ts";
import { readWorker } from "../waking.ts";

/** Returns how many rows are gone, at most `limit` and some hours. */
export async function removeEngagement(
  ctx: MutationCtx,
  site: string,
  before: { rowsSince: number; hoursSince: number; limit: number },
): Promise<number> {
  const { rowsSince, hoursSince, limit } = before;
  const rows = await ctx.db
    .query("engagements")
    .withIndex("by_site_viewAt", (q) => q.eq("site", site).lt("viewAt", rowsSince))
    .take(limit);
  const rolled = rows.length === 0 ? null : await readWorker(ctx, site);
  // One that the worker has not reached stays until it is counted.
  const counted = rows.filter((row) => commitTsOf(row) <= (rolled?.engagementCursor ?? 0n));
  for (const row of counted) await ctx.db.delete("engagements", row._id);
  const hours = await ctx.db
    .query("engagementRollups")
    .withIndex("by_bucket", (q) =>
      q.eq("site", site).eq("unit", "hour").eq("holds", "all").lt("startsAt", hoursSince),
    )
    .take(limit / 10);
  for (const hour of hours) await ctx.db.delete("engagementRollups", hour._id);
  return counted.length + hours.length;
}

/** Those of a view that leaves the log; its day is made anew without them. */
export async function removeReportsOf(ctx: MutationCtx, view: Id<"pageViews">): Promise<void> {
  const reports = await ctx.db
    .query("engagements")
    .withIndex("by_view", (q) => q.eq("view", view))
    .take(MAX_REPORTS_OF_VIEW);
  for (const { _id } of reports) await ctx.db.delete("engagements", _id);
}
