/** Owns: the names for what getHeadline, getPanels (both are in getStats) and getHealth answer. Not: their shapes (convex/stats.ts). */
import type { FunctionReturnType } from "convex/server";
import type { api } from "../../convex/_generated/api.js";

export type Stats = FunctionReturnType<typeof api.stats.getStats>;
export type Health = FunctionReturnType<typeof api.stats.getHealth>;
export type PageStat = Stats["pageStats"][number];
export type Backfill = NonNullable<Stats["backfill"]>;
