/** Owns: finding a visitor. Not: when one is written (views.ts, backfill.ts). */
import type { Doc } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";

export async function findVisitor(
  ctx: QueryCtx,
  site: string,
  sessionId: string,
): Promise<Doc<"visitors"> | null> {
  return await ctx.db
    .query("visitors")
    .withIndex("by_sessionId", (q) => q.eq("site", site).eq("sessionId", sessionId))
    .first();
}
