/** Owns: the words in which verdicts are changed, and what a reader sees of a past. Not: expectations. */
import type { FunctionArgs } from "convex/server";
import { internal } from "../../convex/_generated/api.js";
import { pastOf } from "./past.helpers.ts";
import type { Site } from "./site.ts";

/** What a reader could see, apart from what says only that there was something once. */
export async function past(site: Site) {
  await pastOf(site).work();
  const { rollups } = await pastOf(site).snapshot();
  const counted = async (table: string) => {
    const rows = (await site.runtime.rows(table)).filter(({ views }) => views !== 0);
    return rows.map(({ _id, _creationTime, ...row }) => JSON.stringify(row)).sort();
  };
  const { totalPageViews, uniqueVisitors, pagesTotal, viewsToday } = await site.stats();
  return {
    rollups,
    siteDays: await counted("siteDays"),
    pathDays: await counted("pathDays"),
    paths: (await site.stats()).pageStats,
    totals: { totalPageViews, uniqueVisitors, pagesTotal, viewsToday },
  };
}

export function restore(site: Site, args: FunctionArgs<typeof internal.stats.restoreFiltered>) {
  return site.runtime.mutation(internal.stats.restoreFiltered, args);
}

export function filter(site: Site, args: FunctionArgs<typeof internal.stats.filterCounted>) {
  return site.runtime.mutation(internal.stats.filterCounted, args);
}
