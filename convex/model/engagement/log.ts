/**
 * Owns: reading the log of engagement, in commit order, and what a row of it says.
 * Not: what is made of it (roll.ts, recount.ts), or who writes it (recording.ts).
 */
import type { LoggedEngagement } from "../../../domain/engagement/rollup.ts";
import { unpackReported } from "../../../domain/engagement/reported.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { QueryCtx } from "../../_generated/server.js";
import { withWholeCommits } from "../log.ts";

export type EngagementRow = Doc<"engagements">;

/** Rows after the cursor, up to `upTo`, at least `limit` of them if there are as many, and never half a commit: rows that are tried again share one. */
export async function readEngagementBatch(
  ctx: QueryCtx,
  site: string,
  { after, upTo, limit }: { after: bigint; upTo: bigint; limit: number },
): Promise<EngagementRow[]> {
  const rows = await ctx.db
    .query("engagements")
    .withIndex("by_site_commitTs", (q) =>
      q.eq("site", site).gt("commitTs", after).lte("commitTs", upTo),
    )
    .take(limit);
  return await withWholeCommits(rows, limit, (commitTs, most) =>
    ctx.db
      .query("engagements")
      .withIndex("by_site_commitTs", (q) => q.eq("site", site).eq("commitTs", commitTs))
      .take(most),
  );
}

/** True when anything is not in the roll-ups. Reads to the open end of the log, so that a commit at the same moment conflicts instead of being overlooked. */
export async function hasUnrolledEngagement(
  ctx: QueryCtx,
  site: string,
  worker: Pick<Doc<"workers">, "engagementCursor"> | null,
): Promise<boolean> {
  const after = worker?.engagementCursor ?? 0n;
  const next = await ctx.db
    .query("engagements")
    .withIndex("by_site_commitTs", (q) => q.eq("site", site).gt("commitTs", after))
    .first();
  return next !== null;
}

/** Throws when the row's figures cannot be read. */
export function loggedEngagementOf(row: EngagementRow): LoggedEngagement {
  const { path, viewAt, before, after } = row;
  return {
    ...{ path, viewAt, after: unpackReported(after) },
    before: before === undefined ? null : unpackReported(before),
  };
}

/** Not put aside. */
export function isInEngagement(row: EngagementRow): boolean {
  return row.quarantined !== true;
}
