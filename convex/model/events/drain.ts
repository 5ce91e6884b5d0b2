/**
 * Owns: the part of the worker that is about events: which ones a run of the roll-ups takes, which it puts aside, and
 * that it is told when some wait.
 * Not: the roll-ups (rollups/roll.ts), reading the log (log.ts).
 *
 * Events have no headline, so they have one cursor, which moves in the transaction that rolls them up.
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import type { LoggedEvent } from "../../../domain/rollups/event.ts";
import { LAST_INSTANT } from "../../../domain/rollups/view.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { commitTsOf } from "../log.ts";
import { MAX_ALL_POISON } from "../halving.ts";
import { putAside } from "../putAside.ts";
import { countWaiting, countWaitingToTheEnd, readEventBatch } from "./log.ts";
import { loggedEventOf } from "./logged.ts";

type Row = Doc<"events">;
type Worker = Doc<"workers">;

export type TakenEvents = {
  hours: Map<number, LoggedEvent[]>;
  /** The cursor after them; missing when none was taken. */
  cursor: bigint | undefined;
  isFull: boolean;
};

/**
 * The next events by hour: from the front as many as fit into `maxHours` hours, of which `taken` are rewritten anyway.
 * Never half a commit, because the cursor could not say so.
 */
export async function takeEvents(
  ctx: MutationCtx,
  worker: Worker,
  options: { calendar: Calendar; limit: number; maxHours: number; taken: ReadonlySet<number> },
): Promise<TakenEvents> {
  const { calendar, limit, maxHours } = options;
  const range = { after: worker.eventCursor ?? 0n, upTo: ctx.meta.getSnapshotTs(), limit };
  const rows = await readEventBatch(ctx, worker.site, range);
  const taken = new Set(options.taken);
  const passed: Row[] = [];
  for (const commit of commitsOf(rows)) {
    const after = new Set([...taken, ...commit.map((row) => hourOf(row, calendar))]);
    if (passed.length > 0 && after.size > maxHours) break;
    for (const hour of after) taken.add(hour);
    passed.push(...commit);
  }
  const hours = await logged(ctx, passed, calendar);
  const last = passed.at(-1);
  if (hours === null || last === undefined) {
    return { hours: new Map(), cursor: undefined, isFull: false };
  }
  const isFull = rows.length >= limit || passed.length < rows.length;
  return { hours, cursor: commitTsOf(last), isFull };
}

/**
 * Tells the roll-ups that events wait: how many, at most `limit`, and the worker's row as it is then. `isIdle`: the
 * worker would rest now, so one that commits at the same moment must not be overlooked.
 */
export async function noteEvents(
  ctx: MutationCtx,
  worker: Worker,
  { limit, isIdle }: { limit: number; isIdle: boolean },
): Promise<{ waiting: number; worker: Worker }> {
  const countThem = isIdle ? countWaitingToTheEnd : countWaiting;
  const waiting = await countThem(ctx, worker.site, worker, limit);
  if (waiting === 0 || worker.unrolledEvents !== undefined) return { waiting, worker };
  await ctx.db.patch("workers", worker._id, { unrolledEvents: waiting });
  return { waiting, worker: { ...worker, unrolledEvents: waiting } };
}

/** By hour; what cannot be counted is put aside. Null when none of many can. */
async function logged(
  ctx: MutationCtx,
  rows: readonly Row[],
  calendar: Calendar,
): Promise<Map<number, LoggedEvent[]> | null> {
  const hours = new Map<number, LoggedEvent[]>();
  const poison: { row: Row; error: string }[] = [];
  for (const row of rows) {
    if (row.quarantined === true) continue;
    try {
      const event = loggedEventOf(row);
      const startsAt = calendar.startOf("hour", event.at);
      const inHour = hours.get(startsAt);
      if (inHour === undefined) hours.set(startsAt, [event]);
      else inHour.push(event);
    } catch (error) {
      poison.push({ row, error: error instanceof Error ? error.message : String(error) });
    }
  }
  if (poison.length > MAX_ALL_POISON && poison.length === rows.length) {
    const [{ row, error } = {}] = poison;
    console.error(
      `None of the next ${rows.length} events of site "${row?.site}" can be counted, so none is put aside. First error: ${error}`,
    );
    return null;
  }
  for (const { row, error } of poison) {
    await putAside(ctx, row.site, { table: "events", row, error });
    await ctx.db.patch("events", row._id, { quarantined: true });
  }
  return hours;
}

/** Of a row whose time is none, any: it is put aside. */
function hourOf({ timestamp }: Row, calendar: Calendar): number {
  const isInstant = timestamp >= 0 && timestamp <= LAST_INSTANT;
  return isInstant ? calendar.startOf("hour", timestamp) : 0;
}

function commitsOf(rows: readonly Row[]): Row[][] {
  const commits: Row[][] = [];
  let commitTs: bigint | null = null;
  for (const row of rows) {
    if (commitTsOf(row) === commitTs) commits.at(-1)?.push(row);
    else commits.push([row]);
    commitTs = commitTsOf(row);
  }
  return commits;
}
