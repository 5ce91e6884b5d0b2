/**
 * Owns: filtered events that count after all: their rows in the log, and their places in the histories of their visitors.
 * Not: which those are (../verdicts/restoring.ts), or making their days anew (../past/work.ts).
 */
import { IN_NO_VISIT } from "../../../domain/rollups/visit.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { isIdOfNobody } from "../identity.ts";
import { visitorAfter } from "../past/actions.ts";
import { rederive } from "../past/lineage.ts";
import { findVisitor } from "../visitors.ts";
import { wasSent } from "./record.ts";

type Row = Doc<"events">;

export type LateEvent = Pick<
  Row,
  "site" | "sessionId" | "path" | "timestamp" | "eventId" | "name" | "properties" | "isPassive"
>;

/** When the events, and those whose facts changed, were sent. Null where the event was counted already. */
export async function insertLate(ctx: MutationCtx, event: LateEvent): Promise<number[] | null> {
  if (await wasSent(ctx, event.site, event)) return null;
  const row = { ...event, commitTs: ctx.db.vars.commitTs };
  if (isIdOfNobody(event.sessionId)) {
    await ctx.db.insert("events", { ...row, visitSequence: IN_NO_VISIT });
    return [event.timestamp];
  }
  const { nameLastSeenAt, next } = await neighboursOfName(ctx, event);
  await ctx.db.insert("events", { ...row, nameLastSeenAt });
  if (next === null) return [event.timestamp];
  await ctx.db.patch("events", next._id, { nameLastSeenAt: event.timestamp });
  return [event.timestamp, next.timestamp];
}

/** Gives events that came late their places. Returns when the other rows that changed were viewed or sent. */
export async function placeLate(
  ctx: MutationCtx,
  site: string,
  events: readonly LateEvent[],
): Promise<number[]> {
  const changedAt: number[] = [];
  const stretches = new Map<string, { from: number; until: number }>();
  for (const { sessionId, timestamp, isPassive } of events) {
    if (isPassive === true || isIdOfNobody(sessionId)) continue;
    const { from, until } = stretches.get(sessionId) ?? { from: timestamp, until: timestamp };
    const stretch = { from: Math.min(from, timestamp), until: Math.max(until, timestamp) };
    stretches.set(sessionId, stretch);
  }
  for (const [sessionId, stretch] of stretches) {
    const placed = await rederive(ctx, { site, sessionId, ...stretch });
    changedAt.push(...placed.changedAt);
    const visitor = placed.last === null ? null : await findVisitor(ctx, site, sessionId);
    if (visitor === null || placed.last === null) continue;
    await ctx.db.patch("visitors", visitor._id, visitorAfter(placed.last));
  }
  return changedAt;
}

/** The gap of the name, also where retention has removed the event before: the next one knows when it was. */
async function neighboursOfName(
  ctx: MutationCtx,
  { site, sessionId, name, timestamp }: LateEvent,
): Promise<{ nameLastSeenAt: number | undefined; next: Row | null }> {
  const before = await ctx.db
    .query("events")
    .withIndex("by_session_name", (q) =>
      q.eq("site", site).eq("sessionId", sessionId).eq("name", name).lte("timestamp", timestamp),
    )
    .order("desc")
    .first();
  const next = await ctx.db
    .query("events")
    .withIndex("by_session_name", (q) =>
      q.eq("site", site).eq("sessionId", sessionId).eq("name", name).gt("timestamp", timestamp),
    )
    .first();
  return { nameLastSeenAt: before?.timestamp ?? next?.nameLastSeenAt, next };
}
