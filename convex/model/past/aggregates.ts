/**
 * Owns: the three sums over sealed days that any range of days can be asked of in O(log n).
 * Not: the rows that they stand on (publishing.ts), or days that are not sealed (counts.ts).
 */
import { TableAggregate } from "@convex-dev/aggregate";
import { components } from "../../_generated/api.js";
import type { DataModel, Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";

type SiteDays = {
  Namespace: string;
  Key: number;
  DataModel: DataModel;
  TableName: "siteDays";
};

type PathDays = {
  Namespace: [site: string, path: string];
  Key: number;
  DataModel: DataModel;
  TableName: "pathDays";
};

/** Views of a site, by day. */
export const totalPageViews = new TableAggregate<SiteDays>(components.totalPageViews, {
  namespace: (day) => day.site,
  sortKey: (day) => day.startsAt,
  sumValue: (day) => day.views,
});

/** Visitors of a site who were never seen before, by day. */
export const uniqueVisitors = new TableAggregate<SiteDays>(components.uniqueVisitors, {
  namespace: (day) => day.site,
  sortKey: (day) => day.startsAt,
  sumValue: (day) => day.newVisitors,
});

/** Views of a path, by day. */
export const pageViewsByPath = new TableAggregate<PathDays>(components.pageViewsByPath, {
  namespace: (day) => [day.site, day.path],
  sortKey: (day) => day.startsAt,
  sumValue: (day) => day.views,
});

/** Half-open bounds over days; an end that is left out is open. */
export function daysBetween(from: number | null, until: number | null) {
  return {
    ...(from === null ? {} : { lower: { key: from, inclusive: true } }),
    ...(until === null ? {} : { upper: { key: until, inclusive: false } }),
  };
}

/** Items of a day that a tree holds though their row is gone: only somebody who changed rows by hand leaves them. */
const MAX_ORPHANS = 20;

/** Removes what the site's day has in both sums besides `kept`. */
export async function removeSiteOrphans(ctx: MutationCtx, kept: Doc<"siteDays">): Promise<void> {
  const { site: namespace, startsAt } = kept;
  for (const aggregate of [totalPageViews, uniqueVisitors]) {
    const { page } = await aggregate.paginate(ctx, { namespace, ...only(startsAt) });
    for (const { id } of page) {
      if (id !== kept._id) await aggregate.deleteIfExists(ctx, { ...kept, _id: id });
    }
  }
}

export async function removePathOrphans(ctx: MutationCtx, kept: Doc<"pathDays">): Promise<void> {
  const namespace: [string, string] = [kept.site, kept.path];
  const { page } = await pageViewsByPath.paginate(ctx, { namespace, ...only(kept.startsAt) });
  for (const { id } of page) {
    if (id !== kept._id) await pageViewsByPath.deleteIfExists(ctx, { ...kept, _id: id });
  }
}

function only(startsAt: number) {
  const bound = { key: startsAt, inclusive: true };
  return { bounds: { lower: bound, upper: bound }, pageSize: MAX_ORPHANS };
}
