/**
 * Owns: which tables hold rows of a site, and reading a site's rows of each: every table of the schema is named here
 * as the one or the other, or this does not compile.
 * Not: what is done with them (removal.ts, size.ts).
 */
import type { NamedTableInfo, Query } from "convex/server";
import type { DataModel, TableNames } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";
import { DEFAULT_SITE } from "./sites.ts";

/** The row of the site itself, what is of no site, and the content of the one site that lives in this deployment. */
type Apart = "sites" | "salts" | "posts" | "pages" | "bodies" | "contentCounts";

export type SiteTable = Exclude<TableNames, Apart>;

type RowsOf = {
  [T in SiteTable]: (ctx: QueryCtx, site: string) => Query<NamedTableInfo<DataModel, T>>;
};

const ROWS_OF: RowsOf = {
  siteHosts: ({ db }, site) =>
    db.query("siteHosts").withIndex("by_site", (q) => q.eq("site", site)),
  apiKeys: ({ db }, site) => db.query("apiKeys").withIndex("by_site", (q) => q.eq("site", site)),
  annotations: ({ db }, site) =>
    db.query("annotations").withIndex("by_site_at", (q) => q.eq("site", site)),
  unlockedTokens: ({ db }, site) =>
    db.query("unlockedTokens").withIndex("by_site", (q) => q.eq("site", site)),
  workers: ({ db }, site) => db.query("workers").withIndex("by_site", (q) => q.eq("site", site)),
  wake: ({ db }, site) => db.query("wake").withIndex("by_site", (q) => q.eq("site", site)),
  pastWork: ({ db }, site) => db.query("pastWork").withIndex("by_site", (q) => q.eq("site", site)),
  activeSessions: ({ db }, site) =>
    db.query("activeSessions").withIndex("by_sessionId", (q) => q.eq("site", site)),
  presenceLog: ({ db }, site) =>
    db.query("presenceLog").withIndex("by_site_commitTs", (q) => q.eq("site", site)),
  pageViews: ({ db }, site) =>
    db.query("pageViews").withIndex("by_site_time", (q) => q.eq("site", site)),
  events: ({ db }, site) => db.query("events").withIndex("by_site_time", (q) => q.eq("site", site)),
  engagements: ({ db }, site) =>
    db.query("engagements").withIndex("by_site_viewAt", (q) => q.eq("site", site)),
  engagementRollups: ({ db }, site) =>
    db.query("engagementRollups").withIndex("by_bucket", (q) => q.eq("site", site)),
  visitors: ({ db }, site) =>
    db.query("visitors").withIndex("by_sessionId", (q) => q.eq("site", site)),
  live: ({ db }, site) => db.query("live").withIndex("by_site", (q) => q.eq("site", site)),
  onlineDays: ({ db }, site) =>
    db.query("onlineDays").withIndex("by_site_startsAt", (q) => q.eq("site", site)),
  movements: ({ db }, site) =>
    db.query("movements").withIndex("by_site", (q) => q.eq("site", site)),
  panels: ({ db }, site) => db.query("panels").withIndex("by_site", (q) => q.eq("site", site)),
  paths: ({ db }, site) => db.query("paths").withIndex("by_site_path", (q) => q.eq("site", site)),
  rollups: ({ db }, site) => db.query("rollups").withIndex("by_bucket", (q) => q.eq("site", site)),
  filters: ({ db }, site) =>
    db.query("filters").withIndex("by_site_askedAt", (q) => q.eq("site", site)),
  filterDays: ({ db }, site) =>
    db.query("filterDays").withIndex("by_site_startsAt", (q) => q.eq("site", site)),
  filterWork: ({ db }, site) =>
    db.query("filterWork").withIndex("by_site", (q) => q.eq("site", site)),
  sealing: ({ db }, site) => db.query("sealing").withIndex("by_site", (q) => q.eq("site", site)),
  siteDays: ({ db }, site) =>
    db.query("siteDays").withIndex("by_site_startsAt", (q) => q.eq("site", site)),
  pathDays: ({ db }, site) =>
    db.query("pathDays").withIndex("by_site_startsAt", (q) => q.eq("site", site)),
  staleDays: ({ db }, site) =>
    db.query("staleDays").withIndex("by_site_startsAt", (q) => q.eq("site", site)),
  stagedRollups: ({ db }, site) =>
    db.query("stagedRollups").withIndex("by_bucket", (q) => q.eq("site", site)),
  checks: ({ db }, site) => db.query("checks").withIndex("by_site", (q) => q.eq("site", site)),
  filteredHits: ({ db }, site) =>
    db.query("filteredHits").withIndex("by_site", (q) => q.eq("site", site)),
  filteredTallies: ({ db }, site) =>
    db.query("filteredTallies").withIndex("by_shard", (q) => q.eq("site", site)),
  verdictJobs: ({ db }, site) =>
    db.query("verdictJobs").withIndex("by_site_state", (q) => q.eq("site", site)),
  jobs: ({ db }, site) => db.query("jobs").withIndex("by_site_kind", (q) => q.eq("site", site)),
  quarantine: ({ db }, site) =>
    db.query("quarantine").withIndex("by_site", (q) => q.eq("site", site)),
};

export const SITE_TABLES = Object.keys(ROWS_OF) as SiteTable[];

export function isSiteTable(name: string): name is SiteTable {
  return Object.hasOwn(ROWS_OF, name);
}

export function rowsOf<T extends SiteTable>(
  ctx: QueryCtx,
  table: T,
  site: string,
): Query<NamedTableInfo<DataModel, T>> {
  return ROWS_OF[table](ctx, site);
}

/** Rows of the original design have no site: they are the default one's. */
export const TABLES_OF_OLD = ["pageViews", "activeSessions"] as const;

export function oldRowsOf(ctx: QueryCtx, table: (typeof TABLES_OF_OLD)[number], site: string) {
  if (site !== DEFAULT_SITE) return null;
  return table === "pageViews"
    ? ctx.db.query("pageViews").withIndex("by_site_time", (q) => q.eq("site", undefined))
    : ctx.db.query("activeSessions").withIndex("by_sessionId", (q) => q.eq("site", undefined));
}

/** A row of these may be as large as hundreds of others. */
const LARGE: ReadonlySet<SiteTable> = new Set([
  ...(["rollups", "engagementRollups", "stagedRollups", "quarantine", "checks"] as const),
]);

/** How many rows of a table one transaction takes of `budget` small ones. */
export function batchOf(table: SiteTable, budget: number): number {
  return Math.ceil(LARGE.has(table) ? budget / 20 : budget);
}
