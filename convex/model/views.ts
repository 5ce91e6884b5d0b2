/**
 * Owns: what becomes of a view, and the rows that it writes: its visitor's own, and one in the log.
 * Not: any number that visitors share; those are the worker's.
 */
import { packValues, unpackValues } from "../../domain/dimensions/packed.ts";
import { valuesOfFirstView, valuesOfNextView } from "../../domain/dimensions/view.ts";
import { REMEMBERED_EVENT_IDS } from "../../domain/limits.ts";
import { factsOf, lastActiveAtOf } from "../../domain/rollups/visit.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { admit, filter } from "./admission.ts";
import type { Admitted, Sender } from "./admission.ts";
import { acceptHit } from "./arguments.ts";
import type { ViewArguments } from "./arguments.ts";
import { findViewOfPath } from "./history.ts";
import { mayBeNew, mayBeNobody, takeHit } from "./limits.ts";
import type { Allowed } from "./limits.ts";
import { countViewOfNobody } from "./nobody.ts";
import { beat, storeSession } from "./presence.ts";
import { findSession } from "./sessions.ts";
import type { ViewOutcome } from "./shapes.ts";
import { findVisitor } from "./visitors.ts";
import { wakeWorker } from "./waking.ts";

/** What is known of the caller before the decision. */
type Known = {
  visitor: Doc<"visitors"> | null;
  session: Doc<"activeSessions"> | null;
  /** This visitor's newest view of this path. */
  lastOfPath: Doc<"pageViews"> | null;
};

const UNLIMITED: Allowed = { isAllowed: true, hitsLeft: undefined };

/** The view's place in its visit, and both their dimensions; those of the visit alone for the visitor's row. */
type Placed = {
  visitSequence: number;
  lastEventAt: number | undefined;
  dimensions: string;
  ofVisit: string;
};

type Recorded = ViewArguments & Sender;

/** `hitsLeft`: what the rate limit leaves the visitor. */
type Arrival = Admitted & { hitsLeft?: number | undefined };

export async function recordPageView(ctx: MutationCtx, args: Recorded): Promise<ViewOutcome> {
  const admission = await admit(ctx, args, acceptHit(args));
  if ("outcome" in admission) return admission;
  // A server speaks for all its visitors, and is trusted with them.
  const isTrusted = args.stated !== undefined;
  if (!admission.isOfNobody) return await decide(ctx, admission, isTrusted);
  const { site, now } = admission;
  const isAllowed = isTrusted || (await mayBeNobody(ctx, site, now));
  if (!isAllowed) return await filter(ctx, admission, "rate limit");
  return await countViewOfNobody(ctx, admission);
}

async function decide(
  ctx: MutationCtx,
  arrival: Admitted,
  isTrusted: boolean,
): Promise<ViewOutcome> {
  const known = await readKnown(ctx, arrival);
  if (wasSeen(known.visitor, arrival.hit.eventId)) return { outcome: "duplicate" };
  if (isWithinWindow(known, arrival)) return await keepDuplicate(ctx, arrival, known);
  const { isAllowed, hitsLeft } = isTrusted
    ? UNLIMITED
    : await allowanceOf(ctx, known.visitor, arrival.now);
  if (!isAllowed) return await filter(ctx, arrival, "rate limit");
  return await count(ctx, { ...arrival, hitsLeft }, known);
}

async function allowanceOf(
  ctx: MutationCtx,
  visitor: Doc<"visitors"> | null,
  now: number,
): Promise<Allowed> {
  if (visitor !== null) return takeHit(visitor, now);
  return { isAllowed: await mayBeNew(ctx, now), hitsLeft: undefined };
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
  const timestamp = Math.max(now, visitor === null ? now : lastActiveAtOf(visitor));
  const placed = placeInVisit(arrival, visitor, timestamp);
  const { visitSequence, lastEventAt, dimensions } = placed;
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
    lastEventAt,
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
  const { visitSequence, lastEventAt } = factsOf(before, null, at);
  const open = visitSequence > 1 ? visitor?.dimensions : undefined;
  const values =
    open === undefined
      ? valuesOfFirstView(client, { userAgent, countryHeader, ownHosts: site.hosts })
      : valuesOfNextView(unpackValues(open), client);
  // The host is the view's own, and each view brings it.
  const ofVisit = packValues({ ...values, host: "" });
  return {
    visitSequence,
    lastEventAt: lastEventAt ?? undefined,
    dimensions: packValues(values),
    ofVisit,
  };
}

async function storeVisitor(
  ctx: MutationCtx,
  { site, hit, hitsLeft }: Arrival,
  {
    visitor,
    placed,
    timestamp,
  }: { visitor: Doc<"visitors"> | null; placed: Placed; timestamp: number },
): Promise<void> {
  const recentEventIds = remember(visitor?.recentEventIds ?? [], hit.eventId);
  const { visitSequence, ofVisit: dimensions } = placed;
  const seen = { lastSeenAt: timestamp, lastPath: hit.path, visitSequence, dimensions };
  const changes = { ...seen, lastEventAt: undefined, hitsLeft, recentEventIds };
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
