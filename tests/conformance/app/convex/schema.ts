import { defineSchema, defineTable } from "convex/server";
import { v } from "convex/values";

export default defineSchema({
  /** Written and read by counters.ts. by_name: one row a name. */
  counters: defineTable({ name: v.string(), value: v.number() }).index("by_name", ["name"]),
  /** Written and read by notes.ts. by_rank: pages in the order of rank. */
  notes: defineTable({
    text: v.string(),
    rank: v.number(),
    big: v.optional(v.int64()),
    bytes: v.optional(v.bytes()),
  }).index("by_rank", ["rank"]),
});
