/** Owns: the shapes of filtered hits and of changes of verdicts as operators see them, as validators. Not: tables (schema.ts). */
import { v } from "convex/values";
import type { Infer } from "convex/values";
import { filterReason, hitCriteria } from "../../schema.ts";
import { backfillState, botKind } from "../shapes.ts";

export const filteredHit = v.object({
  id: v.id("filteredHits"),
  reason: filterReason,
  kind: v.union(botKind, v.null()),
  /** The name of a custom event; null for a view. */
  event: v.union(v.string(), v.null()),
  path: v.string(),
  timestamp: v.number(),
  userAgent: v.union(v.string(), v.null()),
  host: v.union(v.string(), v.null()),
  /** How many hits the row stands for. */
  hits: v.number(),
});
export type FilteredHit = Infer<typeof filteredHit>;

/** A change of verdicts, and how far it is. */
export const verdictJob = v.object({
  id: v.id("verdictJobs"),
  change: v.union(v.literal("restore"), v.literal("withdraw")),
  criteria: hitCriteria,
  reason: v.union(filterReason, v.null()),
  isDryRun: v.boolean(),
  state: backfillState,
  /** Rows that were looked at, and those that are meant; a dry run ends here. */
  looked: v.number(),
  matching: v.number(),
  /** Views more, or fewer. */
  moved: v.number(),
  /** Hits that were views already, or within the dedup window of one. */
  duplicates: v.number(),
  /** Hits that stay: their day is closed, another rule holds, or only their number is known. */
  left: v.number(),
  startedAt: v.number(),
  finishedAt: v.union(v.number(), v.null()),
  error: v.union(v.string(), v.null()),
});
export type VerdictJob = Infer<typeof verdictJob>;
