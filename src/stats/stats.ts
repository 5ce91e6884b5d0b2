/** Owns: the name for what getStats answers. Not: its shape (convex/stats.ts). */
import type { FunctionReturnType } from "convex/server";
import type { api } from "../../convex/_generated/api.js";

export type Stats = FunctionReturnType<typeof api.stats.getStats>;
export type PageStat = Stats["pageStats"][number];
export type Backfill = NonNullable<Stats["backfill"]>;
