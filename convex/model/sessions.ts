/** Owns: finding a session that is online. Not: when one is written or removed (presence.ts, sweep.ts). */
import type { Doc } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";

export async function findSession(
  ctx: QueryCtx,
  site: string,
  sessionId: string,
): Promise<Doc<"activeSessions"> | null> {
  return await ctx.db
    .query("activeSessions")
    .withIndex("by_sessionId", (q) => q.eq("site", site).eq("sessionId", sessionId))
    .first();
}
