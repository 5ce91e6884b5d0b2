/**
 * Owns: which sessions are online and on which path.
 * Not: the counts of them, which are the worker's (settling.ts).
 *
 * A session that is in `activeSessions` is counted as online where it is, also past its timeout, until a leave or the
 * sweep removes it; each change of that set or of a path is told to the worker exactly once: by the view that caused
 * it (`movedFrom`) or by a row of `presenceLog`.
 */
import { HEARTBEAT_DEDUP_MS } from "../../domain/intervals.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { acceptId, acceptSessionId } from "./arguments.ts";
import { readUserAgent } from "./bots.ts";
import { refusalOf } from "./doorRules.ts";
import type { Sending } from "./doorRules.ts";
import { identify } from "./identity.ts";
import { countedPath, meantPath } from "./pathRules.ts";
import { routeHit } from "./routing.ts";
import type { Origin } from "./routing.ts";
import { findSession } from "./sessions.ts";
import type { ViewOutcome } from "./shapes.ts";
import { findVisitor } from "./visitors.ts";
import { moveOf } from "./tally.ts";
import { wakeWorker } from "./waking.ts";

export type Beat = {
  site: string;
  sessionId: string;
  path: string;
  now: number;
  /** The event of the view that is the beat; a heartbeat has none. */
  eventId?: string | undefined;
};

type HeartbeatArguments = Origin & {
  sessionId: string;
  currentPath: string;
  isPrivate?: boolean;
  /** What the headers of its request say. */
  sent?: Omit<Sending, "userAgent">;
};

/**
 * A sign of life of a page. It keeps online, or brings back, whoever is known by a view that counted: what the door
 * refuses puts nobody online, nor does somebody whose views it refuses, and nobody is never online.
 */
export async function heartbeat(ctx: MutationCtx, args: HeartbeatArguments): Promise<ViewOutcome> {
  acceptSessionId(args.sessionId);
  const routed = await routeHit(ctx, args);
  if (!routed.isKnown) return { outcome: "filtered", reason: "unknown site" };
  const site = routed.site.slug;
  const userAgent = await readUserAgent(ctx);
  const refusal = refusalOf(routed.site, { ...args.sent, userAgent }, args);
  if (refusal !== null) return { outcome: "filtered", reason: refusal };
  const said = countedPath(routed.site, { path: args.currentPath });
  if (said === null) return { outcome: "filtered", reason: "excluded path" };
  const sessionId = await identify(ctx, routed.site, args);
  if (sessionId === null) return { outcome: "duplicate" };
  const session = await findSession(ctx, site, sessionId);
  const now = Date.now();
  const isUnknown = session === null && (await findVisitor(ctx, site, sessionId)) === null;
  if (isUnknown) return { outcome: "duplicate" };
  const path = meantPath(said, session?.currentPath);
  const isNews = await beat(ctx, session, { site, sessionId, path, now });
  return { outcome: isNews ? "counted" : "duplicate" };
}

/** A sign of life that is not a counted view. Idempotent inside HEARTBEAT_DEDUP_MS; a changed path takes effect at once. True when it said anything new. */
export async function beat(
  ctx: MutationCtx,
  session: Doc<"activeSessions"> | null,
  sign: Beat,
): Promise<boolean> {
  const isSamePath = session?.currentPath === sign.path;
  const isRepeat = session !== null && sign.now - session.lastSeen < HEARTBEAT_DEDUP_MS;
  if (isSamePath && isRepeat && sign.eventId === undefined) return false;
  await storeSession(ctx, session, sign);
  if (isSamePath) return true;
  await logMove(ctx, sign.site, { from: session?.currentPath, to: sign.path, sessions: 1 });
  await wakeWorker(ctx, sign.site, sign.now);
  return true;
}

/** Puts the session where the beat is. The caller tells the worker. */
export async function storeSession(
  ctx: MutationCtx,
  session: Doc<"activeSessions"> | null,
  { site, sessionId, path, now, eventId }: Beat,
): Promise<void> {
  const changes = {
    currentPath: path,
    lastSeen: now,
    ...(eventId === undefined ? {} : { eventId }),
  };
  if (session === null) await ctx.db.insert("activeSessions", { site, sessionId, ...changes });
  else await ctx.db.patch("activeSessions", session._id, changes);
}

/** Counts when somebody who was online is not any more. */
export async function leave(
  ctx: MutationCtx,
  args: Origin & { sessionId: string; path?: string; eventId?: string; isPrivate?: boolean },
): Promise<ViewOutcome> {
  acceptSessionId(args.sessionId);
  const eventId = args.eventId === undefined ? undefined : acceptId("eventId", args.eventId);
  const routed = await routeHit(ctx, args);
  if (!routed.isKnown) return { outcome: "filtered", reason: "unknown site" };
  const site = routed.site.slug;
  const sessionId = await identify(ctx, routed.site, args);
  if (sessionId === null) return { outcome: "duplicate" };
  const session = await findSession(ctx, site, sessionId);
  const path = args.path === undefined ? undefined : countedPath(routed.site, { path: args.path });
  if (session === null || hasMovedOn(session, { path, eventId })) return { outcome: "duplicate" };
  await ctx.db.delete("activeSessions", session._id);
  await logMove(ctx, site, { from: session.currentPath, sessions: 1 });
  await wakeWorker(ctx, site, Date.now());
  return { outcome: "counted" };
}

/** The leave comes from a page that the session has left already. */
function hasMovedOn(
  session: Doc<"activeSessions">,
  { path, eventId }: { path: string | null | undefined; eventId: string | undefined },
): boolean {
  // Nobody is ever on a page that the site leaves out: who leaves one leaves the site.
  const isSaid = path !== undefined && path !== null;
  if (isSaid && meantPath(path, session.currentPath) !== session.currentPath) return true;
  return eventId !== undefined && session.eventId !== undefined && eventId !== session.eventId;
}

/** Of a view that is not counted after all: where it has a session, that is online, and its leave must not count alone. */
export async function keepPresence(
  ctx: MutationCtx,
  site: string,
  view: Doc<"pageViews">,
): Promise<void> {
  const move = moveOf(view);
  if (move !== null && move.from !== move.to) await logMove(ctx, site, move);
}

/** Tells the worker that sessions moved, came (`to` alone) or went (`from` alone). */
export async function logMove(
  ctx: MutationCtx,
  site: string,
  move: { from?: string | undefined; to?: string | undefined; sessions: number },
): Promise<void> {
  await ctx.db.insert("presenceLog", { site, commitTs: ctx.db.vars.commitTs, ...move });
}

/** Tells the worker that sessions timed out: how many on each path. */
export async function logLeft(
  ctx: MutationCtx,
  site: string,
  byPath: ReadonlyMap<string, number>,
): Promise<void> {
  const left = { paths: [...byPath.keys()], sessions: [...byPath.values()] };
  await ctx.db.insert("presenceLog", { site, commitTs: ctx.db.vars.commitTs, left });
}
