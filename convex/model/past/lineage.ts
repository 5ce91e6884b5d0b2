/**
 * Owns: the facts of a visitor's views and events in time order: gaps, place in the visit, the visit's dimensions; kept
 * right when views come into a history after the fact.
 * Not: reading them in that order (actions.ts), which rows are counted, or the visitor's own row (derivation.ts).
 */
import { packValues, unpackValues } from "../../../domain/dimensions/packed.ts";
import { factsOf, factsOfEvent } from "../../../domain/rollups/visit.ts";
import type { VisitState } from "../../../domain/rollups/visit.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { movedFromOf } from "../tally.ts";
import {
  actionsFrom,
  afterEvent,
  afterView,
  readBefore,
  valuesOfVisit,
  viewsFrom,
} from "./actions.ts";
import type { Before } from "./actions.ts";

type Row = Doc<"pageViews">;
type EventRow = Doc<"events">;

/** Whose rows, and from the first to the last of those that came late. */
export type Stretch = {
  site: string;
  sessionId: string;
  from: number;
  until: number;
};

export type Rederived = {
  /** When the rows that changed were viewed or sent. */
  changedAt: number[];
  /** What is known of the visitor after their last row, when the walk reached it. */
  last: Before | null;
};

/** Rows of one visitor that one walk may pass: a browser makes far fewer within a chunk's time. */
const MAX_WALK = 4_000;

/** From here on a visit's sequence counts on and nothing else: no figure depends on how far it is. */
const SETTLED_SEQUENCE = 3;

type Walk = {
  /** Newest row of each path that was passed. */
  pathSeen: Map<string, number | undefined>;
  /** Paths of the rows that came late. */
  latePaths: Set<string>;
  changedAt: number[];
};

/**
 * Gives every row of the stretch its facts, and those after it as far as they change. Only a view may end the walk: an
 * event that stays as it is does not show that its visitor's last view is another one now.
 */
export async function rederive(ctx: MutationCtx, stretch: Stretch): Promise<Rederived> {
  const walk: Walk = { pathSeen: new Map(), latePaths: new Set(), changedAt: [] };
  const { changedAt } = walk;
  const kept = await readBefore(ctx, stretch);
  const removed = kept?.timestamp === undefined ? await readRemoved(ctx, stretch) : null;
  // Of a visit of which retention has left events alone, the next view says when its last view was.
  let before =
    kept === null ? removed : { ...kept, timestamp: kept.timestamp ?? removed?.timestamp };
  let lastAt: number | undefined;
  let passed = 0;
  for await (const action of actionsFrom(ctx, stretch)) {
    const { timestamp } = action.row;
    if (action.kind === "event") {
      before = await placeEvent(ctx, before, { row: action.row, changedAt });
    } else {
      const { row } = action;
      const seenAt = await lastOfPath(ctx, stretch, walk.pathSeen, row);
      const isAsked = seenAt === undefined && removed !== null && row.visitSequence === undefined;
      const pathLastSeenAt = isAsked ? await removedOfPath(ctx, stretch, row.path) : seenAt;
      const facts = factsAfter(before, row, pathLastSeenAt);
      const isLate = timestamp <= stretch.until;
      const isTied = timestamp === (lastAt ?? before?.timestamp);
      if (!isLate && !isTied && !differs(row, facts)) {
        await correctPaths(ctx, stretch, { ...walk, row });
        return { changedAt, last: null };
      }
      await placeView(ctx, walk, { row, facts, isLate });
      before = afterView(row, facts);
    }
    lastAt = timestamp;
    passed += 1;
    if (passed > MAX_WALK) throw tooLong(stretch);
  }
  return { changedAt, last: before };
}

async function placeView(
  ctx: MutationCtx,
  { pathSeen, latePaths, changedAt }: Walk,
  { row, facts, isLate }: { row: Row; facts: Facts; isLate: boolean },
): Promise<void> {
  if (differs(row, facts)) {
    await ctx.db.patch("pageViews", row._id, { ...facts, movedFrom: movedFromAfter(row, facts) });
    changedAt.push(row.timestamp);
  }
  if (isLate) latePaths.add(row.path);
  pathSeen.set(row.path, row.timestamp);
}

/** Gives an event its facts, and says what is known of the visitor after it. `isFirst`: there was nothing before it, also nothing that retention removed. */
export async function placeEvent(
  ctx: MutationCtx,
  before: Before | null,
  { row, changedAt, isFirst = false }: { row: EventRow; changedAt: number[]; isFirst?: boolean },
): Promise<Before | null> {
  const facts = isFirst ? NO_VISIT : eventFactsAfter(before, row);
  const isSame = EVENT_FACTS.every((name) => row[name] === facts[name]);
  if (!isSame) {
    await ctx.db.patch("events", row._id, facts);
    changedAt.push(row.timestamp);
  }
  return afterEvent(before, row, facts);
}

