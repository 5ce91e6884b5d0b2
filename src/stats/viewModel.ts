/**
 * Owns: what /stats says about the numbers it was given: shares, bars, rows, rests, emptiness, progress.
 * Not: elements, or how a number is written (formats.ts).
 */
import { formatCount } from "./formats.ts";
import type { Backfill, PageStat, Stats } from "./stats.ts";

/** 0..1; null when there is nothing to have a share of. */
export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/** Width of a bar, percent of the label column, scaled to the largest; one that is not zero stays visible. */
export function barWidth(value: number, largest: number): number {
  if (value <= 0 || largest <= 0) return 0;
  return Math.max(0.5, Math.min(100, (value / largest) * 100));
}

/** How many characters the longest of these counts takes: what the style sheets make room for. */
export function longestCount(counts: readonly number[]): number {
  return Math.max(1, ...counts.map((count) => formatCount(count).length));
}

export type OnlineRow = { readonly path: string; readonly count: number };

/** The first rows of "on which page" and what is left: how many pages, how many people on them. */
export type OnlineList = {
  readonly rows: readonly OnlineRow[];
  readonly morePages: number;
  readonly morePeople: number;
};

export function onlineList(stats: Stats, limit: number): OnlineList {
  const rows = stats.activeByPath.slice(0, limit);
  const shown = rows.reduce((sum, { count }) => sum + count, 0);
  return {
    rows,
    morePages: Math.max(0, stats.activePathsTotal - rows.length),
    morePeople: Math.max(0, (stats.activeVisitors ?? shown) - shown),
  };
}

export type PageRow = PageStat & {
  /** 0..1 of all views, or null before the first. */
  readonly share: number | null;
  /** Percent of the label column. */
  readonly width: number;
  readonly online: number;
};

export function pageRows(pages: readonly PageStat[], stats: Stats): PageRow[] {
  const onlineAt = new Map(stats.activeByPath.map(({ path, count }) => [path, count]));
  const largest = Math.max(...pages.map(({ views }) => views), 0);
  return pages.map((page) => ({
    ...page,
    share: shareOf(page.views, stats.totalPageViews),
    width: barWidth(page.views, largest),
    online: onlineAt.get(page.path) ?? 0,
  }));
}

/**
 * Nothing counted; only this page itself, which is a page of the site like any other and counts whoever looks at it;
 * or something worth a table.
 */
export type Fullness = "empty" | "onlyThisPage" | "counted";

export function fullnessOf(stats: Stats): Fullness {
  if (stats.totalPageViews === 0) return "empty";
  const isOnlyThisPage =
    stats.pagesTotal <= stats.pageStats.length &&
    stats.pageStats.every(({ pageType, views }) => pageType === "stats" || views === 0);
  return isOnlyThisPage && !stats.atLeast ? "onlyThisPage" : "counted";
}

/** A finished backfill is worth a line for this long. */
export const BACKFILL_NEWS_MS = 10 * 60_000;

/** Whether the backfill's state is still something to tell at `now`, epoch ms. */
export function isBackfillNews({ state, finishedAt }: Backfill, now: number): boolean {
  if (state === "running" || state === "failed") return true;
  return finishedAt !== null && now - finishedAt < BACKFILL_NEWS_MS;
}

/** How many grey rows stand in for a list that is still loading, each with the width of its bar in percent. */
export function skeletonWidths(rows: number): number[] {
  return Array.from({ length: rows }, (_, row) => Math.round(80 * 0.72 ** row) + 6);
}
