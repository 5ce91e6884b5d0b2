/** Owns: one validator of each kind, which schema.ts and checked.ts use in the three places that check values. Not: what fits. */
import { v } from "convex/values";

export const KINDS = {
  null: v.null(),
  int64: v.int64(),
  float64: v.float64(),
  boolean: v.boolean(),
  string: v.string(),
  bytes: v.bytes(),
  any: v.any(),
  commitTs: v.commitTs(),
  id: v.id("things"),
  literalText: v.literal("a"),
  literalNumber: v.literal(1),
  literalInt64: v.literal(1n),
  literalBoolean: v.literal(true),
  array: v.array(v.string()),
  object: v.object({ name: v.string(), size: v.optional(v.number()) }),
  record: v.record(v.string(), v.number()),
  union: v.union(v.string(), v.null(), v.object({ name: v.string() })),
  optional: v.optional(v.string()),
  nullable: v.nullable(v.boolean()),
};
