/** Owns: finding the row of a path, and the title that a reader sees. Not: its counts (settling.ts). */
import type { Doc } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";

export async function findPath(
  ctx: QueryCtx,
  site: string,
  path: string,
): Promise<Doc<"paths"> | null> {
  return await ctx.db
    .query("paths")
    .withIndex("by_site_path", (q) => q.eq("site", site).eq("path", path))
    .first();
}

/** The title of the content that is shown there, else the last that a view brought, else the path itself. */
export function titleOf(row: { path: string; title?: string; contentTitle?: string }): string {
  return row.contentTitle ?? row.title ?? row.path;
}
