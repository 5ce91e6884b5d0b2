/**
 * Owns: what becomes of a custom event, and the rows that it writes: one in the log, and its visitor's, whose open
 * visit it extends.
 * Not: whether it is taken at all (admission.ts), or any number that visitors share; those are the worker's.
 *
 * An event never makes a visitor and never begins a visit; from somebody who has not viewed a page, or not for a while,
 * it counts under its name alone (prds/0016). It is no sign of life either: heartbeats are.
 */
import { factsOfEvent, IN_NO_VISIT, lastActiveAtOf } from "../../../domain/rollups/visit.ts";
import type { EventFacts } from "../../../domain/rollups/visit.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { admit, filter } from "../admission.ts";
import type { Admitted, StatedVisitor } from "../admission.ts";
import type { Hit, SentEvent } from "../arguments.ts";
import { mayBeNew, mayBeNobody, maySendLoose, takeHit } from "../limits.ts";
import type { Allowed } from "../limits.ts";
import { meantPath } from "../pathRules.ts";
import type { Origin } from "../routing.ts";
import type { ViewOutcome } from "../shapes.ts";
import { findVisitor } from "../visitors.ts";
import { wakeWorker } from "../waking.ts";
import { acceptEvent } from "./accept.ts";
import type { EventArguments } from "./accept.ts";

type Arrived = Hit & { event: SentEvent };

/** Throws `invalid_session_id`, `invalid_id`, `invalid_event` or `unknown_site`. */
export async function recordEvent(
  ctx: MutationCtx,
  args: EventArguments & Origin & { stated?: StatedVisitor },
): Promise<ViewOutcome> {
  const admission = await admit(ctx, args, acceptEvent(args));
  if ("outcome" in admission) return admission;
  const { site, hit, now, isOfNobody } = admission;
  if (await wasSent(ctx, site.slug, hit)) return { outcome: "duplicate" };
  // A server speaks for all its visitors, and is trusted with them.
  const isTrusted = args.stated !== undefined;
  if (!isOfNobody) return await decide(ctx, admission, isTrusted);
  const isAllowed = isTrusted || (await mayBeNobody(ctx, site, now));
  if (!isAllowed) return await filter(ctx, admission, "rate limit");
  await countOfNobody(ctx, site.slug, hit, now);
  return { outcome: "counted" };
}

async function decide(
  ctx: MutationCtx,
  admission: Admitted<Arrived>,
  isTrusted: boolean,
): Promise<ViewOutcome> {
  const { site, hit, now } = admission;
  const placed = await place(ctx, site.slug, hit, now);
  const { isAllowed, hitsLeft } = isTrusted
    ? { isAllowed: true, hitsLeft: placed.visitor?.hitsLeft }
    : await allowanceOf(ctx, placed, now);
  if (!isAllowed) return await filter(ctx, admission, "rate limit");
  await count(ctx, site.slug, hit, { ...placed, hitsLeft });
  await wakeWorker(ctx, site.slug, now);
  return { outcome: "counted" };
}

/** Of the visitor's own where their row is written anyway; else of their address. */
async function allowanceOf(
  ctx: MutationCtx,
  { visitor, facts }: Placed,
  now: number,
): Promise<Allowed> {
  if (visitor !== null && facts !== null) return takeHit(visitor, now);
  const may = visitor === null ? mayBeNew : maySendLoose;
  return { isAllowed: await may(ctx, now), hitsLeft: undefined };
}

/** Reads only what this one event could have written, so no other event conflicts with it. */
export async function wasSent(
  ctx: QueryCtx,
  site: string,
  { sessionId, eventId }: { sessionId: string; eventId?: string | undefined },
): Promise<boolean> {
  if (eventId === undefined) return false;
  const seen = await ctx.db
    .query("events")
    .withIndex("by_session_event", (q) =>
      q.eq("site", site).eq("sessionId", sessionId).eq("eventId", eventId),
    )
    .first();
  return seen !== null;
}

/** Under its name, for no visitor. `hit.sessionId` is `idOfNobody` of its event. */
async function countOfNobody(
  ctx: MutationCtx,
  site: string,
  { sessionId, eventId, path, event }: Arrived,
  now: number,
): Promise<void> {
  await ctx.db.insert("events", {
    ...{ site, sessionId, eventId, timestamp: now, commitTs: ctx.db.vars.commitTs },
    ...event,
    path,
    visitSequence: IN_NO_VISIT,
  });
  await wakeWorker(ctx, site, now);
}

/** What is known of its visitor, and its place in their visit; null where none is open. */
type Placed = {
  visitor: Doc<"visitors"> | null;
  nameLastSeenAt: number | undefined;
  timestamp: number;
  facts: EventFacts | null;
};

async function place(
  ctx: QueryCtx,
  site: string,
  { sessionId, event }: Arrived,
  now: number,
): Promise<Placed> {
  const visitor = await findVisitor(ctx, site, sessionId);
  const lastOfName = await findLastOfName(ctx, site, { sessionId, name: event.name });
  // A history never runs backwards, also if two servers' clocks differ.
  const timestamp = Math.max(
    now,
    visitor === null ? now : lastActiveAtOf(visitor),
    lastOfName?.timestamp ?? now,
  );
  const facts = event.isPassive === true ? null : factsIn(visitor, timestamp);
  return { visitor, nameLastSeenAt: lastOfName?.timestamp, timestamp, facts };
}

async function count(
  ctx: MutationCtx,
  site: string,
  { sessionId, eventId, path, event }: Arrived,
  placed: Placed & { hitsLeft: number | undefined },
): Promise<void> {
  const { visitor, nameLastSeenAt, timestamp, facts, hitsLeft } = placed;
  await ctx.db.insert("events", {
    ...{ site, sessionId, eventId, timestamp, commitTs: ctx.db.vars.commitTs },
    ...event,
    path: meantPath(path, visitor?.lastPath),
    nameLastSeenAt,
    ...facts,
    dimensions: facts === null ? undefined : visitor?.dimensions || undefined,
  });
  if (visitor !== null && facts !== null) {
    const { visitSequence } = facts;
    const changes = { lastEventAt: timestamp, visitSequence, hitsLeft };
    await ctx.db.patch("visitors", visitor._id, changes);
  }
}

function factsIn(visitor: Doc<"visitors"> | null, at: number): EventFacts | null {
  const { visitSequence = 1 } = visitor ?? {};
  return factsOfEvent(visitor === null ? null : { ...visitor, visitSequence }, at);
}

async function findLastOfName(
  ctx: QueryCtx,
  site: string,
  { sessionId, name }: { sessionId: string; name: string },
): Promise<Doc<"events"> | null> {
  return await ctx.db
    .query("events")
    .withIndex("by_session_name", (q) =>
      q.eq("site", site).eq("sessionId", sessionId).eq("name", name),
    )
    .order("desc")
    .first();
}
