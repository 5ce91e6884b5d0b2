/**
 * Owns: the rows that could not be counted, as an operator sees them, and trying them again.
 * Not: putting them there (recovery.ts).
 */
import { jsonToConvex } from "convex/values";
import type { JSONValue } from "convex/values";
import { calendarOf } from "../../domain/calendar/calendar.ts";
import type { Doc, Id } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { retryEngagement } from "./engagement/recovery.ts";
import { rederive } from "./past/lineage.ts";
import { markStale } from "./past/sealing.ts";
import { startReroll } from "./past/asking.ts";
import { logLeft, logMove } from "./presence.ts";
import type { QuarantinedRow } from "./shapes.ts";
import { readSite } from "./sites.ts";
import { wakeWorkerNow } from "./waking.ts";

/** Rows that one call lists or tries again. */
const MAX_LISTED = 100;

export async function list(ctx: QueryCtx, args: { site?: string }): Promise<QuarantinedRow[]> {
  const { slug } = await readSite(ctx, args.site);
  const rows = await readQuarantine(ctx, slug);
  return rows.map(({ _id: id, table, row, error, quarantinedAt }) => ({
    id,
    table,
    row,
    error,
    quarantinedAt,
  }));
}

/** How many there are, at most `MAX_LISTED`. */
export async function countQuarantined(ctx: QueryCtx, site: string): Promise<number> {
  return (await readQuarantine(ctx, site)).length;
}

/**
 * Hands rows to the worker again, for example after one was put right by hand or the fault of ours that it ran into
 * was mended. One that still cannot be counted comes back here.
 */
export async function retry(
  ctx: MutationCtx,
  args: { site?: string; id?: Id<"quarantine"> },
): Promise<{ retried: number }> {
  const { slug } = await readSite(ctx, args.site);
  const all = await readQuarantine(ctx, slug);
  const rows = all.filter(({ _id }) => args.id === undefined || _id === args.id);
  for (const row of rows) {
    await retryRow(ctx, slug, row);
    await ctx.db.delete("quarantine", row._id);
  }
  if (rows.length > 0) {
    await startReroll(ctx, slug);
    await wakeWorkerNow(ctx, slug, Date.now());
  }
  return { retried: rows.length };
}

async function readQuarantine(ctx: QueryCtx, site: string): Promise<Doc<"quarantine">[]> {
  return await ctx.db
    .query("quarantine")
    .withIndex("by_site", (q) => q.eq("site", site))
    .take(MAX_LISTED);
}

async function retryRow(ctx: MutationCtx, site: string, row: Doc<"quarantine">): Promise<void> {
  switch (row.table) {
    case "pageViews":
      return await retryView(ctx, site, row);
    case "presenceLog":
      return await retryMove(ctx, site, row);
    case "events":
      return await retryEvent(ctx, row);
    case "engagements":
      return await retryEngagement(ctx, fieldsOf(row));
    default:
      row.table satisfies never;
  }
}

/** As one that was sent now: the worker adds it to its hour, and has its day made anew where that is sealed. */
async function retryEvent(ctx: MutationCtx, quarantined: Doc<"quarantine">): Promise<void> {
  const id = ctx.db.normalizeId("events", String(fieldsOf(quarantined)._id));
  const event = id === null ? null : await ctx.db.get("events", id);
  if (event === null) return;
  const changes = { commitTs: ctx.db.vars.commitTs, quarantined: undefined };
  await ctx.db.patch("events", event._id, changes);
}

/** As a row that comes late: in the totals by the worker, in its day by a re-roll. Who is online was told already. */
async function retryView(
  ctx: MutationCtx,
  site: string,
  quarantined: Doc<"quarantine">,
): Promise<void> {
  const stored = fieldsOf(quarantined);
  const id = ctx.db.normalizeId("pageViews", String(stored._id));
  const view = id === null ? null : await ctx.db.get("pageViews", id);
  if (view === null) return;
  await ctx.db.patch("pageViews", view._id, {
    commitTs: ctx.db.vars.commitTs,
    backfilled: true,
    quarantined: undefined,
  });
  const { sessionId, timestamp } = view;
  if (!Number.isFinite(timestamp) || timestamp < 0) return;
  const stretch = { site, sessionId, from: timestamp, until: timestamp };
  const { changedAt } = await rederive(ctx, stretch);
  const calendar = calendarOf((await readSite(ctx, site)).timeZone);
  await markStale(ctx, site, { instants: [timestamp, ...changedAt], calendar });
}

async function retryMove(
  ctx: MutationCtx,
  site: string,
  quarantined: Doc<"quarantine">,
): Promise<void> {
  const { from, to, sessions, left } = fieldsOf(quarantined);
  if (left !== undefined) {
    await logLeft(ctx, site, countsIn(left));
    return;
  }
  await logMove(ctx, site, {
    from: typeof from === "string" ? from : undefined,
    to: typeof to === "string" ? to : undefined,
    sessions: Number(sessions),
  });
}

/** As logLeft kept them. */
function countsIn(left: unknown): Map<string, number> {
  const { paths, sessions } = left as NonNullable<Doc<"presenceLog">["left"]>;
  return new Map(paths.map((path, place) => [path, sessions[place] ?? 0]));
}

function fieldsOf({ row }: Doc<"quarantine">): Record<string, unknown> {
  const json = JSON.parse(row) as JSONValue;
  const fields = jsonToConvex(json);
  return typeof fields === "object" && fields !== null ? { ...fields } : {};
}
