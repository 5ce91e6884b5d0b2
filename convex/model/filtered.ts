/**
 * Owns: hits that were not counted: kept with their reason, counted, removed when they have served their time.
 * Not: which hits those are (bots.ts, strangers.ts).
 */
import { botKindOf } from "../../domain/bots.ts";
import { internal } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import type { Hit } from "./arguments.ts";
import type { FilteredCount, FilterReason, ViewOutcome } from "./shapes.ts";
import { readSite } from "./sites.ts";

/** Long enough to notice that a filter is wrong and count the hits after all. */
const KEEP_FILTERED_MS = 30 * 24 * 3_600_000;

const PRUNE_BATCH = 500;

/** Rows that one query counts; past it the count is a lower bound. */
const MAX_COUNTED = 2_000;

export async function keepFiltered(
  ctx: MutationCtx,
  filtered: {
    site: string;
    reason: FilterReason;
    hit: Hit;
    now: number;
    userAgent: string | undefined;
    /** Of an unknown site: its host, and how many hits the row stands for. */
    stranger?: { host: string; hits?: number };
  },
): Promise<ViewOutcome> {
  const { site, reason, hit, now, userAgent, stranger } = filtered;
  const row = { ...hit, site, reason, timestamp: now, userAgent, ...stranger };
  await ctx.db.insert("filteredHits", row);
  return { outcome: "filtered", reason };
}

export async function countFiltered(
  ctx: QueryCtx,
  args: { site?: string },
): Promise<FilteredCount> {
  const { slug } = await readSite(ctx, args.site);
  const rows = await ctx.db
    .query("filteredHits")
    .withIndex("by_site", (q) => q.eq("site", slug))
    .order("desc")
    .take(MAX_COUNTED + 1);
  const counted = rows.slice(0, MAX_COUNTED);
  const count = counted.reduce((sum, { hits = 1 }) => sum + hits, 0);
  return {
    count,
    atLeast: rows.length > MAX_COUNTED,
    newestAt: rows[0]?.timestamp ?? null,
    reasons: byReason(counted),
  };
}

/** The kind of a bot is read from its user agent each time, so a name that is learnt later holds for the past. */
function byReason(rows: readonly Doc<"filteredHits">[]): FilteredCount["reasons"] {
  const reasons = new Map<string, FilteredCount["reasons"][number]>();
  for (const { reason, userAgent, hits = 1 } of rows) {
    const kind = reason === "bot" ? botKindOf(userAgent) : null;
    const key = JSON.stringify([reason, kind]);
    const known = reasons.get(key) ?? { reason, kind, hits: 0 };
    reasons.set(key, { ...known, hits: known.hits + hits });
  }
  return [...reasons.values()].sort((a, b) => b.hits - a.hits);
}

export async function pruneFilteredHits(ctx: MutationCtx): Promise<null> {
  const before = Date.now() - KEEP_FILTERED_MS;
  const old = await ctx.db
    .query("filteredHits")
    .withIndex("by_creation_time", (q) => q.lt("_creationTime", before))
    .take(PRUNE_BATCH);
  for (const hit of old) await ctx.db.delete("filteredHits", hit._id);
  if (old.length === PRUNE_BATCH) {
    await ctx.scheduler.runAfter(0, internal.worker.pruneFilteredHits, {});
  }
  return null;
}
