/**
 * Owns: pages by views and paths by who is there, settled and with the unsettled sum on top.
 * Not: totals (headline.ts).
 */
import type { PaginationOptions, PaginationResult } from "convex/server";
import { LISTED_ACTIVE_PATHS, LISTED_PAGES, MAX_TAIL_PATHS } from "../../domain/limits.ts";
import { compareRanked } from "../../domain/ranking.ts";
import type { Ranked } from "../../domain/ranking.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";
import type { Headline } from "./headline.ts";
import { findPath, titleOf } from "./paths.ts";
import { readBusiest } from "./settling.ts";
import type { PageStat } from "./shapes.ts";
import { readSite } from "./sites.ts";
import type { PathTally, Tally } from "./tally.ts";

export type Rankings = {
  pageStats: PageStat[];
  pagesTotal: number;
  activeByPath: Ranked[];
  activePathsTotal: number;
  /** Some unsettled paths were not looked up: totals of paths are lower bounds. */
  isTruncated: boolean;
};

type PathRows = ReadonlyMap<string, Doc<"paths">>;

export async function listPages(
  ctx: QueryCtx,
  args: { site?: string; paginationOpts: PaginationOptions },
): Promise<PaginationResult<PageStat>> {
  const site = await readSite(ctx, args.site);
  const result = await pagesByViews(ctx, site.slug).paginate(args.paginationOpts);
  return { ...result, page: result.page.map(toPageStat) };
}

/** Both lists with the sum added: exact for the listed ones, because a path that the sum touches is looked up. */
export async function rank(ctx: QueryCtx, headline: Headline, sum: Tally): Promise<Rankings> {
  const listed = await pagesByViews(ctx, headline.site).take(LISTED_PAGES);
  const rows = new Map(listed.map((row) => [row.path, row]));
  const isTruncated = await lookUp(ctx, headline.site, sum, rows);
  return {
    ...rankPages(headline, rows, sum),
    ...(await rankActive(ctx, headline, rows, sum)),
    isTruncated,
  };
}

function pagesByViews(ctx: QueryCtx, site: string) {
  return ctx.db
    .query("paths")
    .withIndex("by_site_views", (q) => q.eq("site", site).gt("views", 0))
    .order("desc");
}

/** Adds the rows of unlisted paths that the sum touches, the most touched first. Returns whether some were left out. */
async function lookUp(
  ctx: QueryCtx,
  site: string,
  sum: Tally,
  rows: Map<string, Doc<"paths">>,
): Promise<boolean> {
  const weight = (tally: PathTally): number => tally.views + Math.abs(tally.online);
  const wanted = [...sum.paths]
    .filter(([path, tally]) => !rows.has(path) && weight(tally) > 0)
    .sort(([, a], [, b]) => weight(b) - weight(a));
  for (const [path] of wanted.slice(0, MAX_TAIL_PATHS)) {
    const row = await findPath(ctx, site, path);
    if (row !== null) rows.set(path, row);
  }
  return wanted.length > MAX_TAIL_PATHS;
}

function rankPages(
  headline: Headline,
  rows: PathRows,
  sum: Tally,
): Pick<Rankings, "pageStats" | "pagesTotal"> {
  const pages = new Map([...rows].map(([path, row]) => [path, toPageStat(row)]));
  let pagesTotal = headline.pagesTotal;
  for (const [path, added] of sum.paths) {
    if (added.views === 0) continue;
    const row = rows.get(path);
    if ((row?.views ?? 0) === 0) pagesTotal += 1;
    pages.set(path, addedPage(path, row, added));
  }
  const pageStats = [...pages.values()]
    .filter((page) => page.views > 0)
    .sort((a, b) =>
      compareRanked({ path: a.path, count: a.views }, { path: b.path, count: b.views }),
    )
    .slice(0, LISTED_PAGES);
  return { pageStats, pagesTotal };
}

function addedPage(path: string, row: Doc<"paths"> | undefined, added: PathTally): PageStat {
  const title = added.title ?? row?.title;
  const contentTitle = row?.contentTitle;
  return {
    path,
    title: titleOf({
      path,
      ...(title === undefined ? {} : { title }),
      ...(contentTitle === undefined ? {} : { contentTitle }),
    }),
    pageType: added.pageType ?? row?.pageType ?? "page",
    views: (row?.views ?? 0) + added.views,
  };
}

async function rankActive(
  ctx: QueryCtx,
  headline: Headline,
  rows: PathRows,
  sum: Tally,
): Promise<Pick<Rankings, "activeByPath" | "activePathsTotal">> {
  const counts = new Map((await readActiveBase(ctx, headline, sum)).map((e) => [e.path, e.count]));
  let activePathsTotal = headline.onlinePaths;
  for (const [path, { online }] of sum.paths) {
    if (online === 0) continue;
    const before = counts.get(path) ?? rows.get(path)?.online ?? 0;
    counts.set(path, before + online);
    activePathsTotal += Number(before + online > 0) - Number(before > 0);
  }
  const activeByPath = [...counts]
    .map(([path, count]) => ({ path, count }))
    .filter((entry) => entry.count > 0)
    .sort(compareRanked)
    .slice(0, LISTED_ACTIVE_PATHS);
  return { activeByPath, activePathsTotal };
}

/** The settled list; longer where paths outside it could move up because listed ones fall. */
async function readActiveBase(ctx: QueryCtx, headline: Headline, sum: Tally): Promise<Ranked[]> {
  const falling = [...sum.paths.values()].filter((tally) => tally.online < 0).length;
  const isComplete = headline.onlinePaths <= headline.onlineByPath.length;
  if (isComplete || falling === 0) return headline.onlineByPath;
  const limit = LISTED_ACTIVE_PATHS + Math.min(falling, MAX_TAIL_PATHS);
  return await readBusiest(ctx, headline.site, limit);
}

function toPageStat(row: Doc<"paths">): PageStat {
  return { path: row.path, title: titleOf(row), pageType: row.pageType, views: row.views };
}
