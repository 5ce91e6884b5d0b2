import { defineSchema, defineTable } from "convex/server";
import { v } from "convex/values";

export default defineSchema({
  ticks: defineTable({ count: v.number() }),
  books: defineTable({ title: v.string() }).index("by_title", ["title"]),
});
