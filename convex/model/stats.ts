/** Owns: to come. */
import type { QueryCtx } from "../_generated/server.js";
import type { StatsResult } from "./shapes.ts";
export async function getStats(
  _ctx: QueryCtx,
  _a: { site?: string; freshness?: "instant" | "settled" },
): Promise<StatsResult> {
  throw new Error("not built yet");
}
