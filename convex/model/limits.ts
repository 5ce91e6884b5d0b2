/**
 * Owns: how much one visitor, and how many new visitors one address, may send.
 * Not: a site's daily cap (verdicts/dailyCap.ts), or what becomes of what is over a limit (filtered.ts).
 *
 * A view must not get dearer by it. What a known visitor has left stands in their own row, which each view of theirs
 * reads and writes anyway. An address is looked at for a visitor's first view alone, and only one in COARSE of these
 * takes tokens, COARSE at once: so most first views read the bucket and write nothing.
 */
import { calculateRateLimit, MINUTE, RateLimiter } from "@convex-dev/rate-limiter";
import type { RateLimitConfig } from "@convex-dev/rate-limiter";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { components } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { hashOfAddress, isPublicAddress } from "./addressHash.ts";

/** A person who opens every link of a page in tabs stays far below. */
const VIEWS_OF_VISITOR = { kind: "token bucket", rate: 60, period: MINUTE, capacity: 300 } as const;

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

const limiter = new RateLimiter(components.rateLimiter, { newVisitors: NEW_VISITORS_OF_ADDRESS });

/**
 * Whether one more visitor of the address that this request comes from may be new. True where it is none of the
 * Internet's: then it is not the visitor's, but that of a proxy that nobody named, and stands for everybody.
 */
export async function mayBeNew(ctx: MutationCtx, now: number): Promise<boolean> {
  const { ip } = await ctx.meta.getRequestMetadata();
  if (ip === null || !isPublicAddress(ip)) return true;
  const key = await hashOfAddress(ctx, ip, now);
  if (key === null) return true;
  const takes = Math.random() < 1 / COARSE;
  const asked = { key, count: COARSE };
  const { ok } = takes
    ? await limiter.limit(ctx, "newVisitors", asked)
    : await limiter.check(ctx, "newVisitors", asked);
  return ok;
}

export type Allowed = { isAllowed: boolean; viewsLeft: number | undefined };

/**
 * What a known visitor's view leaves them. Missing stands for all, and is all that rows of people ever have: who is
 * near it and let a token come back since the view before is taken to be there.
 */
export function takeView(visitor: Doc<"visitors">, now: number): Allowed {
  const { viewsLeft: value = VIEWS_OF_VISITOR.capacity, lastSeenAt: ts } = visitor;
  const after = calculateRateLimit({ value, ts }, VIEWS_OF_VISITOR, Math.max(now, ts), 1);
  const hasRested =
    now - ts >= VIEWS_OF_VISITOR.period / VIEWS_OF_VISITOR.rate &&
    after.value >= VIEWS_OF_VISITOR.capacity - 2;
  return { isAllowed: after.value >= 0, viewsLeft: hasRested ? undefined : after.value };
}

/** From the daily cron. */
export async function forgetAddresses(ctx: MutationCtx): Promise<void> {
  const now = Date.now();
  await ctx.runMutation(components.rateLimiter.lib.clearAll, { before: now - KEEP_BUCKETS_MS });
}
