/**
 * Owns: what the all-time totals ought to be, by the sealed days and the hours since, compared with what is shown; and
 * putting them right.
 * Not: the days themselves (comparing.ts, replacing.ts).
 *
 * Retention removes rows but never sealed days, so their sum is what was ever counted.
 */
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { newVisitors } from "../../../domain/rollups/cell.ts";
import { commitTsOf, readViewTail } from "../log.ts";
import { findPanels } from "../panels.ts";
import { isInSums } from "../rollups/logged.ts";
import { readRollups } from "../rollups/store.ts";
import { readLive } from "../settling.ts";
import { readWorker } from "../waking.ts";
import { daysBetween, pageViewsByPath, totalPageViews, uniqueVisitors } from "./aggregates.ts";
import type { Findings } from "./comparing.ts";
import type { Place } from "./recount.ts";

/** Rows that are settled and not rolled up yet: a second of work for the worker. */
const MAX_BETWEEN = 2_000;

/** Paths that one transaction compares: each sum reads some 20 ranges of its tree, of 4,096 that Convex allows. */
const PAGE_PATHS = 100;

type Expected = { views: number; visitors: number; today: number; byPath: Map<string, number> };

/** Null: too much is between the two cursors of the worker at this moment. */
export async function compareTotals(
  ctx: MutationCtx,
  place: Place,
  sealing: Doc<"sealing">,
  { isRepair }: { isRepair: boolean },
): Promise<Findings | null> {
  const { site } = place;
  const live = await readLive(ctx, site);
  if (live === null) return [];
  const open = await sumOpen(ctx, site, sealing, live.today);
  if (open === null) return null;
  const bounds = daysBetween(null, sealing.publishedUntil);
  const totalViews = open.views + (await totalPageViews.sum(ctx, { namespace: site, bounds }));
  const visitors = open.visitors + (await uniqueVisitors.sum(ctx, { namespace: site, bounds }));
  const findings = [
    ...finding("all-time views", live.totalViews, totalViews),
    ...finding("all-time visitors", live.uniqueVisitors, visitors),
    ...finding("views today", live.today.views, open.today),
  ];
  if (isRepair && findings.length > 0) {
    const today = { ...live.today, views: open.today };
    await ctx.db.patch("live", live._id, { totalViews, uniqueVisitors: visitors, today });
  }
  return findings;
}

export type PathsCompared = { findings: Findings; cursor: string | null; counted: number };

/** The next paths after `cursor`. Null as above. */
export async function comparePaths(
  ctx: MutationCtx,
  place: Place,
  sealing: Doc<"sealing">,
  { cursor, isRepair }: { cursor: string | null; isRepair: boolean },
): Promise<PathsCompared | null> {
  const { site } = place;
  const live = await readLive(ctx, site);
  if (live === null) return { findings: [], cursor: null, counted: 0 };
  const open = await sumOpen(ctx, site, sealing, live.today);
  if (open === null) return null;
  const rows = await ctx.db
    .query("paths")
    .withIndex("by_site_path", (q) => q.eq("site", site).gt("path", cursor ?? ""))
    .take(PAGE_PATHS);
  const sums = await sumSealed(ctx, sealing, rows);
  const findings: Findings = [];
  for (const [place, row] of rows.entries()) {
    const views = (sums[place] ?? 0) + (open.byPath.get(row.path) ?? 0);
    // Where the tail of an hour was folded, the days do not know all of a path: then the stored count may be larger.
    if (sealing.hasFoldedPaths === true && row.views >= views) continue;
    findings.push(...finding(`all-time views of ${JSON.stringify(row.path)}`, row.views, views));
    if (isRepair && row.views !== views) await ctx.db.patch("paths", row._id, { views });
  }
  const isLast = rows.length < PAGE_PATHS;
  const counted = rows.filter((row) => row.views > 0).length;
  return { findings, cursor: isLast ? null : (rows.at(-1)?.path ?? null), counted };
}

/** Pages with a view, which only a look at all of them can tell. */
export async function comparePagesTotal(
  ctx: MutationCtx,
  site: string,
  { pages, isRepair }: { pages: number; isRepair: boolean },
): Promise<Findings> {
  const panels = await findPanels(ctx, site);
  if (panels === null) return [];
  if (isRepair) await ctx.db.patch("panels", panels._id, { pagesTotal: pages });
  return finding("pages with a view", panels.pagesTotal, pages);
}

async function sumSealed(
  ctx: QueryCtx,
  { site, publishedUntil }: Doc<"sealing">,
  rows: readonly Doc<"paths">[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  const bounds = daysBetween(null, publishedUntil);
  const namespaceOf = ({ path }: Doc<"paths">): [string, string] => [site, path];
  const queries = rows.map((row) => ({ namespace: namespaceOf(row), bounds }));
  return await pageViewsByPath.sumBatch(ctx, queries);
}

/** What is not in a published day, and yet shown: hours since, and what lies between the cursors. Null as above, or while the backfill's rows lie there, which are in their days already. */
async function sumOpen(
  ctx: QueryCtx,
  site: string,
  { publishedUntil }: Doc<"sealing">,
  today: { startsAt: number; endsAt: number },
): Promise<Expected | null> {
  const sum: Expected = { views: 0, visitors: 0, today: 0, byPath: new Map() };
  const range = { unit: "hour" as const, from: publishedUntil, until: Number.MAX_SAFE_INTEGER };
  for (const hour of await readRollups(ctx, site, range, new Set(["path"]))) {
    sum.views += hour.total.views;
    sum.visitors += newVisitors(hour.total);
    const isToday = hour.startsAt >= today.startsAt && hour.startsAt < today.endsAt;
    if (isToday) sum.today += hour.total.views;
    for (const [path, cell] of hour.dimensions.get("path")?.cells ?? []) {
      sum.byPath.set(path, (sum.byPath.get(path) ?? 0) + cell.views);
    }
  }
  const worker = await readWorker(ctx, site);
  const rolled = worker?.rollupCursor ?? 0n;
  const settled = worker?.viewCursor ?? 0n;
  const rows = await readViewTail(ctx, site, { after: rolled, limit: MAX_BETWEEN + 1 });
  const isAhead = rows.some((row) => row.backfilled === true);
  if (rows.length > MAX_BETWEEN || isAhead) return null;
  for (const row of rows) addBetween(sum, row, { settled, today });
  return sum;
}

/** A live row is in the headline once it is settled, though it is neither in its hour nor in its path yet. */
function addBetween(
  sum: Expected,
  row: Doc<"pageViews">,
  { settled, today }: { settled: bigint; today: { startsAt: number; endsAt: number } },
): void {
  if (!isInSums(row) || commitTsOf(row) > settled) return;
  sum.views += 1;
  if (row.timestamp >= today.startsAt && row.timestamp < today.endsAt) sum.today += 1;
  if (row.visitorLastSeenAt === undefined) sum.visitors += 1;
}

function finding(name: string, stored: number, counted: number): Findings {
  return stored === counted ? [] : [`${name}: ${stored}, the log says ${counted}`];
}
