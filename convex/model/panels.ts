/**
 * Owns: the rows of `paths` and what the panels show besides them: how log rows change both.
 * Not: when (rollups/roll.ts), or how a reader gets them (ranking.ts).
 */
import { packCounts, unpackCounts } from "../../domain/counts.ts";
import { LISTED_ACTIVE_PATHS } from "../../domain/limits.ts";
import { updateTop } from "../../domain/ranking.ts";
import type { Ranked } from "../../domain/ranking.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import type { Unsettled } from "./log.ts";
import { findPath } from "./paths.ts";
import { tally } from "./tally.ts";
import type { PathTally, Tally } from "./tally.ts";

export type Panels = {
  pagesTotal: number;
  /** The busiest first, at most LISTED_ACTIVE_PATHS. */
  onlineByPath: Ranked[];
  onlinePaths: number;
};

/** How the paths changed, for the lists. */
type PathChanges = { newPages: number; onlinePaths: number; online: Map<string, number> };

export async function findPanels(ctx: QueryCtx, site: string): Promise<Doc<"panels"> | null> {
  return await ctx.db
    .query("panels")
    .withIndex("by_site", (q) => q.eq("site", site))
    .first();
}

/** Empty before the first row of the log is counted. */
export async function readPanels(ctx: QueryCtx, site: string): Promise<Panels> {
  return panelsOf(await findPanels(ctx, site));
}

function panelsOf(row: Doc<"panels"> | null): Panels {
  const { pagesTotal, busiest, sessions, onlinePaths } = row ?? NO_PANELS;
  const counts = unpackCounts(sessions);
  const onlineByPath = busiest.map((path, place) => ({ path, count: counts[place] ?? 0 }));
  return { pagesTotal, onlinePaths, onlineByPath };
}

const NO_PANELS = { pagesTotal: 0, busiest: [], sessions: "", onlinePaths: 0 };

/** Adds rows that are in the headline to the paths and to the panels. */
export async function countPaths(ctx: MutationCtx, site: string, rows: Unsettled): Promise<void> {
  const changes = await applyToPaths(ctx, site, tally(rows));
  if (changes === null) return;
  const row = await findPanels(ctx, site);
  const { onlineByPath, ...sums } = await applyPathChanges(ctx, site, panelsOf(row), changes);
  const busiest = onlineByPath.map(({ path }) => path);
  const sessions = packCounts(onlineByPath.map(({ count }) => count));
  const panels = { site, ...sums, busiest, sessions };
  if (row === null) await ctx.db.insert("panels", panels);
  else await ctx.db.replace("panels", row._id, panels);
}

/** Null when there was nothing to change. */
async function applyToPaths(
  ctx: MutationCtx,
  site: string,
  sum: Tally,
): Promise<PathChanges | null> {
  const changes: PathChanges = { newPages: 0, onlinePaths: 0, online: new Map() };
  let isChanged = false;
  for (const [path, added] of sum.paths) {
    if (added.views === 0 && added.online === 0) continue;
    isChanged = true;
    const row = await findPath(ctx, site, path);
    const before = { views: row?.views ?? 0, online: row?.online ?? 0 };
    const after = { views: before.views + added.views, online: before.online + added.online };
    await storePath(ctx, { site, path, row, after, added });
    if (before.views === 0 && after.views > 0) changes.newPages += 1;
    if (added.online === 0) continue;
    changes.online.set(path, after.online);
    changes.onlinePaths += Number(after.online > 0) - Number(before.online > 0);
  }
  return isChanged ? changes : null;
}

async function storePath(
  ctx: MutationCtx,
  change: {
    site: string;
    path: string;
    row: Doc<"paths"> | null;
    after: { views: number; online: number };
    added: PathTally;
  },
): Promise<void> {
  const { site, path, row, after, added } = change;
  const pageType = added.pageType ?? row?.pageType ?? "page";
  const title = added.title ?? row?.title;
  if (row === null) await ctx.db.insert("paths", { site, path, pageType, title, ...after });
  else await ctx.db.patch("paths", row._id, { pageType, title, ...after });
}

async function applyPathChanges(
  ctx: MutationCtx,
  site: string,
  panels: Panels,
  changes: PathChanges,
): Promise<Panels> {
  const onlinePaths = panels.onlinePaths + changes.onlinePaths;
  const limit = LISTED_ACTIVE_PATHS;
  const onlineByPath =
    updateTop(panels.onlineByPath, changes.online, { limit, totalPaths: onlinePaths }) ??
    (await readBusiest(ctx, site, limit));
  return { pagesTotal: panels.pagesTotal + changes.newPages, onlinePaths, onlineByPath };
}

/** The paths with the most sessions online, the busiest first. */
export async function readBusiest(ctx: QueryCtx, site: string, limit: number): Promise<Ranked[]> {
  const rows = await ctx.db
    .query("paths")
    .withIndex("by_site_online", (q) => q.eq("site", site).gt("online", 0))
    .order("desc")
    .take(limit);
  return rows.map(({ path, online }) => ({ path, count: online }));
}
