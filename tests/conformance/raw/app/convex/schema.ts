import { defineSchema, defineTable } from "convex/server";
import { v } from "convex/values";
import { KINDS } from "./kinds";

/** A table a kind of validator, so that the schema's check of each can be seen. */
const checked = Object.fromEntries(
  Object.entries(KINDS).map(([kind, value]) => [`checked_${kind}`, defineTable({ value })]),
);

export default defineSchema({
  ...checked,
  /** Holds whatever a test puts in. by_key for every type, by_pair for ranges behind an equality, by_deep for nested fields. */
  things: defineTable(v.any())
    .index("by_key", ["key"])
    .index("by_pair", ["group", "key"])
    .index("by_deep", ["nested.deep"]),
  /** What jobs, crons and nested calls leave behind. */
  notes: defineTable({ text: v.string() }).index("by_text", ["text"]),
  /** A log in the order of commits. */
  events: defineTable({ name: v.string(), at: v.commitTs() }).index("by_at", ["at"]),
});
