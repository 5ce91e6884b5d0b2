/**
 * Owns: making a day of a filter from the log, piece by piece, and sealing it.
 * Not: which day is next (work.ts).
 *
 * A day that has begun holds the live rows that were rolled up by then (`upTo`); those that are rolled up later are
 * added as for any day that is made (catchingUp.ts).
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { emptyRollup } from "../../../domain/rollups/rollup.ts";
import { seal } from "../../../domain/rollups/seal.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { commitTsOf } from "../log.ts";
import { readRollups, removeOthers, writeRollup } from "../rollups/store.ts";
import { Counting } from "./counting.ts";
import { ownerOf } from "./owner.ts";
import type { FilterRow } from "./store.ts";

export type FilterTask = NonNullable<FilterRow["task"]>;
export type Day = { startsAt: number; endsAt: number };

/** Rows of one page. */
const LOG_PAGE_ROWS = 1_000;

/** Rows of one instant: no log has so many, unless somebody imported a past without times. */
const MAX_TIED_ROWS = 8_000;

export async function beginDay(
  ctx: MutationCtx,
  { _id, site, upTo, eventsUpTo }: FilterRow,
  { startsAt, endsAt }: Day,
): Promise<FilterTask> {
  const range = { from: startsAt, until: endsAt };
  await removeOthers(ctx, ownerOf(site, _id), { unit: "hour", ...range }, new Set());
  const until = Math.min(endsAt, Date.now() + 1);
  return { startsAt, endsAt, until, of: "views", after: null, upTo, eventsUpTo };
}

/** Counts as many rows as `budget` allows, and at least a page. Null: the whole day is counted. */
export async function scanDay(
  ctx: MutationCtx,
  row: FilterRow,
  task: FilterTask,
  { calendar, budget }: { calendar: Calendar; budget: number },
): Promise<{ task: FilterTask | null; cost: number }> {
  const counting = new Counting(ctx, row, calendar);
  let [at, cost]: [FilterTask | null, number] = [task, 0];
  while (at !== null && cost + counting.rowsRead < budget) {
    const page = await nextPage(ctx, row, at, counting);
    at = page.task;
    cost += page.rows;
  }
  return { task: at, cost: cost + counting.rowsRead };
}

type Page = { task: FilterTask | null; rows: number };

async function nextPage(
  ctx: MutationCtx,
  { site }: FilterRow,
  task: FilterTask,
  counting: Counting,
): Promise<Page> {
  if (task.of === "views") {
    const rows = await readPage((limit) => viewsOf(ctx, site, task).take(limit));
    const isThere = (row: Doc<"pageViews">) =>
      row.backfilled === true || commitTsOf(row) <= task.upTo;
    await counting.addViews(rows.filter(isThere));
    return {
      task: afterPage(task, rows) ?? { ...task, of: "events", after: null },
      rows: rows.length,
    };
  }
  const rows = await readPage((limit) => eventsOf(ctx, site, task).take(limit));
  await counting.addEvents(rows.filter((row) => commitTsOf(row) <= task.eventsUpTo));
  return { task: afterPage(task, rows), rows: rows.length };
}

/** Where the next page begins; null after the last. */
function afterPage(task: FilterTask, rows: readonly { timestamp: number }[]): FilterTask | null {
  const last = rows.at(-1);
  return last === undefined ? null : { ...task, after: last.timestamp };
}

/** The next rows, with all of their last instant, because a place between two pages is an instant. */
async function readPage<R extends { timestamp: number }>(
  read: (limit: number) => Promise<R[]>,
): Promise<R[]> {
  const rows = await read(LOG_PAGE_ROWS);
  const last = rows.at(-1)?.timestamp;
  if (rows.length < LOG_PAGE_ROWS) return rows;
  const whole = rows.filter(({ timestamp }) => timestamp !== last);
  if (whole.length > 0) return whole;
  const tied = await read(MAX_TIED_ROWS);
  const ofInstant = tied.filter(({ timestamp }) => timestamp === last);
  if (ofInstant.length < MAX_TIED_ROWS) return ofInstant;
  throw new Error(`${MAX_TIED_ROWS} rows of the log or more are of the instant ${last}.`);
}

function viewsOf(ctx: MutationCtx, site: string, { startsAt, after, until }: FilterTask) {
  return ctx.db
    .query("pageViews")
    .withIndex("by_site_time", (q) =>
      after === null
        ? q.eq("site", site).gte("timestamp", startsAt).lt("timestamp", until)
        : q.eq("site", site).gt("timestamp", after).lt("timestamp", until),
    );
}

function eventsOf(ctx: MutationCtx, site: string, { startsAt, after, until }: FilterTask) {
  return ctx.db
    .query("events")
    .withIndex("by_site_time", (q) =>
      after === null
        ? q.eq("site", site).gte("timestamp", startsAt).lt("timestamp", until)
        : q.eq("site", site).gt("timestamp", after).lt("timestamp", until),
    );
}

/** The day of its hours. Those that the site itself keeps no longer go. */
export async function sealFilterDay(
  ctx: MutationCtx,
  { _id, site }: FilterRow,
  { startsAt, endsAt }: Day,
  { calendar, hoursSince }: { calendar: Calendar; hoursSince: number },
): Promise<void> {
  const owner = ownerOf(site, _id);
  const range = { unit: "hour" as const, from: startsAt, until: endsAt };
  const hours = await readRollups(ctx, owner, range);
  const isEmpty = hours.length === 0;
  const day = isEmpty ? emptyRollup("day", startsAt) : seal("day", startsAt, hours, calendar);
  const days = { unit: "day" as const, from: startsAt, until: endsAt };
  await removeOthers(ctx, owner, days, new Set([startsAt]));
  await writeRollup(ctx, owner, day);
  if (startsAt < hoursSince) await removeOthers(ctx, owner, range, new Set());
}
