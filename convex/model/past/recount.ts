/**
 * Owns: counting a day's rows of the log, chunk after chunk, into staged hours.
 * Not: what is done with them (replacing.ts, comparing.ts).
 *
 * Beside live traffic: the staged hours hold the live rows that were rolled up when the day was begun (`upTo`), and in
 * the end those that were rolled up since. So in the transaction that finishes a day they hold exactly what the
 * worker's hours should hold.
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { emptyRollup } from "../../../domain/rollups/rollup.ts";
import { addViews } from "../../../domain/rollups/view.ts";
import type { LoggedView } from "../../../domain/rollups/view.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { catchUpEvents, eventsRolledUpTo, hasEvents, scanEvents } from "../events/recount.ts";
import { commitTsOf, readViewBatch } from "../log.ts";
import { isInSums, loggedViewOf } from "../rollups/logged.ts";
import { isCountable } from "../tally.ts";
import { readWorker } from "../waking.ts";
import { rederive } from "./lineage.ts";
import { markStale } from "./sealing.ts";
import type { DayTask } from "./tasks.ts";
import { clearStaged, readStagedBucket, writeStaged } from "./staging.ts";

type Row = Doc<"pageViews">;

/** Rows of one chunk: about 50 ms of one core. */
const SCAN_ROWS = 1_000;

export type Place = { site: string; calendar: Calendar };

/** Counts the next page of the day's rows, views and then events; after the last one follows what its views reported. */
export async function scanDay(ctx: MutationCtx, place: Place, task: DayTask): Promise<DayTask> {
  if (task.isAtEvents === true) return await scanEvents(ctx, place, task);
  return await scanViews(ctx, place, task.cursor === null ? await begin(ctx, place, task) : task);
}

async function begin(ctx: MutationCtx, { site }: Place, task: DayTask): Promise<DayTask> {
  await clearStaged(ctx, site, "hour");
  const upTo = await rolledUpTo(ctx, site);
  return { ...task, upTo, eventsUpTo: await eventsRolledUpTo(ctx, site) };
}

async function scanViews(ctx: MutationCtx, place: Place, task: DayTask): Promise<DayTask> {
  const { upTo } = task;
  const { page, isDone, continueCursor } = await ctx.db
    .query("pageViews")
    .withIndex("by_site_time", (q) =>
      q.eq("site", place.site).gte("timestamp", task.startsAt).lt("timestamp", task.endsAt),
    )
    .paginate({ cursor: task.cursor, numItems: SCAN_ROWS });
  const rows = await withFacts(ctx, place, page);
  const counted = rows.filter((row) => row.backfilled === true || commitTsOf(row) <= upTo);
  await addToStaged(ctx, place, counted);
  const progress = { ...task, rows: task.rows + counted.length };
  if (!isDone) return { ...progress, cursor: continueCursor };
  return (await hasEvents(ctx, place, task))
    ? { ...progress, isAtEvents: true, cursor: null }
    : { ...progress, phase: "engagement", cursor: null };
}

/** Adds live rows of the day that were rolled up since it was begun. With `isComplete` none is left. */
export async function catchUp(
  ctx: MutationCtx,
  place: Place,
  begun: DayTask,
): Promise<{ task: DayTask; isComplete: boolean }> {
  const views = await catchUpViews(ctx, place, begun);
  return views.isComplete ? await catchUpEvents(ctx, place, views.task) : views;
}

async function catchUpViews(
  ctx: MutationCtx,
  place: Place,
  task: DayTask,
): Promise<{ task: DayTask; isComplete: boolean }> {
  const rolled = await rolledUpTo(ctx, place.site);
  const range = { after: task.upTo, upTo: rolled, limit: SCAN_ROWS };
  const rows = await readViewBatch(ctx, place.site, range);
  const counted = rows.filter(
    (row) =>
      row.backfilled !== true &&
      row.timestamp >= task.startsAt &&
      row.timestamp < task.endsAt &&
      isCounted(row),
  );
  await addToStaged(ctx, place, counted);
  const last = rows.at(-1);
  const isComplete = rows.length < SCAN_ROWS;
  const upTo = isComplete || last === undefined ? rolled : commitTsOf(last);
  return { task: { ...task, upTo, rows: task.rows + counted.length }, isComplete };
}

async function rolledUpTo(ctx: MutationCtx, site: string): Promise<bigint> {
  return (await readWorker(ctx, site))?.rollupCursor ?? 0n;
}

/** The rows that count. One that an older Footfall counted has no place in a visit yet and gets it here. */
async function withFacts(
  ctx: MutationCtx,
  { site, calendar }: Place,
  page: readonly Row[],
): Promise<Row[]> {
  const bare = page.filter((row) => row.visitSequence === undefined && row.quarantined !== true);
  if (bare.length === 0) return page.filter(isCounted);
  const changedAt: number[] = [];
  for (const [sessionId, timestamps] of timesOf(bare)) {
    const [from, until] = [Math.min(...timestamps), Math.max(...timestamps)];
    const rederived = await rederive(ctx, { site, sessionId, from, until });
    changedAt.push(...rederived.changedAt);
  }
  const last = page.at(-1)?.timestamp ?? 0;
  const later = changedAt.filter((at) => at > last);
  await markStale(ctx, site, { instants: later, calendar });
  const fresh = await Promise.all(page.map(({ _id }) => ctx.db.get("pageViews", _id)));
  return fresh.filter((row): row is Row => row !== null).filter(isCounted);
}

function timesOf(rows: readonly Row[]): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const { sessionId, timestamp } of rows) {
    const known = times.get(sessionId);
    if (known === undefined) times.set(sessionId, [timestamp]);
    else known.push(timestamp);
  }
  return times;
}

function isCounted(row: Row): boolean {
  return isInSums(row) && isCountable(row);
}

async function addToStaged(
  ctx: MutationCtx,
  { site, calendar }: Place,
  rows: readonly Row[],
): Promise<void> {
  const hours = new Map<number, LoggedView[]>();
  for (const view of rows.map(loggedViewOf)) {
    const startsAt = calendar.startOf("hour", view.at);
    const inHour = hours.get(startsAt);
    if (inHour === undefined) hours.set(startsAt, [view]);
    else inHour.push(view);
  }
  for (const [startsAt, views] of hours) {
    const staged = await readStagedBucket(ctx, site, { unit: "hour", startsAt });
    const before = staged ?? emptyRollup("hour", startsAt);
    await writeStaged(ctx, site, "hour", addViews(before, views, calendar));
  }
}
