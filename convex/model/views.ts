/**
 * Owns: what becomes of a view, and the rows that it writes: its visitor's own, and one in the log.
 * Not: any number that visitors share; those are the worker's.
 */
import { packValues, unpackValues } from "../../domain/dimensions/packed.ts";
import { valuesOfFirstView, valuesOfNextView } from "../../domain/dimensions/view.ts";
import type { ClientFacts, RequestFacts } from "../../domain/dimensions/view.ts";
import { REMEMBERED_EVENT_IDS } from "../../domain/limits.ts";
import { factsOf } from "../../domain/rollups/visit.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { acceptHit } from "./arguments.ts";
import type { Hit, ViewArguments } from "./arguments.ts";
import { acceptAgent, readUserAgent } from "./bots.ts";
import { refusalOf } from "./doorRules.ts";
import type { Sending } from "./doorRules.ts";
import { keepFiltered } from "./filtered.ts";
import { findViewOfPath } from "./history.ts";
import { mayBeNew, takeView } from "./limits.ts";
import type { Allowed } from "./limits.ts";
import { pathUnderRules } from "./pathRules.ts";
import { beat, findSession, storeSession } from "./presence.ts";
import type { FilterReason, ViewOutcome } from "./shapes.ts";
import { routeHit } from "./routing.ts";
import type { Routed } from "./routing.ts";
import { readSite } from "./sites.ts";
import type { Site } from "./sites.ts";
import { keepStranger } from "./strangers.ts";
import { findVisitor } from "./visitors.ts";
import { wakeWorker } from "./waking.ts";

/** What is known of the caller before the decision. */
type Known = {
  visitor: Doc<"visitors"> | null;
  session: Doc<"activeSessions"> | null;
  /** This visitor's newest view of this path. */
  lastOfPath: Doc<"pageViews"> | null;
};

type Arrival = {
  site: Site;
  hit: Hit;
  client: ClientFacts;
  userAgent: string | undefined;
  /** By the header that the site trusts; null where there is none, as in every call of a Convex client. */
  countryHeader: string | null;
  now: number;
  /** What the rate limit leaves the visitor. */
  viewsLeft?: number | undefined;
};

const UNLIMITED: Allowed = { isAllowed: true, viewsLeft: undefined };

/** The view's place in its visit, and both their dimensions; those of the visit alone for the visitor's row. */
type Placed = { visitSequence: number; dimensions: string; ofVisit: string };

/** A country that a header of the request stated. */
type StatedCountry = { header: string; country: string };

/** What a server says of its visitor. It had the site's key, so it is believed, also about where the view was. */
type StatedVisitor = { userAgent?: string; country?: string };

type Recorded = ViewArguments &
  ClientFacts & {
    site?: string;
    countries?: readonly StatedCountry[];
    stated?: StatedVisitor;
    /** What the headers of its request say. */
    sent?: Omit<Sending, "userAgent">;
  };

export async function recordPageView(ctx: MutationCtx, args: Recorded): Promise<ViewOutcome> {
  const sent = acceptHit(args);
  const userAgent =
    args.stated === undefined ? await readUserAgent(ctx) : acceptAgent(args.stated.userAgent);
  const now = Date.now();
  const routed = await routeView(ctx, args);
  if (!routed.isKnown) {
    const as = { path: sent.path, dimensions: packFirst(args, { userAgent, ownHosts: [] }) };
    return await keepStranger(ctx, routed, { hit: sent, as, userAgent, now });
  }
  const { site } = routed;
  const { path, isExcluded } = pathUnderRules(site, args);
  const hit = { ...sent, path };
  const stated = args.countries?.find(({ header }) => header === site.countryHeader);
  const countryHeader = args.stated?.country ?? stated?.country ?? null;
  const arrival: Arrival = { hit, client: args, userAgent, countryHeader, site, now };
  const refusal = refusalOf(site, { ...args.sent, userAgent }, args);
  if (refusal !== null) return await filter(ctx, arrival, refusal);
  if (isExcluded) return await filter(ctx, arrival, "excluded path");

  const known = await readKnown(ctx, arrival);
  if (wasSeen(known.visitor, hit.eventId)) return { outcome: "duplicate" };
  if (isWithinWindow(known, arrival)) return await keepDuplicate(ctx, arrival, known);
  // A server speaks for all its visitors, and is trusted with them.
  const isLimited = args.stated === undefined;
  const taken = isLimited && known.visitor !== null ? takeView(known.visitor, now) : UNLIMITED;
  const isNewOne = isLimited && known.visitor === null;
  const isAllowed = isNewOne ? await mayBeNew(ctx, now) : taken.isAllowed;
  if (!isAllowed) return await filter(ctx, arrival, "rate limit");
  return await count(ctx, { ...arrival, viewsLeft: taken.viewsLeft }, known);
}

async function routeView(ctx: MutationCtx, args: Recorded): Promise<Routed> {
  if (args.stated === undefined) return await routeHit(ctx, args);
  return { isKnown: true, site: await readSite(ctx, args.site) };
}

