/**
 * Owns: the facts of a visitor's rows in time order: gaps, place in the visit, the visit's dimensions; kept right when
 * rows come into a history after the fact.
 * Not: which rows are counted, or the visitor's own row (derivation.ts).
 */
import { packValues, unpackValues } from "../../../domain/dimensions/packed.ts";
import { factsOf } from "../../../domain/rollups/visit.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { movedFromOf } from "../tally.ts";

type Row = Doc<"pageViews">;

/** Whose rows, and from the first to the last of those that came late. */
export type Stretch = {
  site: string;
  sessionId: string;
  from: number;
  until: number;
};

export type Rederived = {
  /** When the rows that changed were viewed. */
  changedAt: number[];
  /** The visitor's last row, when the walk reached it. */
  last: Row | null;
};

/** Rows of one visitor that one walk may pass: a browser makes far fewer within a chunk's time. */
const MAX_WALK = 4_000;

/** From here on a visit's sequence counts nothing but views: no figure depends on how far it is. */
const SETTLED_SEQUENCE = 3;

/** Gives every row of the stretch its facts, and those after it as far as they change. */
export async function rederive(ctx: MutationCtx, stretch: Stretch): Promise<Rederived> {
  const rows = rowsFrom(ctx, stretch);
  const pathSeen = new Map<string, number | undefined>();
  const latePaths = new Set<string>();
  const changedAt: number[] = [];
  const kept = await readBefore(ctx, stretch);
  const removed = kept === null ? await readRemoved(ctx, stretch) : null;
  let before = kept ?? removed;
  let passed = 0;
  for await (const row of rows) {
    const isLate = row.timestamp <= stretch.until;
    const seenAt = await lastOfPath(ctx, stretch, pathSeen, row);
    const isAsked = seenAt === undefined && removed !== null && row.visitSequence === undefined;
    const pathLastSeenAt = isAsked ? await removedOfPath(ctx, stretch, row.path) : seenAt;
    const facts = factsAfter(before, row, pathLastSeenAt);
    const isChanged = differs(row, facts);
    const isTied = before !== null && before.timestamp === row.timestamp;
    if (!isLate && !isChanged && !isTied) {
      await correctPaths(ctx, stretch, { pathSeen, latePaths, changedAt, row });
      return { changedAt, last: null };
    }
    if (isChanged) {
      await ctx.db.patch("pageViews", row._id, { ...facts, movedFrom: movedFromAfter(row, facts) });
      changedAt.push(row.timestamp);
    }
    if (isLate) latePaths.add(row.path);
    pathSeen.set(row.path, row.timestamp);
    before = { ...row, ...facts };
    passed += 1;
    if (passed > MAX_WALK) throw tooLong(stretch);
  }
  return { changedAt, last: before };
}

/** How many late rows a chunk may bring of one visitor, before the first that has its facts. */
const MAX_LATE = 500;

/**
 * The visitor's row before the stretch when retention has removed it: what the first row that came in its time says of
 * it. A row that is put before that one takes it over.
 */
async function readRemoved(ctx: QueryCtx, stretch: Stretch): Promise<Row | null> {
  const rows = await rowsFrom(ctx, stretch).take(MAX_LATE);
  const next = rows.find(({ visitSequence }) => visitSequence !== undefined);
  const before = next === undefined ? null : predecessorOf(next);
  return before !== null && before.timestamp < stretch.from ? before : null;
}

/** What a row says of the one before it; null when it is the visitor's first. */
export function predecessorOf(row: Row): Row | null {
  const { visitorLastSeenAt, previousPath = "", visitSequence = 1 } = row;
  if (visitorLastSeenAt === undefined) return null;
  const sequence = Math.max(1, visitSequence - 1);
  return { ...row, timestamp: visitorLastSeenAt, path: previousPath, visitSequence: sequence };
}

/** The same of a path: when it was seen before the stretch, as the next view of it says. */
async function removedOfPath(
  ctx: QueryCtx,
  { site, sessionId, from }: Stretch,
  path: string,
): Promise<number | undefined> {
  const rows = await ctx.db
    .query("pageViews")
    .withIndex("by_session_path", (q) =>
      q.eq("sessionId", sessionId).eq("path", path).eq("site", site).gte("timestamp", from),
    )
    .take(MAX_LATE);
  const next = rows.find(({ visitSequence }) => visitSequence !== undefined);
  const seenAt = next?.pathLastSeenAt;
  return seenAt !== undefined && seenAt < from ? seenAt : undefined;
}

