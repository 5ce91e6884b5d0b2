/**
 * Owns: a visitor's history when rows leave it: the facts of those that stay, and the visitor's own row.
 * Not: rows that come into it (past/lineage.ts), or the numbers that change (uncounting.ts).
 *
 * What stays takes over what a leaving row knew of the past before it, also where retention has removed that past.
 */
import { IN_NO_VISIT } from "../../../domain/rollups/visit.ts";
import type { Doc, Id } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { removeReportsOf } from "../engagement/retention.ts";
import { actionsFrom, afterEvent, afterView, readBefore, visitorAfter } from "../past/actions.ts";
import type { Before } from "../past/actions.ts";
import {
  differs,
  factsAfter,
  lastOfPathBefore,
  movedFromAfter,
  placeEvent,
  predecessorOf,
} from "../past/lineage.ts";
import type { Facts } from "../past/lineage.ts";
import { findVisitor } from "../visitors.ts";

type Row = Doc<"pageViews">;

export type Unlinked = {
  /** When the rows that stay and changed were viewed. */
  changedAt: number[];
  /** The visitor is in no row of the log any more, and in none that retention removed. */
  isForgotten: boolean;
};

type Walk = {
  stretch: { site: string; sessionId: string; from: number; until: number };
  leaving: ReadonlySet<Id<"pageViews">>;
  /** When the visitor last saw a path, at this point of the walk. */
  pathSeen: Map<string, number | undefined>;
  /** Paths of leaving rows whose next view has not been passed. */
  open: Set<string>;
  changedAt: number[];
};

/** Removes rows of one visitor, or of nobody, at least one, from the log. */
export async function unlink(ctx: MutationCtx, rows: readonly Row[]): Promise<Unlinked> {
  const sorted = [...rows].sort((a, b) => a.timestamp - b.timestamp);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first?.site === undefined || last === undefined) {
    throw new Error("Rows that leave the log must be of a site, and at least one.");
  }
  const { site, sessionId } = first;
  if (first.visitSequence === IN_NO_VISIT) {
    await remove(ctx, rows);
    return { changedAt: [], isForgotten: false };
  }
  const walk: Walk = {
    stretch: { site, sessionId, from: first.timestamp, until: last.timestamp },
    leaving: new Set(rows.map(({ _id }) => _id)),
    pathSeen: new Map(),
    open: new Set(),
    changedAt: [],
  };
  const { isAtEnd, newest } = await walkOn(ctx, walk);
  await remove(ctx, rows);
  const oldest = await readOldest(ctx, site, sessionId);
  const isCreatorGone = rows.some(({ createdVisitor }) => createdVisitor === true);
  if (oldest !== null && isCreatorGone) {
    await ctx.db.patch("pageViews", oldest._id, { createdVisitor: true });
  }
  await correctVisitor(ctx, walk, { oldest, newest: isAtEnd ? newest : undefined });
  const isFirst = rows.some(({ visitorLastSeenAt }) => visitorLastSeenAt === undefined);
  return { changedAt: walk.changedAt, isForgotten: oldest === null && isFirst };
}

async function remove(ctx: MutationCtx, rows: readonly Row[]): Promise<void> {
  for (const { _id } of rows) {
    await removeReportsOf(ctx, _id);
    await ctx.db.delete("pageViews", _id);
  }
}

/** Gives the rows that stay their facts, as far as they change. `newest` is what is known after the last one that stays, when the walk came to the end. */
async function walkOn(
  ctx: MutationCtx,
  walk: Walk,
): Promise<{ isAtEnd: boolean; newest: Before | null }> {
  let newest = await readBefore(ctx, walk.stretch);
  let before: Before | null | undefined = newest ?? undefined;
  for await (const action of actionsFrom(ctx, walk.stretch)) {
    if (action.kind === "event") {
      newest = await passEvent(ctx, walk, { row: action.row, before });
      before = newest ?? (before === undefined ? undefined : null);
      continue;
    }
    const { row } = action;
    if (before === undefined) before = predecessorOf(row);
    else if (before !== null && before.timestamp === undefined) {
      // Retention has left events alone of what was before: when the last view was says the next.
      before = newest = { ...before, timestamp: row.visitorLastSeenAt };
    }
    if (walk.leaving.has(row._id)) {
      await passLeaving(ctx, walk, row);
      continue;
    }
    const facts = factsWithout(before, row, walk.pathSeen);
    const isChanged = differs(row, facts);
    if (row.timestamp > walk.stretch.until && !isChanged) {
      await correctPaths(ctx, walk, row);
      return { isAtEnd: false, newest: null };
    }
    if (isChanged) await change(ctx, walk, row, facts);
    walk.pathSeen.set(row.path, row.timestamp);
    walk.open.delete(row.path);
    before = newest = afterView(row, facts);
  }
  return { isAtEnd: true, newest };
}

