/**
 * Owns: hits that were not counted: kept with their reason and all that it takes to count them after all, counted,
 * removed when they have served their time.
 * Not: which hits those are (bots.ts, strangers.ts, doorRules.ts), or counting them after all (verdicts/).
 *
 * No flood fills the table: of a site, reason and UTC day a bounded number of hits is kept one by one, and what comes
 * beyond is counted. The counts are in shards, so hits of one moment rarely wait for each other.
 */
import { botKindOf } from "../../domain/bots.ts";
import { DAY_MS, utcDayOf } from "../../domain/calendar/civil.ts";
import { internal } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import type { Hit } from "./arguments.ts";
import type { FilteredCount, FilterReason, ViewOutcome } from "./shapes.ts";
import type { FilteredHit } from "./verdicts/verdictShapes.ts";
import { filterReason } from "../schema.ts";
import { readSite } from "./sites.ts";

/** Long enough to notice that a filter is wrong and count the hits after all. */
const KEEP_FILTERED_MS = 30 * DAY_MS;

const PRUNE_BATCH = 500;

/** Rows that one query counts; past it the count is a lower bound. */
const MAX_COUNTED = 2_000;

/** Rows that an operator sees in one go. */
const MAX_LISTED_HITS = 100;

/** Shards of a day's tally: with ten hits at the same moment, two thirds wait for none. */
const SHARDS = 16;

/** Hits that a shard keeps one by one: 4,000 a day and reason, some 2 MB. */
export const KEPT_PER_SHARD = 250;

/** Tallies that one query adds up: of every day, reason and shard. */
const MAX_TALLIES = (KEEP_FILTERED_MS / DAY_MS) * filterReason.members.length * SHARDS;

export type Filtered = Omit<Doc<"filteredHits">, "_id" | "_creationTime">;

/** What a hit would be as a view, for the day on which somebody counts it after all. */
export type Counted = { path: string; dimensions: string };

export async function keepFiltered(
  ctx: MutationCtx,
  filtered: {
    site: string;
    reason: FilterReason;
    hit: Hit;
    as: Counted;
    now: number;
    userAgent: string | undefined;
    /** Of an unknown site: its host, and how many hits the row stands for. */
    stranger?: { host: string; hits?: number };
  },
): Promise<ViewOutcome> {
  const { site, reason, hit, as, now, userAgent, stranger } = filtered;
  const { path } = as;
  const dimensions = as.dimensions || undefined;
  const row = { ...hit, path, dimensions, site, reason, timestamp: now, userAgent, ...stranger };
  if (!(await wasKept(ctx, site, hit.eventId))) {
    // Strangers are bounded by their host already (strangers.ts).
    if (stranger === undefined) await storeFiltered(ctx, row);
    else await ctx.db.insert("filteredHits", row);
  }
  return { outcome: "filtered", reason };
}

/** Keeps the row, or its number alone where the day has enough. */
export async function storeFiltered(ctx: MutationCtx, row: Filtered): Promise<void> {
  const { site, reason } = row;
  const startsAt = utcDayOf(Date.now());
  const shard = Math.floor(Math.random() * SHARDS);
  const tally = await ctx.db
    .query("filteredTallies")
    .withIndex("by_shard", (q) =>
      q.eq("site", site).eq("reason", reason).eq("startsAt", startsAt).eq("shard", shard),
    )
    .first();
  const { kept = 0, beyond = 0 } = tally ?? {};
  const isKept = kept < KEPT_PER_SHARD;
  const after = isKept ? { kept: kept + 1, beyond } : { kept, beyond: beyond + 1 };
  if (tally === null) {
    await ctx.db.insert("filteredTallies", { site, reason, startsAt, shard, ...after });
  } else await ctx.db.patch("filteredTallies", tally._id, after);
  if (isKept) await ctx.db.insert("filteredHits", row);
}

async function wasKept(ctx: QueryCtx, site: string, eventId: string | undefined): Promise<boolean> {
  if (eventId === undefined) return false;
  const row = await ctx.db
    .query("filteredHits")
    .withIndex("by_event", (q) => q.eq("eventId", eventId).eq("site", site))
    .first();
  return row !== null;
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
  const reasons = byReason([...counted, ...(await readBeyond(ctx, slug))]);
  return {
    count: reasons.reduce((sum, { hits }) => sum + hits, 0),
    atLeast: rows.length > MAX_COUNTED,
    newestAt: rows[0]?.timestamp ?? null,
    reasons,
  };
}

/** The newest, at most MAX_LISTED_HITS. */
export async function listFiltered(ctx: QueryCtx, args: { site?: string }): Promise<FilteredHit[]> {
  const { slug } = await readSite(ctx, args.site);
  const rows = await ctx.db
    .query("filteredHits")
    .withIndex("by_site", (q) => q.eq("site", slug))
    .order("desc")
    .take(MAX_LISTED_HITS);
  return rows.map(({ _id: id, reason, path, timestamp, ...row }) => {
    const { userAgent = null, host = null, hits = 1 } = row;
    const kind = reason === "bot" ? botKindOf(row.userAgent) : null;
    const event = row.event?.name ?? null;
    return { id, reason, kind, event, path, timestamp, userAgent, host, hits };
  });
}

type Weighted = Pick<Doc<"filteredHits">, "reason" | "userAgent" | "hits">;

/** What came beyond those that are kept. */
async function readBeyond(ctx: QueryCtx, site: string): Promise<Weighted[]> {
  const tallies = await ctx.db
    .query("filteredTallies")
    .withIndex("by_shard", (q) => q.eq("site", site))
    .take(MAX_TALLIES);
  return tallies
    .filter(({ beyond }) => beyond > 0)
    .map(({ reason, beyond }) => ({ reason, hits: beyond }));
}

/** The kind of a bot is read from its user agent each time, so a name that is learnt later holds for the past. */
function byReason(rows: readonly Weighted[]): FilteredCount["reasons"] {
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
  const tallies = await ctx.db
    .query("filteredTallies")
    .withIndex("by_creation_time", (q) => q.lt("_creationTime", before))
    .take(PRUNE_BATCH);
  for (const tally of tallies) await ctx.db.delete("filteredTallies", tally._id);
  if (old.length === PRUNE_BATCH || tallies.length === PRUNE_BATCH) {
    await ctx.scheduler.runAfter(0, internal.worker.pruneFilteredHits, {});
  }
  return null;
}
