/**
 * Owns: what is removed when it has served its time: raw rows, hours, visitors who stay away, old results of proofs.
 * Not: sealed days, which stay for ever, so that all-time totals never shrink.
 */
import { DAY_MS } from "../../../domain/calendar/civil.ts";
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { KEEP_HOURS_MS } from "../../../domain/intervals.ts";
import { internal } from "../../_generated/api.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { commitTsOf, readOldRows } from "../log.ts";
import { removeEvents } from "../events/retention.ts";
import { removeEngagement } from "../engagement/retention.ts";
import { findSealing } from "../rollups/sealed.ts";
import { DEFAULT_SITE, ensureServed, listSlugs, readSite } from "../sites.ts";
import { readWorker } from "../waking.ts";
import { changeSealing, readStaleDays } from "./sealing.ts";
import { findWork } from "./work.ts";

/** Rows that one transaction removes. */
const BATCH = 500;

/** Results of proofs that are kept for a site: more than a year of nights. */
const KEPT_CHECKS = 400;

/** From the daily cron: sets every site's work going. */
export async function startRetention(ctx: MutationCtx): Promise<null> {
  for (const site of await listSlugs(ctx)) {
    await ctx.scheduler.runAfter(0, internal.past.retain, { site });
  }
  await ctx.scheduler.runAfter(0, internal.past.retainVisitors, { after: null });
  return null;
}

/** One batch of one site, and again at once while there is more. */
export async function retain(ctx: MutationCtx, args: { site: string }): Promise<null> {
  const { site } = args;
  if (!(await ensureServed(ctx, site))) return null;
  const { timeZone, retentionDays } = await readSite(ctx, site);
  const sealing = await findSealing(ctx, site);
  if (sealing === null) return null;
  const calendar = calendarOf(timeZone);
  const keepsFrom = (keepMs: number) =>
    Math.min(calendar.startOf("day", Date.now() - keepMs), sealing.publishedUntil);
  const isQuiet = await isPastSettled(ctx, site);
  const rowsSince = isQuiet
    ? Math.max(sealing.rowsSince, keepsFrom(retentionDays * DAY_MS))
    : sealing.rowsSince;
  const hoursSince = Math.max(sealing.hoursSince, keepsFrom(KEEP_HOURS_MS));
  if (rowsSince !== sealing.rowsSince || hoursSince !== sealing.hoursSince) {
    await changeSealing(ctx, site, { rowsSince, hoursSince });
  }
  const removed =
    (await removeRows(ctx, site, rowsSince)) +
    (await removeEvents(ctx, site, { before: rowsSince, limit: BATCH })) +
    (await removeHours(ctx, site, hoursSince)) +
    (await removeEngagement(ctx, site, { rowsSince, hoursSince, limit: BATCH })) +
    (await removeChecks(ctx, site));
  if (removed > 0) await ctx.scheduler.runAfter(0, internal.past.retain, args);
  return null;
}

/** While days wait to be made anew, or rows of the original design to be counted, nothing may go that they need. */
async function isPastSettled(ctx: QueryCtx, site: string): Promise<boolean> {
  const work = await findWork(ctx, site);
  const isAtWork = work?.task !== undefined || work?.proof !== undefined;
  if (isAtWork || (await readStaleDays(ctx, site, 1)).length > 0) return false;
  return site !== DEFAULT_SITE || (await readOldRows(ctx, 1)).length === 0;
}

/** Rows that are counted; one that the worker has not reached stays until it is. */
async function removeRows(ctx: MutationCtx, site: string, before: number): Promise<number> {
  const rows = await ctx.db
    .query("pageViews")
    .withIndex("by_site_time", (q) => q.eq("site", site).lt("timestamp", before))
    .take(BATCH);
  const settled = (await readWorker(ctx, site))?.rollupCursor ?? 0n;
  const counted = rows.filter((row) => commitTsOf(row) <= settled);
  for (const row of counted) await ctx.db.delete("pageViews", row._id);
  return counted.length;
}

async function removeHours(ctx: MutationCtx, site: string, before: number): Promise<number> {
  const hours = await ctx.db
    .query("rollups")
    .withIndex("by_bucket", (q) =>
      q.eq("site", site).eq("unit", "hour").eq("holds", "all").lt("startsAt", before),
    )
    .take(BATCH / 10);
  for (const row of hours) await ctx.db.delete("rollups", row._id);
  return hours.length;
}

async function removeChecks(ctx: MutationCtx, site: string): Promise<number> {
  const newest = await ctx.db
    .query("checks")
    .withIndex("by_site", (q) => q.eq("site", site))
    .order("desc")
    .take(KEPT_CHECKS + BATCH / 10);
  const old = newest.slice(KEPT_CHECKS);
  for (const check of old) await ctx.db.delete("checks", check._id);
  return old.length;
}

/**
 * A visitor is forgotten with the last of their rows, and not before: else who comes back would be new though the log
 * still knows them. Visitors are walked by when their row was created, which costs no index: one whom nobody has seen
 * since then cannot be among the younger ones.
 */
export async function retainVisitors(
  ctx: MutationCtx,
  args: { after: number | null },
): Promise<null> {
  const forgotten = await readRowsSince(ctx);
  const latest = Math.max(...forgotten.values());
  const rows = await ctx.db
    .query("visitors")
    .withIndex("by_creation_time", (q) =>
      q.gt("_creationTime", args.after ?? 0).lt("_creationTime", latest),
    )
    .take(BATCH);
  for (const row of rows) {
    const isGone = row.lastSeenAt < (forgotten.get(row.site) ?? 0);
    if (isGone) await ctx.db.delete("visitors", row._id);
  }
  const after = rows.at(-1)?._creationTime;
  if (rows.length === BATCH && after !== undefined) {
    await ctx.scheduler.runAfter(0, internal.past.retainVisitors, { after });
  }
  return null;
}

/** By site, the instant before which its rows may be gone. */
async function readRowsSince(ctx: QueryCtx): Promise<Map<string, number>> {
  const since = new Map<string, number>();
  for (const slug of await listSlugs(ctx)) {
    since.set(slug, (await findSealing(ctx, slug))?.rowsSince ?? 0);
  }
  return since;
}
