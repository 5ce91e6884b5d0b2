/**
 * Owns: under which id the visitor of a hit is known, by what the site counts as one visitor; and that some are nobody.
 * Not: what a visitor does (views.ts, presence.ts), or what becomes of a view of nobody (nobody.ts).
 *
 * Every door that takes hits asks here first, so views, heartbeats and leaves find the same rows, and what a browser
 * sends as its id counts for nothing where the site tells visitors apart by day, or not at all. The address and the
 * user agent go into a hash and nowhere else: not into a row, a log line or an answer. (What is filtered by its user
 * agent, as a bot, is kept with that: admission.ts.)
 *
 * A day is a UTC day, and an id is of one day. It is used on the next one only by somebody whom it has brought over
 * midnight: a visit that was open then goes on, and who has been seen since under the old id is still the same visitor
 * on that day. Never longer, because yesterday's salt is the oldest that is looked at.
 */
import { utcDayOf } from "../../domain/calendar/civil.ts";
import { VISIT_IDLE_MS } from "../../domain/rollups/visit.ts";
import { timedOutSince } from "../../domain/presence.ts";
import type { QueryCtx, MutationCtx } from "../_generated/server.js";
import { readSalts, requestSalts } from "./salts.ts";
import { digestOf } from "./secrets.ts";
import { findSession } from "./sessions.ts";
import type { Site } from "./sites.ts";
import { findVisitor } from "./visitors.ts";

/** No id that a browser may send has a space (arguments.ts): so these are apart from those, and from each other. */
const OF_A_DAY = "d ";
const OF_NOBODY = "v ";

/** Of the hash: among ten million visitors of a day, two share an id once in 10^15 days. Each byte is stored with every view. */
const ID_BYTES = 12;

/** Of this many hits without an address, one is told to the log. */
const TOLD_ONE_IN = 20;

export type Sender = {
  /** The id that the browser sent. */
  sessionId: string;
  /** The reader asks not to be tracked (Do Not Track, Global Privacy Control). */
  isPrivate?: boolean | undefined;
  /** Of a view, so that one that is resent after midnight finds the visitor who sent it before. */
  eventId?: string | undefined;
  /** By a server that has the site's key, of its visitor: the request's own metadata are the server's. */
  stated?: { address?: string | undefined; userAgent?: string | undefined } | undefined;
};

/** Null for nobody: who asks for it, whom the site does not tell apart, or whose address nobody knows. */
export async function identify(
  ctx: MutationCtx,
  site: Site,
  sender: Sender,
): Promise<string | null> {
  if (sender.isPrivate === true) return null;
  switch (site.visitorMode) {
    case "browser":
      return sender.sessionId;
    case "daily":
      return await identifyByDay(ctx, site, sender);
    case "none":
      return null;
  }
  return site.visitorMode satisfies never;
}

/** The id of a row that stands for nobody: its own event, so that a resend is recognised and no two views are linked. */
export function idOfNobody(eventId: string | undefined): string {
  return OF_NOBODY + (eventId ?? "");
}

export function isIdOfNobody(sessionId: string): boolean {
  return sessionId.startsWith(OF_NOBODY);
}

/** One that a browser sent, and not one that was made here. */
export function isIdOfBrowser(sessionId: string): boolean {
  return !sessionId.includes(" ");
}

/** What a daily id is made of, besides the salt and the site. */
type Origin = { address: string; userAgent: string | null };

async function identifyByDay(ctx: MutationCtx, site: Site, sender: Sender): Promise<string | null> {
  const origin = await readOrigin(ctx, sender);
  if (origin === null) {
    if (sender.stated === undefined) tellOfMissingAddress(site);
    return null;
  }
  const now = Date.now();
  const salts = await readSalts(ctx, now);
  if (salts.today === null) {
    await requestSalts(ctx);
    return null;
  }
  const id = await dailyId(salts.today, site.slug, origin);
  if (salts.yesterday === null || (await isKnown(ctx, site.slug, id))) return id;
  const before = await dailyId(salts.yesterday, site.slug, origin);
  const goesOn = await isStillHere(ctx, { site: site.slug, id: before, now, ...sender });
  return goesOn ? before : id;
}

async function readOrigin(ctx: MutationCtx, { stated }: Sender): Promise<Origin | null> {
  if (stated !== undefined) {
    const { address, userAgent = null } = stated;
    return address === undefined || address === "" ? null : { address, userAgent };
  }
  const { ip, userAgent } = await ctx.meta.getRequestMetadata();
  return ip === null || ip === "" ? null : { address: ip, userAgent };
}

/** JSON of a list is a tuple that can be read in one way only: no two lists have the same text. */
export async function dailyId(
  salt: string,
  site: string,
  { address, userAgent }: Origin,
): Promise<string> {
  const hash = await digestOf(JSON.stringify([salt, site, address, userAgent]));
  return OF_A_DAY + btoa(String.fromCharCode(...hash.slice(0, ID_BYTES)));
}

async function isKnown(ctx: QueryCtx, site: string, id: string): Promise<boolean> {
  return (await findVisitor(ctx, site, id)) !== null || (await findSession(ctx, site, id)) !== null;
}

/** Whether yesterday's visitor is the one who is here now: in an open visit, online, or seen under this id today. */
async function isStillHere(
  ctx: QueryCtx,
  {
    site,
    id,
    now,
    eventId,
  }: { site: string; id: string; now: number; eventId?: string | undefined },
): Promise<boolean> {
  const session = await findSession(ctx, site, id);
  if (session !== null && session.lastSeen > timedOutSince(now)) return true;
  const visitor = await findVisitor(ctx, site, id);
  if (visitor === null) return false;
  const { lastSeenAt, recentEventIds } = visitor;
  const isResend = eventId !== undefined && recentEventIds.includes(eventId);
  return isResend || lastSeenAt >= utcDayOf(now) || now - lastSeenAt <= VISIT_IDLE_MS;
}

function tellOfMissingAddress({ slug }: Site): void {
  if (Math.random() >= 1 / TOLD_ONE_IN) return;
  console.warn(
    `Site "${slug}" tells visitors apart by address and day, and a hit has no address: it counts as a view of nobody. ` +
      "A proxy in front must forward the address (X-Forwarded-For), and --trusted-proxies must say how many proxies there are.",
  );
}
