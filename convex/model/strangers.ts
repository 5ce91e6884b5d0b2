/**
 * Owns: hits that are no site's: kept, bounded by host, and listed with the command that makes them count.
 * Not: which hits those are (routing.ts).
 *
 * Nobody may fill the tables by naming this deployment in a page of their own: of a host, the first rows of an hour
 * are kept one by one, and then one of many at random, which stands for all of them. So hits of one host wait for
 * each other only among those first rows, and the counts stay true on average.
 */
import { HOUR_MS } from "../../domain/calendar/civil.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import type { Hit } from "./arguments.ts";
import { keepFiltered } from "./filtered.ts";
import type { Counted } from "./filtered.ts";
import type { UnknownHost, ViewOutcome } from "./shapes.ts";
import { DEFAULT_SITE } from "./sites.ts";
import type { Site } from "./sites.ts";

/** Rows of a host within an hour that are kept one by one. */
const KEPT_AN_HOUR = 20;

/** Past that, one hit in this many is kept. */
const SAMPLED_ONE_IN = 50;

/** Hosts that are listed, and rows of each that are added up; together far below what a query may read. */
const MAX_LISTED_HOSTS = 100;
const MAX_ROWS_OF_HOST = 200;

/** The site of a hit that neither names one nor comes from the host of one. */
export const NO_SITE = "";

/** Where a hit came from that is no site's. */
export type Stranger = { host: string; named: Site | null };

export async function keepStranger(
  ctx: MutationCtx,
  { host, named }: Stranger,
  arrival: { hit: Hit; as: Counted; now: number; userAgent: string | undefined },
): Promise<ViewOutcome> {
  const recent = await ctx.db
    .query("filteredHits")
    .withIndex("by_host", (q) => q.eq("host", host).gt("_creationTime", arrival.now - HOUR_MS))
    .take(KEPT_AN_HOUR);
  const isSampled = recent.length === KEPT_AN_HOUR;
  const reason = "unknown site";
  if (isSampled && Math.random() >= 1 / SAMPLED_ONE_IN) return { outcome: "filtered", reason };
  const sample = isSampled ? { hits: SAMPLED_ONE_IN } : {};
  const site = named?.slug ?? NO_SITE;
  return await keepFiltered(ctx, { ...arrival, site, reason, stranger: { host, ...sample } });
}

/** Of the last 30 days, by host and by the site that they named; those with the most hits first. */
export async function listUnknownHosts(ctx: QueryCtx): Promise<UnknownHost[]> {
  const listed: UnknownHost[] = [];
  let host = await nextHost(ctx, null);
  for (let hosts = 0; host !== null && hosts < MAX_LISTED_HOSTS; hosts += 1) {
    listed.push(...sumBySite(host, await readNewest(ctx, host)));
    host = await nextHost(ctx, host);
  }
  return listed.sort((one, other) => other.hits - one.hits);
}

async function nextHost(ctx: QueryCtx, after: string | null): Promise<string | null> {
  const row = await ctx.db
    .query("filteredHits")
    .withIndex("by_host", (q) => (after === null ? q.gte("host", "") : q.gt("host", after)))
    .first();
  return row?.host ?? null;
}

async function readNewest(ctx: QueryCtx, host: string): Promise<Doc<"filteredHits">[]> {
  return await ctx.db
    .query("filteredHits")
    .withIndex("by_host", (q) => q.eq("host", host))
    .order("desc")
    .take(MAX_ROWS_OF_HOST);
}

function sumBySite(host: string, rows: readonly Doc<"filteredHits">[]): UnknownHost[] {
  const isExact = rows.length < MAX_ROWS_OF_HOST && rows.every((row) => row.hits === undefined);
  const bySite = new Map<string, UnknownHost>();
  for (const { site, hits = 1, timestamp } of rows) {
    const before = bySite.get(site) ?? {
      ...{ host, isExact, named: site === NO_SITE ? null : site },
      ...{ hits: 0, newestAt: 0, command: commandFor(host, site) },
    };
    const newestAt = Math.max(before.newestAt, timestamp);
    bySite.set(site, { ...before, hits: before.hits + hits, newestAt });
  }
  return [...bySite.values()];
}

function commandFor(host: string, named: string): string {
  const site = named === NO_SITE ? DEFAULT_SITE : named;
  if (host !== "") return `npm run sites -- set ${site} --add-host ${host}`;
  return named === NO_SITE
    ? "npm run sites -- set default --any-host"
    : `npm run sites -- set ${site} --no-hosts`;
}
