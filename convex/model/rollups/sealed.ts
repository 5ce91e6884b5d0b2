/** Owns: reading which roll-ups of a site are closed. Not: closing them (sealing). */
import type { Sealed } from "../../../domain/rollups/range.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { QueryCtx } from "../../_generated/server.js";

export async function findSealing(ctx: QueryCtx, site: string): Promise<Doc<"sealing"> | null> {
  return await ctx.db
    .query("sealing")
    .withIndex("by_site", (q) => q.eq("site", site))
    .first();
}

/** Before the first day is sealed there are hours alone. */
export function sealedBy(row: Doc<"sealing"> | null): Sealed {
  return {
    hoursSince: row?.hoursSince ?? Number.NEGATIVE_INFINITY,
    daysUntil: row?.daysUntil ?? Number.NEGATIVE_INFINITY,
    monthsUntil: row?.monthsUntil ?? Number.NEGATIVE_INFINITY,
  };
}
