/**
 * Owns: counting a day's events into its staged hours, beside its views.
 * Not: the views, or what is done with the hours (past/recount.ts).
 *
 * The same rule as for views: what was rolled up when the day was begun (`eventsUpTo`), and in the end what was since.
 */
import { emptyRollup } from "../../../domain/rollups/rollup.ts";
import { addEvents } from "../../../domain/rollups/event.ts";
import type { LoggedEvent } from "../../../domain/rollups/event.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { commitTsOf } from "../log.ts";
import { readStagedBucket, writeStaged } from "../past/staging.ts";
import type { Place } from "../past/recount.ts";
import type { DayTask } from "../past/tasks.ts";
import { readWorker } from "../waking.ts";
import { readEventBatch } from "./log.ts";
import { isCountableEvent, loggedEventOf } from "./logged.ts";

type Row = Doc<"events">;

/** Rows of one chunk, as of views. */
const SCAN_EVENTS = 1_000;

/** commitTs of the last event that is rolled up. */
export async function eventsRolledUpTo(ctx: MutationCtx, site: string): Promise<bigint> {
  return (await readWorker(ctx, site))?.eventCursor ?? 0n;
}

/** Whether the day has any event, so that a site without them pays no step for them. */
export async function hasEvents(
  ctx: MutationCtx,
  { site }: Place,
  { startsAt, endsAt }: DayTask,
): Promise<boolean> {
  const first = await ctx.db
    .query("events")
    .withIndex("by_site_time", (q) =>
      q.eq("site", site).gte("timestamp", startsAt).lt("timestamp", endsAt),
    )
    .first();
  return first !== null;
}

/** Counts the next page of the day's events; after the last one the day is to be finished. */
export async function scanEvents(ctx: MutationCtx, place: Place, task: DayTask): Promise<DayTask> {
  const { eventsUpTo = 0n } = task;
  const { page, isDone, continueCursor } = await ctx.db
    .query("events")
    .withIndex("by_site_time", (q) =>
      q.eq("site", place.site).gte("timestamp", task.startsAt).lt("timestamp", task.endsAt),
    )
    .paginate({ cursor: task.cursor, numItems: SCAN_EVENTS });
  const counted = page.filter((row) => commitTsOf(row) <= eventsUpTo && isCountableEvent(row));
  await addToStaged(ctx, place, counted);
  const progress = { ...task, rows: task.rows + counted.length };
  return isDone
    ? { ...progress, phase: "engagement", cursor: null, isAtEvents: undefined }
    : { ...progress, cursor: continueCursor };
}

/** Adds events of the day that were rolled up since `eventsUpTo`. With `isComplete` none is left. */
export async function catchUpEvents(
  ctx: MutationCtx,
  place: Place,
  task: DayTask,
): Promise<{ task: DayTask; isComplete: boolean }> {
  const rolled = await eventsRolledUpTo(ctx, place.site);
  const range = { after: task.eventsUpTo ?? 0n, upTo: rolled, limit: SCAN_EVENTS };
  const rows = await readEventBatch(ctx, place.site, range);
  const counted = rows.filter(
    (row) => row.timestamp >= task.startsAt && row.timestamp < task.endsAt && isCountableEvent(row),
  );
  await addToStaged(ctx, place, counted);
  const last = rows.at(-1);
  const isComplete = rows.length < SCAN_EVENTS;
  const eventsUpTo = isComplete || last === undefined ? rolled : commitTsOf(last);
  return { task: { ...task, eventsUpTo, rows: task.rows + counted.length }, isComplete };
}

async function addToStaged(
  ctx: MutationCtx,
  { site, calendar }: Place,
  rows: readonly Row[],
): Promise<void> {
  const hours = new Map<number, LoggedEvent[]>();
  for (const event of rows.map(loggedEventOf)) {
    const startsAt = calendar.startOf("hour", event.at);
    const inHour = hours.get(startsAt);
    if (inHour === undefined) hours.set(startsAt, [event]);
    else inHour.push(event);
  }
  for (const [startsAt, events] of hours) {
    const staged = await readStagedBucket(ctx, site, { unit: "hour", startsAt });
    const before = staged ?? emptyRollup("hour", startsAt);
    await writeStaged(ctx, site, "hour", addEvents(before, events, calendar));
  }
}
