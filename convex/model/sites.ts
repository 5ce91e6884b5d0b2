/**
 * Owns: which sites there are, and a site as the rules see it.
 * Not: which site a hit belongs to (routing.ts), what operators set (settings.ts), or what is counted.
 *
 * The default site exists for readers and views before its row does: a view must never write a row that all views
 * read. The worker's first run, or an operator, creates the row.
 */
import { DEDUP_WINDOW_MS } from "../../domain/intervals.ts";
import { DEFAULT_RETENTION_DAYS } from "../../domain/limits.ts";
import type { PathRules } from "../../domain/path-rules.ts";
import type { Access } from "../../domain/access.ts";
import { modeAfter } from "../../domain/visitor-modes.ts";
import type { ModeChange, VisitorMode } from "../../domain/visitor-modes.ts";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import type { Doc } from "../_generated/dataModel.js";
import { callerError, quoted } from "../errors.ts";

export const DEFAULT_SITE = "default";

/** How many sites one deployment has and walks in one go; also what an error message lists at most. */
export const MAX_SITES = 100;

export type Site = {
  slug: string;
  name: string;
  timeZone: string;
  dedupWindowMs: number;
  hosts: readonly string[];
  /** Whether a hit is this site's when neither it nor its host names one. */
  takesUnknownHosts: boolean;
  countryHeader: string | undefined;
  /** Days for which raw rows are kept. */
  retentionDays: number;
  pathRules: PathRules;
  /** Whom it counts as one visitor, and since when it does. */
  visitorMode: VisitorMode;
  visitorModes: readonly ModeChange[];
  /** Who may read its statistics. */
  access: Access;
  /** Whether a badge shows its numbers. */
  badge: boolean;
  /** Patterns of hosts. */
  blockedHosts: readonly string[];
  blockedReferrers: readonly string[];
  /** Views of a local day that are counted at most. */
  dailyCap: number | undefined;
};

const NO_RULES: PathRules = { keepQuery: [], group: [], exclude: [] };

export const NEW_DEFAULT_SITE = { slug: DEFAULT_SITE, name: "This site", timeZone: "UTC" };

/** The site that a caller means; the default one when none is named. Throws `unknown_site`. */
export async function readSite(ctx: QueryCtx, slug = DEFAULT_SITE): Promise<Site> {
  const row = await findSiteRow(ctx, slug);
  if (row?.removingSince !== undefined) {
    throw callerError("unknown_site", `Site "${slug}" is being removed with all its numbers.`);
  }
  if (row !== null) return siteOf(row);
  if (slug === DEFAULT_SITE) {
    return siteOf(NEW_DEFAULT_SITE);
  }
  const known = await listSlugs(ctx);
  throw callerError(
    "unknown_site",
    `Site ${quoted(slug)} is unknown here. Known: ${known.join(", ")}. Leave "site" out to use the default site.`,
  );
}

/** Slugs of all sites that are served, the default one first. */
export async function listSlugs(ctx: QueryCtx): Promise<string[]> {
  const rows = await readSiteRows(ctx);
  const served = rows.filter(isServed).map(({ slug }) => slug);
  const hasDefaultRow = rows.some(({ slug }) => slug === DEFAULT_SITE);
  const isDefaultServed = !hasDefaultRow || served.includes(DEFAULT_SITE);
  const others = served.filter((slug) => slug !== DEFAULT_SITE);
  return isDefaultServed ? [DEFAULT_SITE, ...others] : others;
}

export async function readSiteRows(ctx: QueryCtx): Promise<Doc<"sites">[]> {
  return await ctx.db.query("sites").withIndex("by_slug").take(MAX_SITES);
}

/** Whether work on the site goes on: not while it is being removed, and not after. Gives the default site its row. */
export async function ensureServed(ctx: MutationCtx, slug: string): Promise<boolean> {
  const row = await findSiteRow(ctx, slug);
  if (row !== null) return isServed(row);
  if (slug === DEFAULT_SITE) await ctx.db.insert("sites", NEW_DEFAULT_SITE);
  return slug === DEFAULT_SITE;
}

function isServed(row: Doc<"sites">): boolean {
  return row.removingSince === undefined;
}

export async function findSiteRow(ctx: QueryCtx, slug: string): Promise<Doc<"sites"> | null> {
  return await ctx.db
    .query("sites")
    .withIndex("by_slug", (q) => q.eq("slug", slug))
    .first();
}

/** With what is not set as it is by default. */
export function siteOf(row: Omit<Doc<"sites">, "_id" | "_creationTime">): Site {
  const { slug, name, timeZone, countryHeader, hosts = [], visitorModes = [] } = row;
  const { dedupWindowMs = DEDUP_WINDOW_MS, retentionDays = DEFAULT_RETENTION_DAYS } = row;
  const takesUnknownHosts = slug === DEFAULT_SITE && (row.takesUnknownHosts ?? true);
  const kept = {
    dedupWindowMs,
    retentionDays,
    countryHeader,
    dailyCap: row.dailyCap,
    blockedHosts: row.blockedHosts ?? [],
    blockedReferrers: row.blockedReferrers ?? [],
    pathRules: row.pathRules ?? NO_RULES,
  };
  const visitors = { visitorMode: modeAfter(visitorModes), visitorModes };
  const { access = "public", badge = false } = row;
  return { slug, name, timeZone, hosts, takesUnknownHosts, ...kept, ...visitors, access, badge };
}
