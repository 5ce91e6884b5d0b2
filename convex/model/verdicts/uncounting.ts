/**
 * Owns: taking views that were counted out of the totals that only grow otherwise: the headline, the paths.
 * Not: the roll-ups, which are made anew (past/work.ts), or the rows (unlinking.ts).
 *
 * The caller has settled the site in the same transaction, so every view is in each of these numbers.
 */
import { packCounts } from "../../../domain/counts.ts";
import { takeFromMinutes } from "../../../domain/minutes.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { minutesOf } from "../headline.ts";
import { findPanels } from "../panels.ts";
import { readOldestAt } from "../past/sealing.ts";
import { findPath } from "../paths.ts";
import { findSealing } from "../rollups/sealed.ts";
import { readLive } from "../settling.ts";

type View = Doc<"pageViews">;

export async function uncount(
  ctx: MutationCtx,
  site: string,
  { views, visitors }: { views: readonly View[]; visitors: number },
): Promise<void> {
  await changeHeadline(ctx, site, views, visitors);
  await changePaths(ctx, site, views);
}

async function changeHeadline(
  ctx: MutationCtx,
  site: string,
  views: readonly View[],
  visitors: number,
): Promise<void> {
  const live = await readLive(ctx, site);
  if (live === null) return;
  const { today } = live;
  const timestamps = views.map(({ timestamp }) => timestamp);
  const ofToday = timestamps.filter((at) => at >= today.startsAt && at < today.endsAt).length;
  const minutes = takeFromMinutes(minutesOf(live), timestamps);
  await ctx.db.patch("live", live._id, {
    totalViews: live.totalViews - views.length,
    uniqueVisitors: live.uniqueVisitors - visitors,
    today: { ...today, views: today.views - ofToday },
    minutes: { newestAt: minutes.newestAt, views: packCounts(minutes.views) },
    ...(await firstView(ctx, live, timestamps)),
  });
}

/** Tracking began with the first view that counts; what retention has removed counts still. */
async function firstView(
  ctx: QueryCtx,
  { site, trackingSince }: Doc<"live">,
  timestamps: readonly number[],
): Promise<{ trackingSince?: number | undefined }> {
  const isFirstGone = timestamps.some((at) => at === trackingSince);
  const rowsSince = (await findSealing(ctx, site))?.rowsSince ?? 0;
  if (!isFirstGone || rowsSince > 0) return {};
  return { trackingSince: (await readOldestAt(ctx, site)) ?? undefined };
}

async function changePaths(ctx: MutationCtx, site: string, views: readonly View[]): Promise<void> {
  const gone = new Map<string, number>();
  for (const { path } of views) gone.set(path, (gone.get(path) ?? 0) + 1);
  let emptied = 0;
  for (const [path, count] of gone) {
    const row = await findPath(ctx, site, path);
    if (row === null) continue;
    const left = Math.max(0, row.views - count);
    await ctx.db.patch("paths", row._id, { views: left });
    if (row.views > 0 && left === 0) emptied += 1;
  }
  const panels = emptied === 0 ? null : await findPanels(ctx, site);
  if (panels === null) return;
  await ctx.db.patch("panels", panels._id, { pagesTotal: panels.pagesTotal - emptied });
}
