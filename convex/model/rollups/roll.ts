/**
 * Owns: adding log rows to the paths and to the roll-ups of their hours, in commit order, with the cursors moved in the
 * same transaction: the second of the worker's two steps.
 * Not: when that happens (rolling.ts), how paths change (panels.ts), which events are taken (events/drain.ts), or
 * days and months (sealing).
 *
 * It follows the headline: a row that is not settled is not rolled up. The roll-ups pass rows by that the backfill
 * handed over, because a re-roll makes their days. Rows that are put aside are in nothing.
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { MAX_UNROLLED_VIEWS } from "../../../domain/limits.ts";
import { RollupFormatError } from "../../../domain/rollups/bytes.ts";
import { addEvents } from "../../../domain/rollups/event.ts";
import type { LoggedEvent } from "../../../domain/rollups/event.ts";
import { emptyRollup } from "../../../domain/rollups/rollup.ts";
import type { Rollup } from "../../../domain/rollups/rollup.ts";
import { addViews } from "../../../domain/rollups/view.ts";
import type { LoggedView } from "../../../domain/rollups/view.ts";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { takeEvents } from "../events/drain.ts";
import { tellFilters } from "../filters/work.ts";
import { commitTsOf, readMoveBatch, readViewBatch } from "../log.ts";
import { noteMovements } from "../movements.ts";
import { countPaths } from "../panels.ts";
import { readSite } from "../sites.ts";
import { ensureWorker } from "../waking.ts";
import { isInSums, loggedViewOf } from "./logged.ts";
import { remakeSealed } from "../past/late.ts";
import { changeHour } from "./store.ts";

/** Rows of each log that one transaction takes; with a tied edge up to MAX_ROWS_PER_COMMIT more. */
const ROLL_BATCH_ROWS = MAX_UNROLLED_VIEWS;

/** Hours that one transaction rewrites: packed ones of a busy site are about 25 kB, and it may write 16 MiB. */
const MAX_BATCH_HOURS = 100;

export type RollOutcome = { views: number; isFull: boolean };

export async function rollBatch(ctx: MutationCtx, args: { site: string }): Promise<RollOutcome> {
  const { site } = args;
  const worker = await ensureWorker(ctx, site);
  const calendar = calendarOf((await readSite(ctx, site)).timeZone);
  const after = worker.rollupCursor ?? 0n;
  const range = { after, upTo: worker.viewCursor, limit: ROLL_BATCH_ROWS };
  const rows = await readViewBatch(ctx, site, range);
  const { passed, hours } = takeHours(rows, calendar);
  const moves = await takeMoves(ctx, worker);
  const events = await takeEvents(ctx, worker, {
    ...{ calendar, limit: ROLL_BATCH_ROWS, maxHours: MAX_BATCH_HOURS },
    taken: new Set(hours.keys()),
  });
  const kept = { views: passed.filter(isKept), moves };
  await countPaths(ctx, site, kept);
  const touched = new Set([...hours.keys(), ...events.hours.keys()]);
  for (const startsAt of touched) {
    const added = { views: hours.get(startsAt) ?? [], events: events.hours.get(startsAt) ?? [] };
    await addToHour(ctx, site, { startsAt, ...added, calendar });
  }
  await remakeSealed(ctx, site, { hours: touched, calendar });
  const last = passed.at(-1);
  const isNothing = last === undefined && moves.length === 0 && events.cursor === undefined;
  if (isNothing && !hasUnrolled(worker)) return { views: 0, isFull: false };
  const isFull =
    rows.length >= ROLL_BATCH_ROWS ||
    passed.length < rows.length ||
    moves.length >= ROLL_BATCH_ROWS ||
    events.isFull;
  // While more is left the next batch is due as this one was: who begins to watch does not wait for each.
  const rolledAt = isFull ? worker.rolledAt : Date.now();
  const hasUnnoted = await noteMovements(ctx, worker, kept);
  await ctx.db.patch("workers", worker._id, {
    rollupCursor: last === undefined ? after : commitTsOf(last),
    ...(events.cursor === undefined ? {} : { eventCursor: events.cursor }),
    unrolledViews: isFull ? Math.max(1, (worker.unrolledViews ?? 0) - passed.length) : 0,
    unrolledMoves: undefined,
    unrolledEvents: events.isFull ? 1 : undefined,
    rolledAt,
    hasUnnoted,
    rollDueAt: undefined,
    rollRun: undefined,
  });
  await tellFilters(ctx, site, worker);
  return { views: passed.length, isFull };
}

