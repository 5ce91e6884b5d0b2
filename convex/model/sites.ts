/**
 * Owns: which site a call is about.
 * Not: what is counted for it.
 *
 * The default site exists for readers and views before its row does: a view must never write a row that all views
 * read. The worker's first run, or an operator, creates the row.
 */
import { DEDUP_WINDOW_MS } from "../../domain/intervals.ts";
import { DEFAULT_RETENTION_DAYS } from "../../domain/limits.ts";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import type { Doc } from "../_generated/dataModel.js";
import { callerError } from "../errors.ts";

export const DEFAULT_SITE = "default";

/** How many sites one deployment walks in one go; also what an error message lists at most. */
export const MAX_SITES = 100;

export type Site = {
  slug: string;
  name: string;
  timeZone: string;
  dedupWindowMs: number;
  hosts: readonly string[];
  countryHeader: string | undefined;
  /** Days for which raw rows are kept. */
  retentionDays: number;
};

export const NEW_DEFAULT_SITE = { slug: DEFAULT_SITE, name: "This site", timeZone: "UTC" };

/** The site that a caller means; the default one when none is named. Throws `unknown_site`. */
export async function readSite(ctx: QueryCtx, slug = DEFAULT_SITE): Promise<Site> {
  const row = await findSiteRow(ctx, slug);
  if (row !== null) return fromRow(row);
  if (slug === DEFAULT_SITE) {
    return fromRow(NEW_DEFAULT_SITE);
  }
  const known = await listSlugs(ctx);
  throw callerError(
    "unknown_site",
    `Site "${slug.slice(0, 64)}" is unknown here. Known: ${known.join(", ")}. Leave "site" out to use the default site.`,
  );
}

/** Slugs of all sites, the default one first. */
export async function listSlugs(ctx: QueryCtx): Promise<string[]> {
  const rows = await ctx.db.query("sites").withIndex("by_slug").take(MAX_SITES);
  return [DEFAULT_SITE, ...rows.map((row) => row.slug).filter((slug) => slug !== DEFAULT_SITE)];
}

/** Creates the default site's row unless it exists. */
export async function ensureSiteRow(ctx: MutationCtx, slug: string): Promise<void> {
  if (slug !== DEFAULT_SITE || (await findSiteRow(ctx, slug)) !== null) return;
  await ctx.db.insert("sites", NEW_DEFAULT_SITE);
}

export async function findSiteRow(ctx: QueryCtx, slug: string): Promise<Doc<"sites"> | null> {
  return await ctx.db
    .query("sites")
    .withIndex("by_slug", (q) => q.eq("slug", slug))
    .first();
}

function fromRow(row: Omit<Doc<"sites">, "_id" | "_creationTime">): Site {
  const { slug, name, timeZone, countryHeader, hosts = [] } = row;
  const { dedupWindowMs = DEDUP_WINDOW_MS, retentionDays = DEFAULT_RETENTION_DAYS } = row;
  return { slug, name, timeZone, dedupWindowMs, hosts, countryHeader, retentionDays };
}
