/**
 * Owns: a small re-implementation of the original design's functions, with its reads, its writes and its flaws.
 * Not: anything of ours. It is what our cost is compared with, and what the meter is checked against; those figures
 * leave out what published.ts adds.
 */
import { DEDUP_WINDOW_MS, HEARTBEAT_DEDUP_MS, SESSION_TIMEOUT_MS } from "../../domain/intervals.ts";
import { TableAggregate } from "@convex-dev/aggregate";
import { mutationGeneric, queryGeneric } from "convex/server";
import type {
  DataModelFromSchemaDefinition,
  DocumentByName,
  GenericMutationCtx,
  GenericQueryCtx,
  MutationBuilder,
  QueryBuilder,
} from "convex/server";
import { v } from "convex/values";
import { components } from "../../convex/_generated/api.js";
import type schema from "./schema.ts";

export type DataModel = DataModelFromSchemaDefinition<typeof schema>;
type MutationCtx = GenericMutationCtx<DataModel>;
type QueryCtx = GenericQueryCtx<DataModel>;

const mutation: MutationBuilder<DataModel, "public"> = mutationGeneric;
const query: QueryBuilder<DataModel, "public"> = queryGeneric;

/** Its ranking knows the newest views only. */
const RECENT_VIEWS = 1_000;
const RANKED_PAGES = 50;
const BUCKET = { capacity: 10, refillMs: 6_000 };

const totalPageViews = new TableAggregate<{
  Key: null;
  DataModel: DataModel;
  TableName: "pageViews";
}>(components.totalPageViews, { sortKey: () => null });

const pageViewsByPath = new TableAggregate<{
  Namespace: string;
  Key: number;
  DataModel: DataModel;
  TableName: "pageViews";
}>(components.pageViewsByPath, {
  namespace: ({ path }) => path,
  sortKey: ({ timestamp }) => timestamp,
});

const uniqueVisitors = new TableAggregate<{
  Key: string;
  DataModel: DataModel;
  TableName: "pageViews";
}>(components.uniqueVisitors, { sortKey: ({ sessionId }) => sessionId });

export const recordPageView = recordedWith({ takeToken });

type View = DocumentByName<DataModel, "pageViews">;

/** What takes a token of a session's bucket, and where a view counts besides. */
export type Parts = {
  takeToken: (ctx: MutationCtx, name: string, key: string) => Promise<boolean>;
  countAlso?: (ctx: MutationCtx, view: View) => Promise<void>;
};

export function recordedWith({ takeToken: take, countAlso }: Parts) {
  return mutation({
    args: { path: v.string(), pageType: v.string(), sessionId: v.string() },
    returns: v.null(),
    handler: async (ctx, args) => {
      if (!(await take(ctx, "pageView", args.sessionId))) return null;
      const now = Date.now();
      const last = await viewsOf(ctx, args.sessionId, args.path).order("desc").first();
      if (last !== null && last.timestamp > now - DEDUP_WINDOW_MS) return null;
      const known = await ctx.db
        .query("pageViews")
        .withIndex("by_session_path", (q) => q.eq("sessionId", args.sessionId))
        .first();
      const id = await ctx.db.insert("pageViews", { ...args, timestamp: now });
      const view = await ctx.db.get("pageViews", id);
      if (view === null) return null;
      await aggregate(ctx, view, { isNewVisitor: known === null });
      await countAlso?.(ctx, view);
      return null;
    },
  });
}

function viewsOf(ctx: QueryCtx, sessionId: string, path: string) {
  return ctx.db
    .query("pageViews")
    .withIndex("by_session_path", (q) => q.eq("sessionId", sessionId).eq("path", path));
}

async function aggregate(
  ctx: MutationCtx,
  view: View,
  { isNewVisitor }: { isNewVisitor: boolean },
): Promise<void> {
  await pageViewsByPath.insertIfDoesNotExist(ctx, view);
  await totalPageViews.insertIfDoesNotExist(ctx, view);
  if (isNewVisitor) await uniqueVisitors.insertIfDoesNotExist(ctx, view);
}

/** Keyed by an id that the client chooses. */
async function takeToken(ctx: MutationCtx, name: string, key: string): Promise<boolean> {
  const bucket = await ctx.db
    .query("rateLimits")
    .withIndex("name", (q) => q.eq("name", name).eq("key", key))
    .unique();
  const ts = Date.now();
  const refilled = bucket === null ? Infinity : bucket.value + (ts - bucket.ts) / BUCKET.refillMs;
  const value = Math.min(BUCKET.capacity, refilled) - 1;
  if (value < 0) return false;
  if (bucket === null) await ctx.db.insert("rateLimits", { name, key, value, ts });
  else await ctx.db.patch("rateLimits", bucket._id, { value, ts });
  return true;
}

export const heartbeat = mutation({
  args: { sessionId: v.string(), currentPath: v.string() },
  returns: v.null(),
  handler: async (ctx, args) => {
    if (!(await takeToken(ctx, "heartbeat", args.sessionId))) return null;
    const lastSeen = Date.now();
    const session = await ctx.db
      .query("activeSessions")
      .withIndex("by_sessionId", (q) => q.eq("sessionId", args.sessionId))
      .unique();
    if (session === null) await ctx.db.insert("activeSessions", { ...args, lastSeen });
    else if (lastSeen - session.lastSeen >= HEARTBEAT_DEDUP_MS) {
      await ctx.db.patch("activeSessions", session._id, { ...args, lastSeen });
    }
    return null;
  },
});

export const getStats = query({
  args: {},
  handler: async (ctx) => {
    const sessions = await ctx.db
      .query("activeSessions")
      .withIndex("by_lastSeen", (q) => q.gt("lastSeen", Date.now() - SESSION_TIMEOUT_MS))
      .collect();
    const totals = [await totalPageViews.count(ctx), await uniqueVisitors.count(ctx)];
    const first = await ctx.db.query("pageViews").withIndex("by_timestamp").first();
    const posts = await publishedIn(ctx, "posts");
    const pages = await publishedIn(ctx, "pages");
    const recent = await ctx.db
      .query("pageViews")
      .withIndex("by_timestamp")
      .order("desc")
      .take(RECENT_VIEWS);
    const seen = [...recent.map(({ path }) => path), ...sessions.map((s) => s.currentPath)];
    const counts = new Map<string, number>();
    for (const path of new Set(seen)) {
      counts.set(path, await pageViewsByPath.count(ctx, { namespace: path }));
    }
    const pageStats = [...counts].sort((a, b) => b[1] - a[1]).slice(0, RANKED_PAGES);
    return {
      activeVisitors: sessions.length,
      totals,
      trackingSince: first?.timestamp ?? null,
      published: [posts.length, pages.length],
      pageStats,
    };
  },
});

async function publishedIn(ctx: QueryCtx, table: "posts" | "pages") {
  return await ctx.db
    .query(table)
    .withIndex("by_published", (q) => q.eq("published", true))
    .collect();
}
