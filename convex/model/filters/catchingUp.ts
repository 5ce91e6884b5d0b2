/**
 * Owns: adding to a filter's days what the worker has rolled up since, so that today is live.
 * Not: days that are not made yet (scanning.ts).
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import type { MutationCtx } from "../../_generated/server.js";
import { readEventBatch } from "../events/log.ts";
import { commitTsOf, readViewBatch } from "../log.ts";
import type { LogRow } from "../log.ts";
import { Counting } from "./counting.ts";
import { cursorsOf, daysOf } from "./store.ts";
import type { FilterRow } from "./store.ts";

/** Rows of each log that one step takes. */
const CATCH_UP_ROWS = 1_000;

export type CaughtUp = {
  cursors: Pick<FilterRow, "upTo" | "eventsUpTo">;
  cost: number;
  /** Nothing is left. */
  isComplete: boolean;
};

export async function catchUp(
  ctx: MutationCtx,
  row: FilterRow,
  calendar: Calendar,
): Promise<CaughtUp> {
  const rolled = await cursorsOf(ctx, row.site);
  const { upTo, eventsUpTo } = row;
  if (rolled.upTo <= upTo && rolled.eventsUpTo <= eventsUpTo) {
    return { cursors: { upTo, eventsUpTo }, cost: 0, isComplete: true };
  }
  const limit = CATCH_UP_ROWS;
  const views = await readViewBatch(ctx, row.site, { after: upTo, upTo: rolled.upTo, limit });
  const eventRange = { after: eventsUpTo, upTo: rolled.eventsUpTo, limit };
  const events = await readEventBatch(ctx, row.site, eventRange);
  const isMade = await madeDays(ctx, row, [...views, ...events], calendar);
  const counting = new Counting(ctx, row, calendar);
  await counting.addViews(views.filter((view) => view.backfilled !== true && isMade(view)));
  await counting.addEvents(events.filter(isMade));
  const cursors = {
    upTo: reached(views, rolled.upTo, upTo),
    eventsUpTo: reached(events, rolled.eventsUpTo, eventsUpTo),
  };
  const cost = views.length + events.length + counting.rowsRead;
  const isComplete = views.length < limit && events.length < limit;
  return { cursors, cost, isComplete };
}

/** The end of what was read: all there was, or the last of a full batch. Cursors never go back. */
function reached(rows: readonly LogRow[], rolled: bigint, before: bigint): bigint {
  const last = rows.at(-1);
  if (rows.length >= CATCH_UP_ROWS && last !== undefined) return commitTsOf(last);
  return rolled > before ? rolled : before;
}

/** Whether a row's day is open and made, or being made; any other is counted when it is made, or made anew. */
async function madeDays(
  ctx: MutationCtx,
  { _id, task }: FilterRow,
  rows: readonly { timestamp: number }[],
  calendar: Calendar,
): Promise<(row: { timestamp: number }) => boolean> {
  const starts = new Set(rows.map(({ timestamp }) => calendar.startOf("day", timestamp)));
  if (starts.size === 0) return () => false;
  const range = { from: Math.min(...starts), until: Math.max(...starts) + 1 };
  const open = (await daysOf(ctx, _id, range)).filter(({ isSealed }) => !isSealed);
  const made = new Set(open.map(({ startsAt }) => startsAt));
  if (task !== undefined) made.add(task.startsAt);
  return ({ timestamp }) => made.has(calendar.startOf("day", timestamp));
}
