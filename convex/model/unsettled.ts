/**
 * Owns: what the settled numbers lack at this instant, added up in one bounded sum.
 * Not: the settled numbers, or how both are shown (stats.ts).
 */
import { MAX_TAIL_ROWS } from "../../domain/limits.ts";
import { normalisePath } from "../../domain/path.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";
import { commitTsOf, readMoveTail, readOldRows, readViewTail } from "./log.ts";
import { DEFAULT_SITE } from "./sites.ts";
import { readTimedOut } from "./sweep.ts";
import { addMove, addPresence, addView, emptyTally } from "./tally.ts";
import type { Tally } from "./tally.ts";
import { findVisitor } from "./visitors.ts";
import { readWorker } from "./waking.ts";

/** Rows of the original design that a reader counts itself while the backfill has not reached them: each may cost a look at its visitor. */
export const MAX_OLD_ROWS = 1_000;

export type Unread = {
  /** Its `paths` are what the rows of `paths` lack, all else what the headline lacks: the worker counts the headline first. */
  sum: Tally;
  /** More was unsettled than is in the sum. */
  isTruncated: boolean;
  /** Old rows seen; exact while fewer than MAX_OLD_ROWS. */
  oldRows: number;
};

/** What a settled reader lacks: only rows of the original design that are not backfilled. */
export async function sumOldRows(ctx: QueryCtx, site: string): Promise<Unread> {
  const sum = emptyTally();
  const oldRows = site === DEFAULT_SITE ? await addOldRows(ctx, sum) : 0;
  return { sum, oldRows, isTruncated: oldRows > MAX_OLD_ROWS };
}

/** What an instant reader lacks: also the tail of both logs, and that timed-out sessions are gone. */
export async function sumEverything(ctx: QueryCtx, site: string, now: number): Promise<Unread> {
  const { sum: old, oldRows, isTruncated } = await sumOldRows(ctx, site);
  const worker = await readWorker(ctx, site);
  const { viewCursor = 0n, moveCursor = 0n, rollupCursor = 0n } = worker ?? {};
  const limit = MAX_TAIL_ROWS;
  const views = await readViewTail(ctx, site, { after: rollupCursor, limit: limit + 1 });
  const moves = await readMoveTail(ctx, site, { after: 0n, limit: limit + 1 });
  const timedOut = await readTimedOut(ctx, site, { now, limit: limit + 1 });
  const byPath: Tally = { ...emptyTally(), paths: old.paths };
  const headline: Tally = { ...old, paths: new Map() };
  for (const view of views.slice(0, limit)) {
    if (view.quarantined === true) continue;
    const sums = commitTsOf(view) > viewCursor ? [byPath, headline] : [byPath];
    skipPoison(() => sums.forEach((sum) => addView(sum, view)));
  }
  for (const move of moves.slice(0, limit)) {
    const sums = commitTsOf(move) > moveCursor ? [byPath, headline] : [byPath];
    skipPoison(() => sums.forEach((sum) => addMove(sum, move)));
  }
  for (const { currentPath } of timedOut.slice(0, limit)) {
    for (const sum of [byPath, headline]) addPresence(sum, { from: currentPath, sessions: 1 });
  }
  const longest = Math.max(views.length, moves.length, timedOut.length);
  const sum = { ...headline, paths: byPath.paths };
  return { sum, oldRows, isTruncated: isTruncated || longest > limit };
}

/** Adds the oldest rows without commitTs as the backfill will count them. Returns how many it saw. */
async function addOldRows(ctx: QueryCtx, sum: Tally): Promise<number> {
  const rows = await readOldRows(ctx, MAX_OLD_ROWS + 1);
  const known = new Set<string>();
  for (const row of rows.slice(0, MAX_OLD_ROWS)) {
    const createdVisitor = await isFirstOfVisitor(ctx, row, known);
    skipPoison(() => addView(sum, { ...row, path: normalisePath(row.path), createdVisitor }));
  }
  return rows.length;
}

async function isFirstOfVisitor(
  ctx: QueryCtx,
  row: Doc<"pageViews">,
  known: Set<string>,
): Promise<boolean> {
  if (known.has(row.sessionId)) return false;
  known.add(row.sessionId);
  return (await findVisitor(ctx, DEFAULT_SITE, row.sessionId)) === null;
}

/** A row that the worker will put aside must not take the page down meanwhile; its error is in the log and in quarantine then. */
function skipPoison(add: () => void): void {
  try {
    add();
  } catch (error) {
    console.warn("A row cannot be counted and is left out:", String(error));
  }
}
