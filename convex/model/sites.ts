/**
 * Owns: which site a call is about.
 * Not: what is counted for it.
 *
 * The default site exists for readers and views before its row does: a view must never write a row that all views
 * read. The worker's first run, or an operator, creates the row.
 */
import { isTimeZone } from "../../domain/calendar/zones.ts";
import { DEDUP_WINDOW_MS } from "../../domain/intervals.ts";
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
};

const NEW_DEFAULT_SITE = { slug: DEFAULT_SITE, name: "This site", timeZone: "UTC" };

/** The site that a caller means; the default one when none is named. Throws `unknown_site`. */
export async function readSite(ctx: QueryCtx, slug = DEFAULT_SITE): Promise<Site> {
  const row = await findRow(ctx, slug);
  if (row !== null) return fromRow(row);
  if (slug === DEFAULT_SITE) {
    return { ...NEW_DEFAULT_SITE, dedupWindowMs: DEDUP_WINDOW_MS, hosts: [] };
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
  if (slug !== DEFAULT_SITE || (await findRow(ctx, slug)) !== null) return;
  await ctx.db.insert("sites", NEW_DEFAULT_SITE);
}

export async function ensureDefault(
  ctx: MutationCtx,
  args: { name?: string; timeZone?: string },
): Promise<{ slug: string; name: string; timeZone: string }> {
  if (args.timeZone !== undefined && !isTimeZone(args.timeZone)) {
    throw callerError(
      "invalid_time_zone",
      `"${args.timeZone.slice(0, 64)}" is no time zone. Wanted an IANA name, such as Europe/Madrid or UTC.`,
    );
  }
  const row = await findRow(ctx, DEFAULT_SITE);
  const { slug, name, timeZone } = { ...NEW_DEFAULT_SITE, ...row, ...args };
  if (row === null) await ctx.db.insert("sites", { slug, name, timeZone });
  else if (row.name !== name || row.timeZone !== timeZone) {
    await ctx.db.patch("sites", row._id, { name, timeZone });
  }
  return { slug, name, timeZone };
}

async function findRow(ctx: QueryCtx, slug: string): Promise<Doc<"sites"> | null> {
  return await ctx.db
    .query("sites")
    .withIndex("by_slug", (q) => q.eq("slug", slug))
    .first();
}

function fromRow(row: Doc<"sites">): Site {
  const { slug, name, timeZone } = row;
  const { dedupWindowMs = DEDUP_WINDOW_MS, hosts = [] } = row;
  return { slug, name, timeZone, dedupWindowMs, hosts };
}
