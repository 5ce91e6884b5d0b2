/**
 * Owns: the headline and the panels as a reader gets them: settled, or exact at this instant.
 * Not: how the numbers come about (settling.ts, unsettled.ts, ranking.ts).
 */
import { listMinutes } from "../../domain/minutes.ts";
import { normalisePath } from "../../domain/path.ts";
import { visitorsAre } from "../../domain/visitor-modes.ts";
import type { QueryCtx } from "../_generated/server.js";
import { readBackfillStatus } from "./backfill.ts";
import { addToHeadline, emptyHeadline, minutesOf } from "./headline.ts";
import { findPath } from "./paths.ts";
import { rank } from "./ranking.ts";
import { readLive } from "./settling.ts";
import type { HeadlineResult, PanelsResult, StatsResult } from "./shapes.ts";
import { readSite } from "./sites.ts";
import type { Site } from "./sites.ts";
import { sumEverything, sumOldRows } from "./unsettled.ts";
import type { Unread } from "./unsettled.ts";

/** Both in one answer. Reads a bounded number of documents, however many views there are. */
export async function getStats(
  ctx: QueryCtx,
  args: { site?: string; freshness?: "instant" | "settled" },
): Promise<StatsResult> {
  const site = await readSite(ctx, args.site);
  const isSettled = args.freshness === "settled";
  const unread = isSettled
    ? await sumOldRows(ctx, site.slug)
    : await sumEverything(ctx, site.slug, Date.now());
  const panels = await panelsOf(ctx, site, unread);
  const headline = await headlineOf(ctx, site, unread);
  return { ...panels, ...headline, atLeast: headline.atLeast || panels.atLeast };
}

/** The settled headline alone: a page that watches hears of it every second, so it reads little. */
export async function getHeadline(ctx: QueryCtx, args: { site?: string }): Promise<HeadlineResult> {
  const site = await readSite(ctx, args.site);
  return await headlineOf(ctx, site, await sumOldRows(ctx, site.slug));
}

/** The headline alone as it is at this instant. */
export async function getInstantHeadline(ctx: QueryCtx, site: Site): Promise<HeadlineResult> {
  return await headlineOf(ctx, site, await sumEverything(ctx, site.slug, Date.now()));
}

/** The settled panels alone, which change every few seconds. */
export async function getPanels(ctx: QueryCtx, args: { site?: string }): Promise<PanelsResult> {
  const site = await readSite(ctx, args.site);
  return await panelsOf(ctx, site, await sumOldRows(ctx, site.slug));
}

/** How many are online now, as the worker last counted them. A path is taken in its one form. */
export async function countOnline(
  ctx: QueryCtx,
  args: { site?: string; path?: string },
): Promise<number | null> {
  const { slug, visitorMode } = await readSite(ctx, args.site);
  if (visitorMode === "none") return null;
  if (args.path === undefined) return Math.max(0, (await readLive(ctx, slug))?.online ?? 0);
  return (await findPath(ctx, slug, normalisePath(args.path)))?.online ?? 0;
}

async function headlineOf(ctx: QueryCtx, site: Site, unread: Unread): Promise<HeadlineResult> {
  const { slug, name, timeZone } = site;
  const now = Date.now();
  const live = await readLive(ctx, slug);
  const settled = live ?? emptyHeadline(slug, timeZone, now);
  const headline = addToHeadline(settled, unread.sum, { timeZone, now });
  const published = await ctx.db.query("contentCounts").first();
  const sinceFirst = { from: headline.trackingSince ?? now, until: now + 1 };
  const label = visitorsAre(site.visitorModes, sinceFirst);
  return {
    activeVisitors: site.visitorMode === "none" ? null : Math.max(0, headline.online),
    totalPageViews: headline.totalViews,
    uniqueVisitors: label === "not measured" ? null : headline.uniqueVisitors,
    visitorsAre: label,
    publishedPosts: published?.posts ?? 0,
    publishedPages: published?.pages ?? 0,
    trackingSince: headline.trackingSince ?? null,
    viewsToday: headline.today.views,
    minutes: listMinutes(minutesOf(headline)),
    atLeast: unread.isTruncated,
    settledAt: live?.settledAt ?? null,
    site: { slug, name, timeZone },
    backfill: await readBackfillStatus(ctx, slug, unread.oldRows),
  };
}

async function panelsOf(ctx: QueryCtx, { slug }: Site, unread: Unread): Promise<PanelsResult> {
  const { isTruncated, ...rankings } = await rank(ctx, slug, unread.sum);
  return { ...rankings, atLeast: unread.isTruncated || isTruncated };
}
