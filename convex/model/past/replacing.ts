/**
 * Owns: putting a recounted day in place of the one that readers see, and sealing a day of its hours.
 * Not: the recount (recount.ts), or the rows for the aggregates (publishing.ts).
 */
import { emptyRollup } from "../../../domain/rollups/rollup.ts";
import type { Rollup } from "../../../domain/rollups/rollup.ts";
import { seal } from "../../../domain/rollups/seal.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { catchUpEngagement, replaceEngagementDay, sealEngagementDay } from "../engagement/past.ts";
import { dropDaysFrom } from "../filters/store.ts";
import { tellFilters } from "../filters/work.ts";
import { readRollups, removeOthers, writeRollup } from "../rollups/store.ts";
import { readWorker } from "../waking.ts";
import { catchUp } from "./recount.ts";
import type { Place } from "./recount.ts";
import { changeSealing } from "./sealing.ts";
import { clearStaged, readStaged } from "./staging.ts";
import type { DayTask } from "./tasks.ts";

/** Seals a day that is over, of the hours that the worker made. */
export async function sealDay(ctx: MutationCtx, place: Place, task: DayTask): Promise<DayTask> {
  const { startsAt, endsAt } = task;
  const range = { unit: "hour" as const, from: startsAt, until: endsAt };
  await writeDay(ctx, place, task, await readRollups(ctx, place.site, range));
  await sealEngagementDay(ctx, place, task);
  await changeSealing(ctx, place.site, { daysUntil: endsAt });
  await tellFilters(ctx, place.site, await readWorker(ctx, place.site));
  return { ...task, phase: "publish", cursor: null };
}

/**
 * Swaps the day in: its hours, where hours are kept, and the day itself, where it is sealed. In one transaction, so
 * that no reader sees half of it. Null: nothing is left to do for the day.
 */
export async function replaceDay(
  ctx: MutationCtx,
  place: Place,
  begun: DayTask,
  sealing: Doc<"sealing">,
): Promise<DayTask | null> {
  const caughtUp = await catchUp(ctx, place, begun);
  const { task, isComplete } = await catchUpEngagement(ctx, place, caughtUp.task);
  if (!caughtUp.isComplete || !isComplete) return task;
  await replaceEngagementDay(ctx, place, task, sealing);
  const { site, calendar } = place;
  const { startsAt, endsAt } = task;
  const hours = await readStaged(ctx, site, "hour");
  if (startsAt >= sealing.hoursSince) await replaceHours(ctx, site, task, hours);
  await clearStaged(ctx, site, "hour");
  await dropDaysFrom(ctx, site, startsAt);
  await tellFilters(ctx, site, await readWorker(ctx, site));
  if (endsAt > sealing.daysUntil) return null;
  await writeDay(ctx, place, task, hours);
  const month = calendar.startOf("month", startsAt);
  // Until the month is sealed again, reports take its days.
  if (month < sealing.monthsUntil) await changeSealing(ctx, site, { monthsUntil: month });
  return endsAt > sealing.publishedUntil ? null : { ...task, phase: "publish", cursor: null };
}

async function replaceHours(
  ctx: MutationCtx,
  site: string,
  { startsAt, endsAt }: DayTask,
  hours: readonly Rollup[],
): Promise<void> {
  const kept = new Set(hours.map((hour) => hour.startsAt));
  await removeOthers(ctx, site, { unit: "hour", from: startsAt, until: endsAt }, kept);
  for (const hour of hours) await writeRollup(ctx, site, hour);
}

/** The day of these hours; days that another time zone left behind in it go. */
async function writeDay(
  ctx: MutationCtx,
  { site, calendar }: Place,
  { startsAt, endsAt }: DayTask,
  hours: readonly Rollup[],
): Promise<void> {
  const day =
    hours.length === 0 ? emptyRollup("day", startsAt) : seal("day", startsAt, hours, calendar);
  await removeOthers(
    ctx,
    site,
    { unit: "day", from: startsAt, until: endsAt },
    new Set([startsAt]),
  );
  await writeRollup(ctx, site, day);
}
