/**
 * Owns: what operators set of a site, and what follows.
 * Not: which values are valid (acceptSettings.ts), what a changed time zone does to the past (zoneChange.ts), or
 * reading a site (sites.ts).
 */
import { calendarOf } from "../../domain/calendar/calendar.ts";
import type { Doc } from "../_generated/dataModel.js";
import { ACCESS_MEANINGS } from "../../domain/access.ts";
import { VISITOR_MODE_MEANINGS } from "../../domain/visitor-modes.ts";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";
import { acceptNew, acceptSettings } from "./acceptSettings.ts";
import type { GivenSettings } from "./acceptSettings.ts";
import { ensureSalts } from "./salts.ts";
import { acceptHosts, closeDefaultSite, replaceHosts } from "./hosts.ts";
import type { ChangedSite, SiteDescription } from "./siteShapes.ts";
import {
  DEFAULT_SITE,
  findSiteRow,
  listSlugs,
  MAX_SITES,
  NEW_DEFAULT_SITE,
  readSite,
  readSiteRows,
  siteOf,
} from "./sites.ts";
import { modesAfter } from "./visitorMode.ts";
import { changeZone } from "./zoneChange.ts";

const CLOSED =
  'From now on the default site counts only hits that name it or come from one of its hosts; others are filtered as "unknown site". See npm run sites -- unknown; npm run sites -- set default --any-host takes it back.';

export async function list(ctx: QueryCtx): Promise<SiteDescription[]> {
  const rows = await readSiteRows(ctx);
  const hasDefault = rows.some(({ slug }) => slug === DEFAULT_SITE);
  return [...(hasDefault ? [] : [NEW_DEFAULT_SITE]), ...rows].map(describe);
}

/** Throws `invalid_site`, `site_exists`, `host_taken`, and as `set` does. */
export async function add(
  ctx: MutationCtx,
  { slug, ...given }: GivenSettings & { slug: string },
): Promise<ChangedSite> {
  acceptNew(slug);
  const known = await listSlugs(ctx);
  if (known.includes(slug) || (await findSiteRow(ctx, slug)) !== null) {
    const message = `Site "${slug}" exists already, or is still being removed. Change it with npm run sites -- set ${slug}.`;
    throw callerError("site_exists", message);
  }
  if (known.length >= MAX_SITES) {
    throw callerError(
      "invalid_site",
      `This deployment has ${known.length} sites; at most ${MAX_SITES} are taken.`,
    );
  }
  await ctx.db.insert("sites", { slug, name: slug, timeZone: "UTC" });
  return await set(ctx, { site: slug, ...given });
}

/**
 * Changes what is given; null brings a default back. Another time zone makes the days of the past anew. Throws
 * `unknown_site`, `invalid_site`, `host_taken`, `invalid_time_zone`, `invalid_country_header` or `invalid_range`.
 */
export async function set(
  ctx: MutationCtx,
  { site = DEFAULT_SITE, ...given }: GivenSettings & { site?: string },
): Promise<ChangedSite> {
  const known = await readSite(ctx, site);
  const settings = acceptSettings(known, given);
  const before = await findSiteRow(ctx, site);
  const row = { ...NEW_DEFAULT_SITE, ...withoutSystemFields(before), slug: site };
  const hosts = hostsAfter(row.hosts ?? [], given);
  const modes = await modesAfter(ctx, known, given.visitorMode);
  const after = { ...row, ...settings, ...modes, hosts };
  if (before === null) await ctx.db.insert("sites", after);
  else if (!isSame(row, after)) await ctx.db.replace("sites", before._id, after);
  await replaceHosts(ctx, site, hosts);
  const isClosed = hosts.length > 0 && (await closeDefaultSite(ctx));
  if (known.timeZone !== after.timeZone) {
    const zones = { before: calendarOf(known.timeZone), after: calendarOf(after.timeZone) };
    await changeZone(ctx, site, zones);
  }
  await ensureSalts(ctx);
  const stored = (await findSiteRow(ctx, site)) ?? after;
  const { visitorMode, access } = siteOf(stored);
  const notes = [
    ...(isClosed ? [CLOSED] : []),
    ...(given.visitorMode === undefined ? [] : [VISITOR_MODE_MEANINGS[visitorMode]]),
    ...(given.access === undefined ? [] : [ACCESS_MEANINGS[access].replace("SLUG", site)]),
  ];
  return { site: describe(stored), notes };
}

/** Sets the default site, which this creates unless it exists. */
export async function ensureDefault(
  ctx: MutationCtx,
  given: GivenSettings,
): Promise<{ slug: string; name: string; timeZone: string }> {
  const { slug, name, timeZone } = (await set(ctx, given)).site;
  return { slug, name, timeZone };
}

type Row = Omit<Doc<"sites">, "_id" | "_creationTime">;

function withoutSystemFields(row: Doc<"sites"> | null): Partial<Row> {
  if (row === null) return {};
  const { _id, _creationTime, ...fields } = row;
  return fields;
}

function hostsAfter(before: readonly string[], given: GivenSettings): string[] {
  const removed = acceptHosts(given.removeHosts ?? []);
  const kept = (given.hosts ?? before).filter((host) => !removed.includes(host));
  return acceptHosts([...kept, ...(given.addHosts ?? [])]);
}

function isSame(one: Row, other: Row): boolean {
  const textOf = (row: Row) => JSON.stringify(Object.entries({ ...row }).sort());
  return textOf(one) === textOf(other);
}

function describe(row: Row): SiteDescription {
  const { hosts, pathRules, countryHeader = null, dailyCap = null, ...more } = siteOf(row);
  const { visitorModes: _past, ...site } = more;
  const { keepQuery, group, exclude } = pathRules;
  const rules = { keepQuery: [...keepQuery], group: [...group], exclude: [...exclude] };
  const [blockedHosts, blockedReferrers] = [[...site.blockedHosts], [...site.blockedReferrers]];
  const isBeingRemoved = row.removingSince !== undefined;
  return {
    ...site,
    blockedHosts,
    blockedReferrers,
    hosts: [...hosts],
    countryHeader,
    dailyCap,
    pathRules: rules,
    isBeingRemoved,
  };
}
