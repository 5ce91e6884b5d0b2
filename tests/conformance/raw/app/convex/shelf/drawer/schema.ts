import { defineSchema, defineTable } from "convex/server";
import { v } from "convex/values";

export default defineSchema({ slips: defineTable({ title: v.string() }) });
