/**
 * Owns: taking a site's days out of the three aggregates, with their rows.
 * Not: the rest of a site that is removed (removal.ts).
 *
 * The aggregates are components with tables of their own: a day that is taken out leaves no figure there. What stays
 * is the empty tree of each namespace; the component has no call that removes it.
 */
import type { MutationCtx } from "../../_generated/server.js";
import { rowsOf } from "../siteTables.ts";
import { pageViewsByPath, totalPageViews, uniqueVisitors } from "./aggregates.ts";

/** Returns how many days are gone. */
export async function forgetSiteDays(
  ctx: MutationCtx,
  site: string,
  limit: number,
): Promise<number> {
  const days = await rowsOf(ctx, "siteDays", site).take(limit);
  for (const day of days) {
    await ctx.db.delete("siteDays", day._id);
    await totalPageViews.deleteIfExists(ctx, day);
    await uniqueVisitors.deleteIfExists(ctx, day);
  }
  return days.length;
}

export async function forgetPathDays(
  ctx: MutationCtx,
  site: string,
  limit: number,
): Promise<number> {
  const days = await rowsOf(ctx, "pathDays", site).take(limit);
  for (const day of days) {
    await ctx.db.delete("pathDays", day._id);
    await pageViewsByPath.deleteIfExists(ctx, day);
  }
  return days.length;
}
