/**
 * Owns: the headline as a reader gets it: settled, or exact at this instant.
 * Not: how the numbers come about (settling.ts, unsettled.ts, ranking.ts).
 */
import { listMinutes } from "../../domain/minutes.ts";
import type { QueryCtx } from "../_generated/server.js";
import { readBackfillStatus } from "./backfill.ts";
import { addToHeadline, emptyHeadline } from "./headline.ts";
import { rank } from "./ranking.ts";
import { readLive } from "./settling.ts";
import type { StatsResult } from "./shapes.ts";
import { readSite } from "./sites.ts";
import { sumEverything, sumOldRows } from "./unsettled.ts";

/** Reads a bounded number of documents, however many views there are. */
export async function getStats(
  ctx: QueryCtx,
  args: { site?: string; freshness?: "instant" | "settled" },
): Promise<StatsResult> {
  const site = await readSite(ctx, args.site);
  const { slug, name, timeZone } = site;
  const now = Date.now();
  const live = await readLive(ctx, slug);
  const settled = live ?? emptyHeadline(slug, timeZone, now);
  const isSettled = args.freshness === "settled";
  const unread = isSettled ? await sumOldRows(ctx, slug) : await sumEverything(ctx, slug, now);
  const headline = addToHeadline(settled, unread.sum, { timeZone, now });
  const { isTruncated, ...rankings } = await rank(ctx, settled, unread.sum);
  const published = await ctx.db.query("contentCounts").first();
  return {
    ...rankings,
    activeVisitors: Math.max(0, headline.online),
    totalPageViews: headline.totalViews,
    uniqueVisitors: headline.uniqueVisitors,
    publishedPosts: published?.posts ?? 0,
    publishedPages: published?.pages ?? 0,
    trackingSince: headline.trackingSince ?? null,
    viewsToday: headline.today.views,
    minutes: listMinutes(headline.minutes),
    atLeast: unread.isTruncated || isTruncated,
    settledAt: live?.settledAt ?? null,
    site: { slug, name, timeZone },
    backfill: await readBackfillStatus(ctx, slug, unread.oldRows),
  };
}
