/**
 * Owns: how much one visitor, and how many new visitors one address, may send.
 * Not: a site's daily cap (verdicts/dailyCap.ts), or what becomes of what is over a limit (filtered.ts).
 *
 * A view must not get dearer by it. What a known visitor has left stands in their own row, which each view of theirs
 * and each event in an open visit reads and writes anyway. An address is looked at for a visitor's first view, for views
 * and events of nobody, and for events that write no visitor's row; and only one in COARSE of these takes tokens, COARSE
 * at once: so most read the bucket and write nothing.
 */
import { calculateRateLimit, MINUTE, RateLimiter } from "@convex-dev/rate-limiter";
import type { RateLimitConfig } from "@convex-dev/rate-limiter";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { components } from "../_generated/api.js";
import { lastActiveAtOf } from "../../domain/rollups/visit.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { hashOfAddress, isPublicAddress } from "./addressHash.ts";
import type { Site } from "./sites.ts";

/** A person who opens every link of a page in tabs stays far below. */
const HITS_OF_VISITOR = { kind: "token bucket", rate: 60, period: MINUTE, capacity: 300 } as const;

/** An office or a mobile network stands behind one address: as many at once, and a third of a visitor each second for ever. */
const NEW_VISITORS_OF_ADDRESS: RateLimitConfig = {
  kind: "token bucket",
  rate: 20,
  period: MINUTE,
  capacity: 200,
};

/** Tokens that one in as many first views takes. */
const COARSE = 8;

/** Buckets are keyed by hashes that nothing makes again once their day is over. */
const KEEP_BUCKETS_MS = 2 * DAY_MS;

/** Events of visitors whose row an event does not write: those where nobody did anything, and those of idle tabs. An office has many. */
const LOOSE_EVENTS_OF_ADDRESS: RateLimitConfig = {
  kind: "token bucket",
  rate: 300,
  period: MINUTE,
  capacity: 1_500,
};

/** Reports of a view's engagement: as many at once, and one for each minute that it is open, up to a thousand. */
const REPORTS_AT_ONCE = 60;
export const MAX_REPORTS_OF_VIEW = 1_000;

/** New filters of a site, which each cost a walk over its log: as many as a few readers who try things out. */
const NEW_FILTERS_OF_SITE: RateLimitConfig = {
  kind: "token bucket",
  rate: 20,
  period: MINUTE,
  capacity: 40,
};

/** Passwords that are tried for one token: who mistypes, and not who guesses. */
const PASSWORDS_OF_TOKEN: RateLimitConfig = {
  kind: "token bucket",
  rate: 5,
  period: MINUTE,
  capacity: 10,
};

const limiter = new RateLimiter(components.rateLimiter, {
  passwords: PASSWORDS_OF_TOKEN,
  newFilters: NEW_FILTERS_OF_SITE,
  newVisitors: NEW_VISITORS_OF_ADDRESS,
  looseEvents: LOOSE_EVENTS_OF_ADDRESS,
});

/**
 * Whether one more visitor of the address that this request comes from may be new. True where it is none of the
 * Internet's: then it is not the visitor's, but that of a proxy that nobody named, and stands for everybody.
 */
export async function mayBeNew(ctx: MutationCtx, now: number): Promise<boolean> {
  return await hasLeft(ctx, "newVisitors", now);
}

/**
 * Whether nobody may send one more: whoever is nobody has no row in which a limit could stand. Where all are, nothing
 * is kept that stands for anybody, so no address is looked at: there is the daily cap.
 */
export async function mayBeNobody(
  ctx: MutationCtx,
  { visitorMode }: Site,
  now: number,
): Promise<boolean> {
  return visitorMode === "none" || (await mayBeNew(ctx, now));
}

/** Whether one more event may come from this address that leaves its visitor's row as it is. */
export async function maySendLoose(ctx: MutationCtx, now: number): Promise<boolean> {
  return await hasLeft(ctx, "looseEvents", now);
}

/** Whether a view may report once more. How often it has is read anyway. */
export function mayReport(reports: number, view: Doc<"pageViews">, now: number): boolean {
  const minutes = Math.floor(Math.max(0, now - view.timestamp) / MINUTE);
  return reports < Math.min(MAX_REPORTS_OF_VIEW, REPORTS_AT_ONCE + minutes);
}

async function hasLeft(
  ctx: MutationCtx,
  bucket: "newVisitors" | "looseEvents",
  now: number,
): Promise<boolean> {
  const { ip } = await ctx.meta.getRequestMetadata();
  if (ip === null || !isPublicAddress(ip)) return true;
  const key = await hashOfAddress(ctx, ip, now);
  if (key === null) return true;
  const takes = Math.random() < 1 / COARSE;
  const asked = { key, count: COARSE };
  const { ok } = takes
    ? await limiter.limit(ctx, bucket, asked)
    : await limiter.check(ctx, bucket, asked);
  return ok;
}

/** Whether a site's readers may ask for one more filter that is not made yet. */
export async function mayAskNewFilter(ctx: MutationCtx, site: string): Promise<boolean> {
  return (await limiter.limit(ctx, "newFilters", { key: site })).ok;
}

/** Whether one more password may be tried for a token. */
export async function mayTryPassword(ctx: MutationCtx, keyId: string): Promise<boolean> {
  return (await limiter.limit(ctx, "passwords", { key: keyId })).ok;
}

export type Allowed = { isAllowed: boolean; hitsLeft: number | undefined };

/**
 * What a known visitor's view, or event in an open visit, leaves them. Missing stands for all, and is all that rows of
 * people ever have: who is near it and let a token come back since the one before is taken to be there.
 */
export function takeHit(visitor: Doc<"visitors">, now: number): Allowed {
  const { hitsLeft: value = HITS_OF_VISITOR.capacity } = visitor;
  const ts = lastActiveAtOf(visitor);
  const after = calculateRateLimit({ value, ts }, HITS_OF_VISITOR, Math.max(now, ts), 1);
  const hasRested =
    now - ts >= HITS_OF_VISITOR.period / HITS_OF_VISITOR.rate &&
    after.value >= HITS_OF_VISITOR.capacity - 2;
  return { isAllowed: after.value >= 0, hitsLeft: hasRested ? undefined : after.value };
}

/** From the daily cron. */
export async function forgetAddresses(ctx: MutationCtx): Promise<void> {
  const before = Date.now() - KEEP_BUCKETS_MS;
  await ctx.runMutation(components.rateLimiter.lib.clearAll, { before });
}
