/**
 * Owns: how much of the store a site takes, table by table, counted in pages.
 * Not: which tables are a site's (siteTables.ts).
 */
import { getDocumentSize } from "convex/values";
import { internal } from "../_generated/api.js";
import type { ActionCtx, QueryCtx } from "../_generated/server.js";
import type { SizePage, TableSize } from "./siteShapes.ts";
import { batchOf, isSiteTable, rowsOf, SITE_TABLES } from "./siteTables.ts";
import { readSite } from "./sites.ts";

/** Rows that one transaction weighs; large ones fewer. */
const SIZED_ROWS = 1_000;

/** Pages of one table: with the others still well within the minutes that an action may take. */
const MAX_PAGES = 300;

/** Of every table that has rows of the site. An action: a large site is more than one transaction may read. */
export async function sizeOf(ctx: ActionCtx, args: { site: string }): Promise<TableSize[]> {
  const sizes: TableSize[] = [];
  for (const table of SITE_TABLES) {
    const size = { table, rows: 0, bytes: 0, isExact: false };
    let cursor: string | null = null;
    for (let pages = 0; pages < MAX_PAGES && !size.isExact; pages += 1) {
      const page: SizePage = await ctx.runQuery(internal.sites.sizeOfPage, {
        ...args,
        table,
        cursor,
      });
      size.rows += page.rows;
      size.bytes += page.bytes;
      size.isExact = page.cursor === null;
      cursor = page.cursor;
    }
    if (size.rows > 0) sizes.push(size);
  }
  return sizes;
}

/** One page of one table, and where the next begins. */
export async function sizeOfPage(
  ctx: QueryCtx,
  args: { site: string; table: string; cursor: string | null },
): Promise<SizePage> {
  const { slug } = await readSite(ctx, args.site);
  const { table, cursor } = args;
  if (!isSiteTable(table)) throw new Error(`No table "${table}" has rows of a site.`);
  const numItems = batchOf(table, SIZED_ROWS);
  const { page, isDone, continueCursor } = await rowsOf(ctx, table, slug).paginate({
    numItems,
    cursor,
  });
  const bytes = page.reduce((sum, row) => sum + getDocumentSize({ ...row }), 0);
  return { rows: page.length, bytes, cursor: isDone ? null : continueCursor };
}
