/** Owns: removing events that have served their time. Not: when that is (past/retention.ts). */
import type { MutationCtx } from "../../_generated/server.js";
import { commitTsOf } from "../log.ts";
import { readWorker } from "../waking.ts";

/** Rows that are rolled up; one that the worker has not reached stays until it is. Returns how many went. */
export async function removeEvents(
  ctx: MutationCtx,
  site: string,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const rows = await ctx.db
    .query("events")
    .withIndex("by_site_time", (q) => q.eq("site", site).lt("timestamp", before))
    .take(limit);
  const rolled = (await readWorker(ctx, site))?.eventCursor ?? 0n;
  const counted = rows.filter((row) => commitTsOf(row) <= rolled);
  for (const row of counted) await ctx.db.delete("events", row._id);
  return counted.length;
}
