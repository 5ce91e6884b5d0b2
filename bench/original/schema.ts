/**
 * Owns: the tables of the original design, as its public description gives them.
 * Not: its functions (functions.ts), the aggregates' own tables (@convex-dev/aggregate).
 */
import { defineSchema, defineTable } from "convex/server";
import { v } from "convex/values";

const published = defineTable({
  slug: v.string(),
  title: v.string(),
  content: v.string(),
  published: v.boolean(),
}).index("by_published", ["published"]);

export default defineSchema({
  pageViews: defineTable({
    path: v.string(),
    pageType: v.string(),
    sessionId: v.string(),
    timestamp: v.number(),
  })
    .index("by_path", ["path"])
    .index("by_timestamp", ["timestamp"])
    .index("by_session_path", ["sessionId", "path"]),

  activeSessions: defineTable({
    sessionId: v.string(),
    currentPath: v.string(),
    lastSeen: v.number(),
  })
    .index("by_sessionId", ["sessionId"])
    .index("by_lastSeen", ["lastSeen"]),

  /** What its rate limiter keeps: a bucket for each session and function. */
  rateLimits: defineTable({
    name: v.string(),
    key: v.string(),
    value: v.number(),
    ts: v.number(),
  }).index("name", ["name", "key"]),

  posts: published,
  pages: published,
});