export function hasUnrolled(worker: Doc<"workers">): boolean {
  const { unrolledViews = 0, unrolledMoves = 0, unrolledEvents = 0 } = worker;
  return unrolledViews + unrolledMoves + unrolledEvents > 0;
}

/** The next moves that are in the headline; they leave the log. */
async function takeMoves(ctx: MutationCtx, worker: Doc<"workers">): Promise<Doc<"presenceLog">[]> {
  const upTo = worker.moveCursor ?? 0n;
  const moves = await readMoveBatch(ctx, worker.site, { after: 0n, upTo, limit: ROLL_BATCH_ROWS });
  for (const move of moves) await ctx.db.delete("presenceLog", move._id);
  return moves;
}

function isKept(row: Doc<"pageViews">): boolean {
  return row.quarantined !== true;
}

type Taken = { passed: Doc<"pageViews">[]; hours: Map<number, LoggedView[]> };

/** The rows from the front that fit into MAX_BATCH_HOURS, by hour; never half a commit, because the cursor could not say so. */
function takeHours(rows: readonly Doc<"pageViews">[], calendar: Calendar): Taken {
  const taken: Taken = { passed: [], hours: new Map() };
  for (const commit of commitsOf(rows)) {
    const views = commit.filter(isForRollUp).map(loggedViewOf);
    const starts = new Set(views.map(({ at }) => calendar.startOf("hour", at)));
    const fresh = [...starts].filter((startsAt) => !taken.hours.has(startsAt)).length;
    if (taken.hours.size > 0 && taken.hours.size + fresh > MAX_BATCH_HOURS) break;
    taken.passed.push(...commit);
    for (const view of views) {
      const startsAt = calendar.startOf("hour", view.at);
      const inHour = taken.hours.get(startsAt);
      if (inHour === undefined) taken.hours.set(startsAt, [view]);
      else inHour.push(view);
    }
  }
  return taken;
}

function isForRollUp(row: Doc<"pageViews">): boolean {
  return row.backfilled !== true && isInSums(row);
}

function commitsOf(rows: readonly Doc<"pageViews">[]): Doc<"pageViews">[][] {
  const commits: Doc<"pageViews">[][] = [];
  let commitTs: bigint | null = null;
  for (const row of rows) {
    if (commitTsOf(row) === commitTs) commits.at(-1)?.push(row);
    else commits.push([row]);
    commitTs = commitTsOf(row);
  }
  return commits;
}

type Added = { views: LoggedView[]; events: LoggedEvent[] };

async function addToHour(
  ctx: MutationCtx,
  site: string,
  { startsAt, views, events, calendar }: Added & { startsAt: number; calendar: Calendar },
): Promise<void> {
  await changeHour(ctx, site, startsAt, (read) => {
    const withViews = addViews(readable(read, { site, startsAt }), views, calendar);
    return events.length === 0 ? withViews : addEvents(withViews, events, calendar);
  });
}

/** A damaged hour begins anew instead of stalling all that follow; the nightly proof finds what it lacks, and a repair mends it. */
function readable(
  read: () => Rollup | null,
  { site, startsAt }: { site: string; startsAt: number },
): Rollup {
  const empty = emptyRollup("hour", startsAt);
  try {
    return read() ?? empty;
  } catch (error) {
    if (!(error instanceof RollupFormatError)) throw error;
    const hour = new Date(startsAt).toISOString();
    console.error(`The hour ${hour} of site "${site}" begins anew: ${error.message}`);
    return empty;
  }
}
