/** Owns: to come. */
import type { QueryCtx } from "../_generated/server.js";
import type { PaginationOptions, PaginationResult } from "convex/server";
import type { PageStat } from "./shapes.ts";
export async function listPages(
  _ctx: QueryCtx,
  _a: { site?: string; paginationOpts: PaginationOptions },
): Promise<PaginationResult<PageStat>> {
  throw new Error("not built yet");
}