/** Keeps the hit with what it takes to count it after all. */
async function filter(
  ctx: MutationCtx,
  { site, hit, client, userAgent, countryHeader, now }: Arrival,
  reason: FilterReason,
): Promise<ViewOutcome> {
  const request = { userAgent, countryHeader, ownHosts: site.hosts };
  const as = { path: hit.path, dimensions: packFirst(client, request) };
  return await keepFiltered(ctx, { hit, as, userAgent, now, reason, site: site.slug });
}

function packFirst(
  client: ClientFacts,
  request: Omit<RequestFacts, "countryHeader"> & { countryHeader?: string | null },
): string {
  return packValues(valuesOfFirstView(client, { countryHeader: null, ...request }));
}

async function readKnown(ctx: MutationCtx, { site, hit }: Arrival): Promise<Known> {
  return {
    visitor: await findVisitor(ctx, site.slug, hit.sessionId),
    session: await findSession(ctx, site.slug, hit.sessionId),
    lastOfPath: await findViewOfPath(ctx, site.slug, hit),
  };
}

function wasSeen(visitor: Doc<"visitors"> | null, eventId: string | undefined): boolean {
  return eventId !== undefined && (visitor?.recentEventIds.includes(eventId) ?? false);
}

function isWithinWindow({ lastOfPath }: Known, { site, now }: Arrival): boolean {
  return lastOfPath !== null && now - lastOfPath.timestamp < site.dedupWindowMs;
}

/** Not a view, but a sign of life; and its event stays a duplicate when it is resent after the window. */
async function keepDuplicate(
  ctx: MutationCtx,
  { site, hit, now }: Arrival,
  { visitor, session }: Known,
): Promise<ViewOutcome> {
  if (visitor !== null && hit.eventId !== undefined) {
    const recentEventIds = remember(visitor.recentEventIds, hit.eventId);
    await ctx.db.patch("visitors", visitor._id, { recentEventIds });
  }
  await beat(ctx, session, { ...hit, site: site.slug, now });
  return { outcome: "duplicate" };
}

async function count(ctx: MutationCtx, arrival: Arrival, known: Known): Promise<ViewOutcome> {
  const { site, hit, now } = arrival;
  const { visitor, session, lastOfPath } = known;
  // A history never runs backwards, also if two servers' clocks differ.
  const timestamp = Math.max(now, visitor?.lastSeenAt ?? now);
  const placed = placeInVisit(arrival, visitor, timestamp);
  const { visitSequence, dimensions } = placed;
  const previousPath = visitor?.lastPath;
  const from = session?.currentPath;
  await ctx.db.insert("pageViews", {
    ...hit,
    visitSequence,
    dimensions,
    timestamp,
    site: site.slug,
    commitTs: ctx.db.vars.commitTs,
    visitorLastSeenAt: visitor?.lastSeenAt,
    previousPath,
    pathLastSeenAt: lastOfPath?.timestamp,
    createdVisitor: visitor === null ? true : undefined,
    movedFrom: from !== undefined && from === previousPath ? true : from,
  });
  await storeVisitor(ctx, arrival, { visitor, placed, timestamp });
  await storeSession(ctx, session, { ...hit, site: site.slug, now });
  await wakeWorker(ctx, site.slug, now);
  return { outcome: "counted" };
}

/** A visit's dimensions are those of its first view; a further view takes them over from the visitor's row. */
function placeInVisit(arrival: Arrival, visitor: Doc<"visitors"> | null, at: number): Placed {
  const { client, userAgent, countryHeader, site } = arrival;
  const before =
    visitor === null ? null : { ...visitor, visitSequence: visitor.visitSequence ?? 1 };
  const { visitSequence } = factsOf(before, null, at);
  const open = visitSequence > 1 ? visitor?.dimensions : undefined;
  const values =
    open === undefined
      ? valuesOfFirstView(client, { userAgent, countryHeader, ownHosts: site.hosts })
      : valuesOfNextView(unpackValues(open), client);
  // The host is the view's own, and each view brings it.
  const ofVisit = packValues({ ...values, host: "" });
  return { visitSequence, dimensions: packValues(values), ofVisit };
}

async function storeVisitor(
  ctx: MutationCtx,
  { site, hit, viewsLeft }: Arrival,
  {
    visitor,
    placed,
    timestamp,
  }: { visitor: Doc<"visitors"> | null; placed: Placed; timestamp: number },
): Promise<void> {
  const recentEventIds = remember(visitor?.recentEventIds ?? [], hit.eventId);
  const { visitSequence, ofVisit: dimensions } = placed;
  const seen = { lastSeenAt: timestamp, lastPath: hit.path, visitSequence, dimensions };
  const changes = { ...seen, viewsLeft, recentEventIds };
  if (visitor !== null) await ctx.db.patch("visitors", visitor._id, changes);
  else {
    const { sessionId } = hit;
    const firstSeenAt = timestamp;
    await ctx.db.insert("visitors", { site: site.slug, sessionId, firstSeenAt, ...changes });
  }
}

function remember(eventIds: readonly string[], eventId: string | undefined): string[] {
  if (eventId === undefined) return [...eventIds];
  return [...eventIds, eventId].slice(-REMEMBERED_EVENT_IDS);
}
