/**
 * Owns: what a row of the original design becomes: its site, its normalised path, its place in a visit, its visitor.
 * Not: the job around it (backfill.ts), what follows for the rows around it (past/lineage.ts), or the counting
 * (settling.ts, past/).
 */
import { calendarOf } from "../../domain/calendar/calendar.ts";
import { normalisePath } from "../../domain/path.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { readOldestEvent } from "./events/log.ts";
import { afterView, valuesOfVisit, visitorAfter } from "./past/actions.ts";
import type { Before } from "./past/actions.ts";
import { factsAfter, rederive } from "./past/lineage.ts";
import type { Facts } from "./past/lineage.ts";
import { markStale } from "./past/sealing.ts";
import { findSealing } from "./rollups/sealed.ts";
import { readSite } from "./sites.ts";
import { findVisitor } from "./visitors.ts";

type Row = Doc<"pageViews">;

/**
 * Gives rows, in time order, everything that a new view has, also where live views of the same visitor exist already;
 * their days are to be made anew then.
 */
export async function deriveRows(
  ctx: MutationCtx,
  site: string,
  rows: readonly Row[],
): Promise<void> {
  const handedOver: Row[] = [];
  for (const row of await withoutExpired(ctx, site, rows)) {
    const late = await handOver(ctx, site, row);
    if (isPlaceable(row)) handedOver.push(late);
  }
  const instants = await placeRows(ctx, site, handedOver);
  const { timeZone } = await readSite(ctx, site);
  await markStale(ctx, site, { instants, calendar: calendarOf(timeZone) });
}

/** Puts rows of the log, in time order, into the histories of their visitors. Returns when they and the rows that changed by them were viewed. */
export async function placeRows(
  ctx: MutationCtx,
  site: string,
  rows: readonly Row[],
): Promise<number[]> {
  const changedAt: number[] = [];
  const histories = new Map<string, Row[]>();
  for (const row of rows) {
    changedAt.push(row.timestamp);
    const history = histories.get(row.sessionId) ?? [];
    histories.set(row.sessionId, history);
    history.push(row);
  }
  const hasEvents = (await readOldestEvent(ctx, site)) !== null;
  for (const [sessionId, history] of histories) {
    changedAt.push(...(await place(ctx, site, { sessionId, history, hasEvents })));
  }
  return changedAt;
}

/** A row that retention would have removed is removed, not counted: the day to which it belongs is closed for good. */
async function withoutExpired(
  ctx: MutationCtx,
  site: string,
  rows: readonly Row[],
): Promise<Row[]> {
  const rowsSince = (await findSealing(ctx, site))?.rowsSince ?? 0;
  const isExpired = (row: Row) => isPlaceable(row) && row.timestamp < rowsSince;
  const expired = rows.filter(isExpired);
  for (const row of expired) await ctx.db.delete("pageViews", row._id);
  if (expired.length > 0) {
    console.warn(
      `${expired.length} old rows of site "${site}" are from before what retention keeps and were removed.`,
    );
  }
  return rows.filter((row) => !isExpired(row));
}

/** From now on the row is in the site's log, and the worker adds it to the all-time totals. */
async function handOver(ctx: MutationCtx, site: string, row: Row): Promise<Row> {
  const changes = { site, path: normalisePath(row.path), backfilled: true };
  await ctx.db.patch("pageViews", row._id, { ...changes, commitTs: ctx.db.vars.commitTs });
  return { ...row, ...changes };
}

/** A row whose time makes no sense has no place in a history: the worker will put it aside. */
function isPlaceable(row: Row): boolean {
  return Number.isFinite(row.timestamp) && row.timestamp >= 0;
}

/** `hasEvents`: the site has some, so a visitor who never viewed may have sent one. */
type Late = { sessionId: string; history: readonly Row[]; hasEvents: boolean };

/** Puts one visitor's late rows into their history. Returns when the other rows that changed were viewed. */
async function place(ctx: MutationCtx, site: string, late: Late): Promise<number[]> {
  const { sessionId, history, hasEvents } = late;
  const first = history[0]?.timestamp ?? 0;
  const visitor = await findVisitor(ctx, site, sessionId);
  if (visitor === null) {
    await placeNew(ctx, site, late);
    if (!hasEvents) return [];
  }
  const until = history.at(-1)?.timestamp ?? first;
  const { changedAt, last } = await rederive(ctx, { site, sessionId, from: first, until });
  const placed = visitor ?? (await findVisitor(ctx, site, sessionId));
  if (placed === null) return changedAt;
  const firstSeenAt = Math.min(placed.firstSeenAt, first);
  const seen = last === null ? {} : visitorAfter(last);
  await ctx.db.patch("visitors", placed._id, { firstSeenAt, ...seen });
  return changedAt;
}

/** The common case, without a look at neighbours: nothing was known of this visitor, unless they sent events. */
async function placeNew(
  ctx: MutationCtx,
  site: string,
  { sessionId, history }: Late,
): Promise<void> {
  const pathSeen = new Map<string, number>();
  let before: Before | null = null;
  for (const row of history) {
    const facts: Facts = factsAfter(before, row, pathSeen.get(row.path));
    const createdVisitor = before === null ? { createdVisitor: true } : {};
    await ctx.db.patch("pageViews", row._id, { ...facts, ...createdVisitor });
    pathSeen.set(row.path, row.timestamp);
    before = afterView(row, facts);
  }
  if (before === null) return;
  const { timestamp = 0, path, visitSequence, dimensions, lastEventAt } = before;
  await ctx.db.insert("visitors", {
    ...{ site, sessionId, firstSeenAt: history[0]?.timestamp ?? 0, recentEventIds: [] },
    ...{ lastSeenAt: timestamp, lastPath: path, visitSequence, lastEventAt },
    dimensions: valuesOfVisit(dimensions),
  });
}
