/**
 * Owns: the roll-up of a month of its days, some days at a time.
 * Not: when a month is due (work.ts).
 */
import { merge } from "../../../domain/rollups/rollup.ts";
import type { Rollup } from "../../../domain/rollups/rollup.ts";
import { emptyRollup } from "../../../domain/rollups/rollup.ts";
import { seal } from "../../../domain/rollups/seal.ts";
import type { MutationCtx } from "../../_generated/server.js";
import { sealEngagementMonth, stageEngagementMonth } from "../engagement/past.ts";
import { readRollups, removeOthers, writeRollup } from "../rollups/store.ts";
import type { Place } from "./recount.ts";
import { changeSealing } from "./sealing.ts";
import { clearStaged, readStagedBucket, writeStaged } from "./staging.ts";
import type { DayTask } from "./tasks.ts";

/** Days that one chunk adds: the largest are some parts of 120 kB each. */
const CHUNK_DAYS = 8;

/** Adds the next days to the staged month. `month` is the whole of it, once it is. */
export async function buildMonth(
  ctx: MutationCtx,
  place: Place,
  task: DayTask,
): Promise<{ task: DayTask; month: Rollup | null }> {
  const { site, calendar } = place;
  const { startsAt, endsAt, cursor } = task;
  if (cursor === null) await clearStaged(ctx, site, "month");
  const from = cursor === null ? startsAt : Number(cursor);
  const until = chunkEnd(calendar.between("day", from, endsAt), endsAt);
  const days = await readRollups(ctx, site, { unit: "day", from, until });
  await stageEngagementMonth(ctx, place, task, { from, until, isFirst: cursor === null });
  const staged = await readStagedBucket(ctx, site, { unit: "month", startsAt });
  const before = staged ?? emptyRollup("month", startsAt);
  const month = merge([before, seal("month", startsAt, days, calendar)]);
  if (until >= endsAt) {
    await clearStaged(ctx, site, "month");
    return { task, month };
  }
  await writeStaged(ctx, site, "month", month);
  return { task: { ...task, cursor: String(until) }, month: null };
}

/** Null: the month is sealed. */
export async function sealMonth(
  ctx: MutationCtx,
  place: Place,
  begun: DayTask,
): Promise<DayTask | null> {
  const { task, month } = await buildMonth(ctx, place, begun);
  if (month === null) return task;
  const { startsAt, endsAt } = task;
  const range = { unit: "month" as const, from: startsAt, until: endsAt };
  await removeOthers(ctx, place.site, range, new Set([startsAt]));
  await writeRollup(ctx, place.site, month);
  await sealEngagementMonth(ctx, place, task);
  await changeSealing(ctx, place.site, { monthsUntil: endsAt });
  return null;
}

function chunkEnd(days: readonly number[], endsAt: number): number {
  return days[CHUNK_DAYS] ?? endsAt;
}
