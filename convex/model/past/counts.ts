/**
 * Owns: views and new visitors between any two days, ever: sums over sealed days in O(log n), and the days since.
 * Not: distinct visitors of a range (reports/).
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { visitorsAre } from "../../../domain/visitor-modes.ts";
import type { QueryCtx } from "../../_generated/server.js";
import { newVisitors } from "../../../domain/rollups/cell.ts";
import { askedPath } from "../pathRules.ts";
import { findPath } from "../paths.ts";
import { findSealing } from "../rollups/sealed.ts";
import { readRollups, readTotals } from "../rollups/store.ts";
import { readLive } from "../settling.ts";
import type { ViewCount } from "../shapes.ts";
import { readSite } from "../sites.ts";
import { daysBetween, pageViewsByPath, totalPageViews, uniqueVisitors } from "./aggregates.ts";
import { spanOf } from "./days.ts";
import type { DaySpan } from "./days.ts";

type Asked = { site?: string; from?: string; to?: string };

/** One figure by day: what was counted ever, in sealed days, and in hours that are not sealed. */
type Source = {
  allTime: number;
  sealed: (span: DaySpan) => Promise<number>;
  open: (from: number, until: number) => Promise<number>;
};

/** Settled views of the site, or of one path, in [from, to]. */
export async function countViews(
  ctx: QueryCtx,
  args: Asked & { path?: string },
): Promise<ViewCount> {
  const asked = await readSite(ctx, args.site);
  const { slug: site } = asked;
  const { path } = args;
  if (path === undefined) return { views: await countOfSite(ctx, site, args), isExact: true };
  const isEver = args.from === undefined && args.to === undefined;
  const isFolded = !isEver && (await findSealing(ctx, site))?.hasFoldedPaths === true;
  const views = await countOfPath(ctx, site, { ...args, path: askedPath(asked, path) });
  return { views, isExact: !isFolded };
}

async function countOfSite(ctx: QueryCtx, site: string, asked: Asked): Promise<number> {
  return await countDays(ctx, site, asked, {
    allTime: (await readLive(ctx, site))?.totalViews ?? 0,
    sealed: ({ from, until }) =>
      totalPageViews.sum(ctx, { namespace: site, bounds: daysBetween(from, until) }),
    open: async (from, until) =>
      (await readTotals(ctx, site, { unit: "hour", from, until }))
        .map(({ total }) => total.views)
        .reduce(add, 0),
  });
}

async function countOfPath(
  ctx: QueryCtx,
  site: string,
  { path, ...asked }: Asked & { path: string },
): Promise<number> {
  return await countDays(ctx, site, asked, {
    allTime: (await findPath(ctx, site, path))?.views ?? 0,
    sealed: ({ from, until }) =>
      pageViewsByPath.sum(ctx, { namespace: [site, path], bounds: daysBetween(from, until) }),
    open: async (from, until) =>
      (await readRollups(ctx, site, { unit: "hour", from, until }, new Set(["path"])))
        .map(({ dimensions }) => dimensions.get("path")?.cells.get(path)?.views ?? 0)
        .reduce(add, 0),
  });
}

/** Visitors who were seen for the first time ever in [from, to]; null where the site told nobody apart. */
export async function countNewVisitors(ctx: QueryCtx, args: Asked): Promise<number | null> {
  const { slug: site, timeZone, visitorModes } = await readSite(ctx, args.site);
  const { from, until } = spanOf(calendarOf(timeZone), args);
  const first = (await readLive(ctx, site))?.trackingSince ?? 0;
  const counted = { from: from ?? first, until: until ?? Number.MAX_SAFE_INTEGER };
  if (visitorsAre(visitorModes, counted) === "not measured") return null;
  return await countDays(ctx, site, args, {
    allTime: (await readLive(ctx, site))?.uniqueVisitors ?? 0,
    sealed: ({ from, until }) =>
      uniqueVisitors.sum(ctx, { namespace: site, bounds: daysBetween(from, until) }),
    open: async (from, until) =>
      (await readTotals(ctx, site, { unit: "hour", from, until }))
        .map(({ total }) => newVisitors(total))
        .reduce(add, 0),
  });
}

/**
 * A range that reaches to this day is everything ever less the days before it; so it needs no hours, and is as fresh
 * as what /stats shows. One that ends before is a sum over sealed days, with hours only for a day that is over and not
 * sealed yet.
 */
async function countDays(
  ctx: QueryCtx,
  site: string,
  asked: Asked,
  source: Source,
): Promise<number> {
  const calendar = calendarOf((await readSite(ctx, site)).timeZone);
  const span = spanOf(calendar, asked);
  const published = (await findSealing(ctx, site))?.publishedUntil ?? Number.NEGATIVE_INFINITY;
  const reachesNow = span.until === null || span.until > Date.now();
  const needsNoHours = span.from === null || span.from <= published;
  if (reachesNow && needsNoHours) {
    const before = span.from === null ? 0 : await source.sealed({ from: null, until: span.from });
    return source.allTime - before;
  }
  const until = span.until ?? Number.MAX_SAFE_INTEGER;
  const sealedUntil = Math.min(until, published);
  const sealed =
    (span.from ?? 0) < sealedUntil
      ? await source.sealed({ from: span.from, until: sealedUntil })
      : 0;
  const openFrom = Math.max(span.from ?? 0, published);
  return sealed + (openFrom < until ? await source.open(openFrom, until) : 0);
}

function add(a: number, b: number): number {
  return a + b;
}
