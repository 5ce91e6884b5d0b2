import { expect, test } from "vitest";
import type { Backfill, PageStat, Stats } from "./stats.ts";
import {
  BACKFILL_NEWS_MS,
  barWidth,
  fullnessOf,
  isBackfillNews,
  onlineList,
  pageRows,
  shareOf,
  skeletonWidths,
} from "./viewModel.ts";

const page = (path: string, views: number, pageType = "page"): PageStat => ({
  path,
  title: path,
  pageType,
  views,
});

function statsWith(given: Partial<Stats>): Stats {
  return {
    activeVisitors: 0,
    activeByPath: [],
    activePathsTotal: 0,
    totalPageViews: 0,
    uniqueVisitors: 0,
    visitorsAre: "distinct",
    publishedPosts: 0,
    publishedPages: 0,
    trackingSince: null,
    pageStats: [],
    pagesTotal: 0,
    viewsToday: 0,
    minutes: [],
    atLeast: false,
    settledAt: null,
    site: { slug: "default", name: "Footfall", timeZone: "UTC" },
    backfill: null,
    ...given,
  };
}

const backfill = (given: Partial<Backfill>): Backfill => ({
  state: "running",
  counted: 0,
  remainingAtLeast: 0,
  startedAt: 0,
  finishedAt: null,
  ratePerSecond: 0,
  etaMs: null,
  doneRatio: 0,
  ...given,
});

test("a share of nothing is undefined, not zero and not NaN", () => {
  expect(shareOf(0, 0)).toBeNull();
  expect(shareOf(1, 4)).toBe(0.25);
});

test("bars are scaled to the largest; what is not zero can be seen, what is zero cannot", () => {
  expect(barWidth(50, 100)).toBe(50);
  expect(barWidth(1, 1_000_000)).toBe(0.5);
  expect(barWidth(0, 100)).toBe(0);
  expect(barWidth(0, 0)).toBe(0);
});

test("the rest of the list says how many pages and people are not shown, so that it adds up to all", () => {
  const stats = statsWith({
    activeVisitors: 12,
    activeByPath: [
      { path: "/a", count: 5 },
      { path: "/b", count: 3 },
      { path: "/c", count: 2 },
    ],
    activePathsTotal: 5,
  });
  const list = onlineList(stats, 2);
  expect(list.rows.map(({ path }) => path)).toEqual(["/a", "/b"]);
  expect(list).toMatchObject({ morePages: 3, morePeople: 4 });
  expect(onlineList(stats, 100)).toMatchObject({ morePages: 2, morePeople: 2 });
});

test("a page's row has its share of all views, its bar, and who is there now", () => {
  const stats = statsWith({
    totalPageViews: 200,
    activeByPath: [{ path: "/b", count: 4 }],
    pageStats: [page("/a", 100), page("/b", 50)],
  });
  expect(pageRows(stats.pageStats, stats)).toMatchObject([
    { path: "/a", share: 0.5, width: 100, online: 0 },
    { path: "/b", share: 0.25, width: 50, online: 4 },
  ]);
});

test("a site whose only views are those of /stats itself has nothing to show yet", () => {
  expect(fullnessOf(statsWith({}))).toBe("empty");
  const own = { totalPageViews: 1, pagesTotal: 1, pageStats: [page("/stats", 1, "stats")] };
  expect(fullnessOf(statsWith(own))).toBe("onlyThisPage");
  const visited = { ...own, pageStats: [page("/stats", 1, "stats"), page("/", 1, "home")] };
  expect(fullnessOf(statsWith(visited))).toBe("counted");
});

test("a list that is not complete, or that has uncounted views behind it, is not taken for empty", () => {
  const own = { totalPageViews: 9, pagesTotal: 3, pageStats: [page("/stats", 1, "stats")] };
  expect(fullnessOf(statsWith(own))).toBe("counted");
  expect(fullnessOf(statsWith({ ...own, pagesTotal: 1, atLeast: true }))).toBe("counted");
});

test("a running or failed backfill is told for as long as it is so, a finished one for a while", () => {
  const later = BACKFILL_NEWS_MS * 9;
  expect(isBackfillNews(backfill({}), later)).toBe(true);
  expect(isBackfillNews(backfill({ state: "failed", finishedAt: 0 }), later)).toBe(true);
  expect(isBackfillNews(backfill({ state: "done", finishedAt: later - 1 }), later)).toBe(true);
  expect(isBackfillNews(backfill({ state: "done", finishedAt: 0 }), later)).toBe(false);
});

test("grey rows are as many as asked for, each shorter than the one above it", () => {
  const widths = skeletonWidths(8);
  expect(widths).toHaveLength(8);
  expect(new Set(widths).size).toBe(8);
  expect([...widths].sort((a, b) => b - a)).toEqual(widths);
});