/** `before` is undefined where only the first view says what was before it: then the event stays as it is. */
async function passEvent(
  ctx: MutationCtx,
  { changedAt }: Walk,
  { row, before }: { row: Doc<"events">; before: Before | null | undefined },
): Promise<Before | null> {
  if (before === undefined) return afterEvent(null, row, row);
  return await placeEvent(ctx, before, { row, changedAt, isFirst: before === null });
}

async function passLeaving(ctx: QueryCtx, walk: Walk, row: Row): Promise<void> {
  walk.open.add(row.path);
  if (walk.pathSeen.has(row.path)) return;
  const seenAt = await lastOfPathBefore(ctx, walk.stretch, row.path);
  walk.pathSeen.set(row.path, seenAt ?? row.pathLastSeenAt);
}

async function change(ctx: MutationCtx, walk: Walk, row: Row, facts: Facts): Promise<void> {
  const movedFrom = movedFromAfter(row, facts);
  await ctx.db.patch("pageViews", row._id, { ...facts, movedFrom });
  walk.changedAt.push(row.timestamp);
}

function factsWithout(
  before: Before | null,
  row: Row,
  pathSeen: ReadonlyMap<string, number | undefined>,
): Facts {
  const pathLastSeenAt = pathSeen.has(row.path) ? pathSeen.get(row.path) : row.pathLastSeenAt;
  if (before !== null) return { ...factsAfter(before, row, pathLastSeenAt), pathLastSeenAt };
  return {
    visitorLastSeenAt: undefined,
    lastEventAt: undefined,
    previousPath: undefined,
    pathLastSeenAt,
    visitSequence: 1,
    dimensions: row.dimensions,
  };
}

/** The rows from here on stay as they are, apart from the next view of each path that a leaving row was of. */
async function correctPaths(ctx: MutationCtx, walk: Walk, { timestamp }: Row): Promise<void> {
  const { site, sessionId } = walk.stretch;
  for (const path of walk.open) {
    const next = await ctx.db
      .query("pageViews")
      .withIndex("by_session_path", (q) =>
        q.eq("sessionId", sessionId).eq("path", path).eq("site", site).gte("timestamp", timestamp),
      )
      .first();
    const pathLastSeenAt = walk.pathSeen.get(path);
    if (next === null || next.pathLastSeenAt === pathLastSeenAt) continue;
    await ctx.db.patch("pageViews", next._id, { pathLastSeenAt });
    walk.changedAt.push(next.timestamp);
  }
}

async function readOldest(ctx: QueryCtx, site: string, sessionId: string): Promise<Row | null> {
  return await ctx.db
    .query("pageViews")
    .withIndex("by_session_time", (q) => q.eq("site", site).eq("sessionId", sessionId))
    .first();
}

/** `newest` is undefined where a row that stays as it is comes after those that left. */
async function correctVisitor(
  ctx: MutationCtx,
  { stretch }: Walk,
  { oldest, newest }: { oldest: Row | null; newest: Before | null | undefined },
): Promise<void> {
  const visitor = await findVisitor(ctx, stretch.site, stretch.sessionId);
  if (visitor === null) return;
  if (oldest === null) {
    await ctx.db.delete("visitors", visitor._id);
    return;
  }
  const isFirstGone = visitor.firstSeenAt === stretch.from && oldest.timestamp > stretch.from;
  const first = isFirstGone ? { firstSeenAt: oldest.timestamp } : {};
  const last = newest ? visitorAfter(newest) : {};
  await ctx.db.patch("visitors", visitor._id, { ...first, ...last });
}