/** How many late rows a chunk may bring of one visitor, before the first that has its facts. */
const MAX_LATE = 500;

/**
 * The visitor's row before the stretch when retention has removed it: what the first row that came in its time says of
 * it. A row that is put before that one takes it over.
 */
async function readRemoved(ctx: QueryCtx, stretch: Stretch): Promise<Before | null> {
  const rows = await viewsFrom(ctx, stretch).take(MAX_LATE);
  const next = rows.find(({ visitSequence }) => visitSequence !== undefined);
  const before = next === undefined ? null : predecessorOf(next);
  return before !== null && (before.timestamp ?? stretch.from) < stretch.from ? before : null;
}

/** What a row says of the one before it; null when it is the visitor's first. */
export function predecessorOf(row: Row): Before | null {
  const { visitorLastSeenAt, previousPath = "", visitSequence = 1, dimensions, lastEventAt } = row;
  if (visitorLastSeenAt === undefined) return null;
  const sequence = Math.max(1, visitSequence - 1);
  const lastView = { timestamp: visitorLastSeenAt, path: previousPath };
  return { ...lastView, visitSequence: sequence, dimensions, lastEventAt };
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
  walk: Walk & { row: Row },
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
  | "visitorLastSeenAt"
  | "lastEventAt"
  | "previousPath"
  | "pathLastSeenAt"
  | "visitSequence"
  | "dimensions"
>;

/** The facts of a view before which `before` is known of its visitor. */
export function factsAfter(
  before: Before | null,
  row: Row,
  pathLastSeenAt: number | undefined,
): Facts {
  // Retention may have removed what was before: then the row itself is all that is known of it.
  if (before === null && row.visitSequence !== undefined) return factsOnly(row);
  const { visitSequence, lastEventAt } = factsOf(stateOf(before), null, row.timestamp);
  return {
    visitorLastSeenAt: before?.timestamp ?? row.visitorLastSeenAt,
    lastEventAt: lastEventAt ?? undefined,
    previousPath: before?.path ?? row.previousPath,
    pathLastSeenAt: pathLastSeenAt ?? row.pathLastSeenAt,
    visitSequence: settled(visitSequence, row),
    dimensions:
      before !== null && visitSequence > 1 ? dimensionsAfter(before, row) : row.dimensions,
  };
}

const EVENT_FACTS = ["visitSequence", "lastActiveAt", "previousPath", "dimensions"] as const;

const NO_VISIT: EventFacts = {
  visitSequence: undefined,
  lastActiveAt: undefined,
  previousPath: undefined,
  dimensions: undefined,
};

type EventFacts = Pick<EventRow, (typeof EVENT_FACTS)[number]>;

/** The facts of an interactive event. */
function eventFactsAfter(before: Before | null, row: EventRow): EventFacts {
  if (before === null && row.visitSequence !== undefined) {
    const { visitSequence, lastActiveAt, previousPath, dimensions } = row;
    return { visitSequence, lastActiveAt, previousPath, dimensions };
  }
  const facts = factsOfEvent(stateOf(before), row.timestamp);
  if (facts === null) return NO_VISIT;
  return {
    ...facts,
    visitSequence: settled(facts.visitSequence, row),
    dimensions: valuesOfVisit(before?.dimensions),
  };
}

function stateOf(before: Before | null): VisitState | null {
  if (before === null) return null;
  const { timestamp, lastEventAt, path, visitSequence = 1 } = before;
  return {
    lastSeenAt: timestamp ?? lastEventAt ?? 0,
    lastEventAt,
    lastPath: path,
    visitSequence,
  };
}

/** A sequence that is past what counts stays as it is stored. */
function settled(visitSequence: number, row: { visitSequence?: number | undefined }) {
  const isSettled =
    visitSequence >= SETTLED_SEQUENCE && (row.visitSequence ?? 0) >= SETTLED_SEQUENCE;
  return isSettled ? row.visitSequence : visitSequence;
}

/** A visit's values are those of its first view; the host is the view's own. */
function dimensionsAfter(before: Before, row: Row): string | undefined {
  const { host = "" } = unpackValues(row.dimensions ?? "");
  const values = { ...unpackValues(before.dimensions ?? ""), host };
  return packValues(values) || undefined;
}

export function differs(row: Row, facts: Facts): boolean {
  return (
    row.visitorLastSeenAt !== facts.visitorLastSeenAt ||
    row.lastEventAt !== facts.lastEventAt ||
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
  const { visitorLastSeenAt, lastEventAt, previousPath } = facts;
  const { pathLastSeenAt, visitSequence, dimensions } = facts;
  return {
    ...{ visitorLastSeenAt, lastEventAt, previousPath },
    ...{ pathLastSeenAt, visitSequence, dimensions },
  };
}

function tooLong({ sessionId, from, until }: Stretch): Error {
  return new Error(
    `Visitor "${sessionId}" has more than ${MAX_WALK} rows around ${from} to ${until}, too many to derive in one go.`,
  );
}
