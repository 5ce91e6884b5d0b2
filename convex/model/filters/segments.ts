/**
 * Owns: filters that an operator keeps under a name: they are made of the whole log, and kept up from then on.
 * Not: making them (work.ts).
 */
import { keyOf } from "../../../domain/filters/filter.ts";
import { parseFilter } from "../../../domain/filters/text.ts";
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { MAX_SEGMENTS, MAX_SEGMENT_NAME_LENGTH } from "../../../domain/limits.ts";
import { clampLine } from "../../../domain/text.ts";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { callerError, quoted } from "../../errors.ts";
import { readOldestAt } from "../past/sealing.ts";
import { readSite } from "../sites.ts";
import { keepTelling } from "./asking.ts";
import { cursorsOf, dropOpenDays, findFilter, insertFilter, listFilters } from "./store.ts";
import type { FilterRow } from "./store.ts";
import { ensureFilterChain, isKeptUp } from "./work.ts";

export type Segment = Pick<FilterRow, "filter"> & { name: string };

/** By name. Throws `unknown_site`. */
export async function listSegments(ctx: QueryCtx, args: { site?: string }): Promise<Segment[]> {
  const { slug } = await readSite(ctx, args.site);
  const segments = await segmentsOf(ctx, slug);
  return segments
    .map(({ name = "", filter }) => ({ name, filter }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** One of a site by its name. */
export async function findSegment(
  ctx: QueryCtx,
  site: string,
  name: string,
): Promise<Segment | null> {
  const rows = await ctx.db
    .query("filters")
    .withIndex("by_site_name", (q) => q.eq("site", site).eq("name", name))
    .take(MAX_SEGMENTS);
  const row = rows.find(({ goneSince }) => goneSince === undefined);
  return row === undefined ? null : { name, filter: row.filter };
}

/** `filter` as in the address of /stats. A name that is taken gets this filter. Throws `unknown_site` or `invalid_filter`. */
export async function addSegment(
  ctx: MutationCtx,
  args: { site?: string; name: string; filter: string },
): Promise<Segment> {
  const site = await readSite(ctx, args.site);
  const name = clampLine(args.name, MAX_SEGMENT_NAME_LENGTH);
  const filter = parseFilter(args.filter);
  if (name === "") throw callerError("invalid_filter", "A segment needs a name, and it is empty.");
  if (filter === null || filter.length === 0) {
    throw callerError(
      "invalid_filter",
      `${quoted(args.filter)} is no filter. Wanted is what stands after "filter=" in the address of /stats, such as country:is:DE;path:matches:/blog/*.`,
    );
  }
  const others = (await segmentsOf(ctx, site.slug)).filter((segment) => segment.name !== name);
  if (others.length >= MAX_SEGMENTS) {
    throw callerError(
      "invalid_filter",
      `Site "${site.slug}" has ${others.length} segments, as many as may be kept up. Remove one first: ${others.map((segment) => segment.name).join(", ")}.`,
    );
  }
  const same = others.find((segment) => keyOf(segment.filter) === keyOf(filter));
  if (same !== undefined) {
    throw callerError(
      "invalid_filter",
      `That filter is kept as ${quoted(same.name)} already. Use that, or remove it first.`,
    );
  }
  await forgetName(ctx, site.slug, name);
  const now = Date.now();
  const oldest = (await readOldestAt(ctx, site.slug)) ?? now;
  const wantedFrom = calendarOf(site.timeZone).startOf("day", oldest);
  const found = await findFilter(ctx, site.slug, filter);
  if (found === null) await insertFilter(ctx, site.slug, { filter, wantedFrom, name });
  else {
    const isBehind = !isKeptUp(found, now);
    if (isBehind) await dropOpenDays(ctx, found);
    const cursors = isBehind ? await cursorsOf(ctx, site.slug) : {};
    await ctx.db.patch("filters", found._id, { name, wantedFrom, ...cursors });
  }
  await keepTelling(ctx, site.slug, Number.MAX_SAFE_INTEGER);
  await ensureFilterChain(ctx, site.slug);
  return { name, filter };
}

/** Whether there was one. It stays a filter like any other until nobody asks for it. Throws `unknown_site`. */
export async function removeSegment(
  ctx: MutationCtx,
  args: { site?: string; name: string },
): Promise<boolean> {
  const { slug } = await readSite(ctx, args.site);
  return await forgetName(ctx, slug, args.name);
}

async function forgetName(ctx: MutationCtx, site: string, name: string): Promise<boolean> {
  const named = (await segmentsOf(ctx, site)).filter((segment) => segment.name === name);
  for (const row of named) {
    await ctx.db.patch("filters", row._id, { name: undefined, askedAt: Date.now() });
  }
  return named.length > 0;
}

async function segmentsOf(ctx: QueryCtx, site: string): Promise<FilterRow[]> {
  const rows = await listFilters(ctx, site);
  return rows.filter(({ name, goneSince }) => name !== undefined && goneSince === undefined);
}
