/**
 * Owns: what log rows add up to: one pure sum that the worker and the instant reader share.
 * Not: where rows come from or where sums go.
 */
import type { Doc } from "../_generated/dataModel.js";
import { assertConsistent } from "../../domain/rollups/view.ts";
import { IN_NO_VISIT } from "../../domain/rollups/visit.ts";
import type { Unsettled } from "./log.ts";
import { isInSums, loggedViewOf } from "./rollups/logged.ts";

export type PathTally = {
  views: number;
  online: number;
  pageType?: string;
  title?: string | undefined;
};

export type Tally = {
  views: number;
  createdVisitors: number;
  online: number;
  /** Epoch ms of the first view; undefined when there is none. */
  firstAt: number | undefined;
  timestamps: number[];
  paths: Map<string, PathTally>;
};

export function emptyTally(): Tally {
  const paths = new Map<string, PathTally>();
  return { views: 0, createdVisitors: 0, online: 0, firstAt: undefined, timestamps: [], paths };
}

/** Adds the rows up. Throws on a row that cannot be counted. */
export function tally({ views, moves }: Unsettled): Tally {
  const sum = emptyTally();
  for (const view of views) addView(sum, view);
  for (const move of moves) addMove(sum, move);
  return sum;
}

export function addView(sum: Tally, view: Doc<"pageViews">): void {
  assertCountable(view);
  sum.views += 1;
  sum.timestamps.push(view.timestamp);
  sum.firstAt = Math.min(sum.firstAt ?? view.timestamp, view.timestamp);
  if (view.createdVisitor === true) sum.createdVisitors += 1;
  const path = pathTally(sum, view.path);
  path.views += 1;
  path.pageType = view.pageType;
  path.title = view.title ?? path.title;
  const move = moveOf(view);
  if (move !== null) addPresence(sum, move);
}

/** What a view says of who is online; null of history that came late, and of nobody, who is never online. */
export function moveOf(view: Doc<"pageViews">): Move | null {
  const isLive = view.backfilled !== true && view.commitTs !== undefined;
  if (!isLive || view.visitSequence === IN_NO_VISIT) return null;
  return { from: movedFromOf(view), to: view.path, sessions: 1 };
}

/** Where the view's session was online right before; undefined when it was not. */
export function movedFromOf({
  movedFrom,
  previousPath,
}: Pick<Doc<"pageViews">, "movedFrom" | "previousPath">): string | undefined {
  return movedFrom === true ? previousPath : movedFrom;
}

export function addMove(sum: Tally, move: Doc<"presenceLog">): void {
  const parts = partsOf(move);
  for (const { sessions } of parts) {
    if (Number.isSafeInteger(sessions) && sessions >= 1) continue;
    throw new Error(`Move ${move._id} is of ${sessions} sessions; wanted a whole number from 1.`);
  }
  for (const part of parts) addPresence(sum, part);
}

export type Move = { from?: string | undefined; to?: string | undefined; sessions: number };

/** The moves that a row tells of. */
export function partsOf({ from, to, sessions = 0, left }: Doc<"presenceLog">): Move[] {
  if (left === undefined) return [{ from, to, sessions }];
  return left.paths.map((path, place) => ({ from: path, sessions: left.sessions[place] ?? 0 }));
}

/** `sessions` sessions went from one path to another; either may be missing. */
export function addPresence(sum: Tally, { from, to, sessions }: Move): void {
  if (from !== undefined) {
    sum.online -= sessions;
    pathTally(sum, from).online -= sessions;
  }
  if (to !== undefined) {
    sum.online += sessions;
    pathTally(sum, to).online += sessions;
  }
}

function pathTally(sum: Tally, path: string): PathTally {
  let found = sum.paths.get(path);
  if (found === undefined) {
    found = { views: 0, online: 0 };
    sum.paths.set(path, found);
  }
  return found;
}

function assertCountable(view: Doc<"pageViews">): void {
  if (!Number.isFinite(view.timestamp) || view.timestamp < 0) {
    throw new Error(`View ${view._id} has timestamp ${view.timestamp}; wanted epoch ms.`);
  }
  if (!view.path.startsWith("/")) {
    throw new Error(
      `View ${view._id} has path "${view.path.slice(0, 64)}"; wanted one that begins with "/".`,
    );
  }
  // What the roll-ups could not count must not be in the headline either.
  if (isInSums(view)) assertConsistent(loggedViewOf(view));
}

/** False for a row that the worker puts aside, whether it has done so yet or not. */
export function isCountable(view: Doc<"pageViews">): boolean {
  try {
    assertCountable(view);
    return true;
  } catch {
    return false;
  }
}