/** The row is the first that stays as it is; its successors may still have seen their path at a late row. */
async function correctPaths(
  ctx: MutationCtx,
  { site, sessionId }: Stretch,
  walk: {
    pathSeen: Map<string, number | undefined>;
    latePaths: Set<string>;
    changedAt: number[];
    row: Row;
  },
): Promise<void> {
  for (const path of walk.latePaths) {
    const next = await ctx.db
      .query("pageViews")
      .withIndex("by_session_path", (q) =>
        q
          .eq("sessionId", sessionId)
          .eq("path", path)
          .eq("site", site)
          .gte("timestamp", walk.row.timestamp),
      )
      .first();
    const pathLastSeenAt = walk.pathSeen.get(path);
    if (next === null || next.pathLastSeenAt === pathLastSeenAt) continue;
    await ctx.db.patch("pageViews", next._id, { pathLastSeenAt });
    walk.changedAt.push(next.timestamp);
  }
}

export function rowsFrom(ctx: QueryCtx, { site, sessionId, from }: Stretch) {
  return ctx.db
    .query("pageViews")
    .withIndex("by_session_time", (q) =>
      q.eq("site", site).eq("sessionId", sessionId).gte("timestamp", from),
    );
}

/** The visitor's last row before the stretch. */
export async function readBefore(
  ctx: QueryCtx,
  { site, sessionId, from }: Stretch,
): Promise<Row | null> {
  return await ctx.db
    .query("pageViews")
    .withIndex("by_session_time", (q) =>
      q.eq("site", site).eq("sessionId", sessionId).gte("timestamp", 0).lt("timestamp", from),
    )
    .order("desc")
    .first();
}

/** When the visitor saw the row's path before: in this walk, or before the stretch. */
async function lastOfPath(
  ctx: QueryCtx,
  stretch: Stretch,
  pathSeen: Map<string, number | undefined>,
  { path }: Row,
): Promise<number | undefined> {
  return pathSeen.has(path) ? pathSeen.get(path) : await lastOfPathBefore(ctx, stretch, path);
}

/** When the visitor saw the path before the stretch. */
export async function lastOfPathBefore(
  ctx: QueryCtx,
  { site, sessionId, from }: Stretch,
  path: string,
): Promise<number | undefined> {
  const before = await ctx.db
    .query("pageViews")
    .withIndex("by_session_path", (q) =>
      q
        .eq("sessionId", sessionId)
        .eq("path", path)
        .eq("site", site)
        .gte("timestamp", 0)
        .lt("timestamp", from),
    )
    .order("desc")
    .first();
  return before?.timestamp;
}

export type Facts = Pick<
  Row,
  "visitorLastSeenAt" | "previousPath" | "pathLastSeenAt" | "visitSequence" | "dimensions"
>;

/** The facts of a row whose visitor's row before it is `before`. */
export function factsAfter(
  before: Row | null,
  row: Row,
  pathLastSeenAt: number | undefined,
): Facts {
  // Retention may have removed what was before: then the row itself is all that is known of it.
  if (before === null && row.visitSequence !== undefined) return factsOnly(row);
  const { visitSequence } = factsOf(
    before === null
      ? null
      : {
          lastSeenAt: before.timestamp,
          lastPath: before.path,
          visitSequence: before.visitSequence ?? 1,
        },
    null,
    row.timestamp,
  );
  const isSettled =
    visitSequence >= SETTLED_SEQUENCE && (row.visitSequence ?? 0) >= SETTLED_SEQUENCE;
  return {
    visitorLastSeenAt: before?.timestamp ?? row.visitorLastSeenAt,
    previousPath: before?.path ?? row.previousPath,
    pathLastSeenAt: pathLastSeenAt ?? row.pathLastSeenAt,
    visitSequence: isSettled ? row.visitSequence : visitSequence,
    dimensions:
      before !== null && visitSequence > 1 ? dimensionsAfter(before, row) : row.dimensions,
  };
}

/** A visit's values are those of its first view; the host is the view's own. */
function dimensionsAfter(before: Row, row: Row): string | undefined {
  const { host = "" } = unpackValues(row.dimensions ?? "");
  const values = { ...unpackValues(before.dimensions ?? ""), host };
  return packValues(values) || undefined;
}

export function differs(row: Row, facts: Facts): boolean {
  return (
    row.visitorLastSeenAt !== facts.visitorLastSeenAt ||
    row.previousPath !== facts.previousPath ||
    row.pathLastSeenAt !== facts.pathLastSeenAt ||
    row.visitSequence !== facts.visitSequence ||
    (row.dimensions ?? "") !== (facts.dimensions ?? "")
  );
}

/** A row that came from its previous path keeps where it came from, also when that is no longer its previous path. */
export function movedFromAfter(row: Row, facts: Facts): Row["movedFrom"] {
  return row.previousPath === facts.previousPath ? row.movedFrom : movedFromOf(row);
}

function factsOnly(facts: Facts): Facts {
  const { visitorLastSeenAt, previousPath, pathLastSeenAt, visitSequence, dimensions } = facts;
  return { visitorLastSeenAt, previousPath, pathLastSeenAt, visitSequence, dimensions };
}

function tooLong({ sessionId, from, until }: Stretch): Error {
  return new Error(
    `Visitor "${sessionId}" has more than ${MAX_WALK} rows around ${from} to ${until}, too many to derive in one go.`,
  );
}
