/** Owns: rows as the original design wrote them, and the slow and obvious sums over them. Not: the backfill. */
import { expect } from "vitest";
import { DAY, MINUTE, NOON } from "./site.ts";
import type { Site } from "./site.ts";

/** A row as the original design wrote it. */
export type OldRow = { path: string; pageType: string; sessionId: string; timestamp: number };

export function oldRow(path: string, sessionId: string, place: number): OldRow {
  return { path, pageType: "post", sessionId, timestamp: NOON - 30 * DAY + place * 7 * MINUTE };
}

/** Rows as the original wrote them, over the last thirty days, not stored in the order of time: visits of three views, some visitors return. */
export function manyOldRows(count: number, visitors = Math.ceil(count / 4)): OldRow[] {
  return Array.from({ length: count }, (_, place) => {
    const shuffled = (place * 7_919) % count;
    const path = ["/", "/posts/one", "/posts/two/", "/k%C3%B6nnte", `/p${shuffled % 31}`];
    const sessionId = `visitor-${Math.floor(shuffled / 3) % visitors}`;
    const timestamp = Math.floor(NOON - 30 * DAY * (1 - shuffled / count));
    return { path: path[shuffled % 5] ?? "/", pageType: "post", sessionId, timestamp };
  });
}

const NORMAL: Record<string, string> = { "/posts/two/": "/posts/two", "/k%C3%B6nnte": "/könnte" };

/** The instant reader has what adding the rows up gives. */
export async function expectBruteForce(site: Site, rows: readonly OldRow[]): Promise<void> {
  const views = new Map<string, number>();
  for (const { path } of rows) {
    const normal = NORMAL[path] ?? path;
    views.set(normal, (views.get(normal) ?? 0) + 1);
  }
  const midnight = Date.parse(new Date(site.runtime.now()).toISOString().slice(0, 10));
  const stats = await site.stats();
  expect(stats).toMatchObject({
    totalPageViews: rows.length,
    uniqueVisitors: new Set(rows.map(({ sessionId }) => sessionId)).size,
    trackingSince: Math.min(...rows.map(({ timestamp }) => timestamp)),
    pagesTotal: views.size,
    viewsToday: rows.filter(({ timestamp }) => timestamp >= midnight).length,
    atLeast: false,
  });
  const ranked = [...views].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  expect(stats.pageStats.map(({ path, views: count }) => [path, count])).toEqual(
    ranked.slice(0, 50),
  );
}
