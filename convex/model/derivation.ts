/**
 * Owns: what a row of the original design becomes: its site, its normalised path, its gaps, its visitor.
 * Not: the job around it (backfill.ts), or the counting (settling.ts).
 */
import { normalisePath } from "../../domain/path.ts";
import type { Doc, Id } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { findPathLastSeenAt, insertIntoHistory } from "./history.ts";
import type { Gaps } from "./history.ts";
import { findVisitor } from "./visitors.ts";

/** A visitor while a chunk is worked on: written once, at its end. */
type Track = {
  /** Missing while the visitor has no row. */
  id: Id<"visitors"> | undefined;
  firstSeenAt: number;
  lastSeenAt: number;
  lastPath: string;
  /** When each path was last seen, as far as this chunk knows. */
  paths: Map<string, number | undefined>;
};

/** Gives rows, in time order, everything that a new view has, also where live views of the same visitor exist already. */
export async function deriveRows(
  ctx: MutationCtx,
  site: string,
  rows: readonly Doc<"pageViews">[],
): Promise<void> {
  const tracks = new Map<string, Track>();
  for (const row of rows) {
    const path = normalisePath(row.path);
    const facts = isPlaceable(row) ? await place(ctx, site, { ...row, path }, tracks) : {};
    const { commitTs } = ctx.db.vars;
    await ctx.db.patch("pageViews", row._id, { ...facts, site, path, commitTs, backfilled: true });
  }
  for (const [sessionId, track] of tracks) await storeTrack(ctx, { site, sessionId, track });
}

/** A row whose time makes no sense has no place in a history: the worker will put it aside. */
function isPlaceable(row: Doc<"pageViews">): boolean {
  return Number.isFinite(row.timestamp) && row.timestamp >= 0;
}

async function place(
  ctx: MutationCtx,
  site: string,
  row: Doc<"pageViews">,
  tracks: Map<string, Track>,
): Promise<Gaps & { createdVisitor?: boolean }> {
  const { sessionId, path, timestamp } = row;
  const track = tracks.get(sessionId) ?? (await openTrack(ctx, site, sessionId));
  if (track === null) {
    tracks.set(sessionId, newTrack(path, timestamp));
    return { createdVisitor: true };
  }
  tracks.set(sessionId, track);
  const gaps =
    timestamp >= track.lastSeenAt
      ? await appendToHistory(ctx, { site, sessionId, path, timestamp }, track)
      : await insertIntoHistory(ctx, { site, sessionId, path, timestamp });
  passThrough(track, path, timestamp);
  return gaps;
}

async function openTrack(ctx: MutationCtx, site: string, sessionId: string): Promise<Track | null> {
  const visitor = await findVisitor(ctx, site, sessionId);
  if (visitor === null) return null;
  const { _id: id, firstSeenAt, lastSeenAt, lastPath } = visitor;
  return { id, firstSeenAt, lastSeenAt, lastPath, paths: new Map() };
}

function newTrack(path: string, at: number): Track {
  const paths = new Map([[path, at]]);
  return { id: undefined, firstSeenAt: at, lastSeenAt: at, lastPath: path, paths };
}

/** The common case, without a look at neighbours: nothing of this visitor is later. */
async function appendToHistory(
  ctx: MutationCtx,
  moment: { site: string; sessionId: string; path: string; timestamp: number },
  track: Track,
): Promise<Gaps> {
  const isKnown = track.id === undefined || track.paths.has(moment.path);
  const pathLastSeenAt = isKnown
    ? track.paths.get(moment.path)
    : await findPathLastSeenAt(ctx, moment);
  return { visitorLastSeenAt: track.lastSeenAt, previousPath: track.lastPath, pathLastSeenAt };
}

function passThrough(track: Track, path: string, at: number): void {
  track.paths.set(path, at);
  track.firstSeenAt = Math.min(track.firstSeenAt, at);
  if (at < track.lastSeenAt) return;
  track.lastSeenAt = at;
  track.lastPath = path;
}

async function storeTrack(
  ctx: MutationCtx,
  { site, sessionId, track }: { site: string; sessionId: string; track: Track },
): Promise<void> {
  const { id, firstSeenAt, lastSeenAt, lastPath } = track;
  if (id !== undefined) {
    await ctx.db.patch("visitors", id, { firstSeenAt, lastSeenAt, lastPath });
  } else {
    const seen = { firstSeenAt, lastSeenAt, lastPath, recentEventIds: [] };
    await ctx.db.insert("visitors", { site, sessionId, ...seen });
  }
}
