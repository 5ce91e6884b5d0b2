/**
 * Owns: pages by views and paths by who is there, settled and with the unsettled sum on top.
 * Not: totals (headline.ts), or how paths change (panels.ts).
 */
import type { PaginationOptions, PaginationResult } from "convex/server";
import { LISTED_ACTIVE_PATHS, LISTED_PAGES, MAX_TAIL_PATHS } from "../../domain/limits.ts";
import { compareRanked } from "../../domain/ranking.ts";
import type { Ranked } from "../../domain/ranking.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";
import { readBusiest, readPanels } from "./panels.ts";
import type { Panels } from "./panels.ts";
import { findPath, titleOf } from "./paths.ts";
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
export async function rank(ctx: QueryCtx, site: string, sum: Tally): Promise<Rankings> {
  const listed = await pagesByViews(ctx, site).take(LISTED_PAGES);
  const rows = new Map(listed.map((row) => [row.path, row]));
  const isTruncated = await lookUp(ctx, site, sum, rows);
  const panels = await readPanels(ctx, site);
  return {
    ...rankPages(panels, rows, sum),
    ...(await rankActive(ctx, site, { panels, rows, sum })),
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
  panels: Panels,
  rows: PathRows,
  sum: Tally,
): Pick<Rankings, "pageStats" | "pagesTotal"> {
  const pages = new Map([...rows].map(([path, row]) => [path, toPageStat(row)]));
  let { pagesTotal } = panels;
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
  site: string,
  { panels, rows, sum }: { panels: Panels; rows: PathRows; sum: Tally },
): Promise<Pick<Rankings, "activeByPath" | "activePathsTotal">> {
  const base = await readActiveBase(ctx, site, panels, sum);
  const counts = new Map(base.map(({ path, count }) => [path, count]));
  let activePathsTotal = panels.onlinePaths;
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
async function readActiveBase(
  ctx: QueryCtx,
  site: string,
  panels: Panels,
  sum: Tally,
): Promise<Ranked[]> {
  const falling = [...sum.paths.values()].filter((tally) => tally.online < 0).length;
  const isComplete = panels.onlinePaths <= panels.onlineByPath.length;
  if (isComplete || falling === 0) return panels.onlineByPath;
  const limit = LISTED_ACTIVE_PATHS + Math.min(falling, MAX_TAIL_PATHS);
  return await readBusiest(ctx, site, limit);
}

function toPageStat(row: Doc<"paths">): PageStat {
  return { path: row.path, title: titleOf(row), pageType: row.pageType, views: row.views };
}
