/**
 * Owns: what sealing, re-roll and proof do with engagement: a day recounted from its log, put in place or compared; a
 * month of its days.
 * Not: when each happens (past/), or what arrives live (roll.ts).
 *
 * As for views (past/recount.ts): the staged hours hold the rows of the log that were rolled up when the day was begun,
 * and in the end those that were rolled up since, so in the transaction that finishes a day they hold exactly what the
 * worker's hours should. Each of these is called in the same transaction as the step of the views beside it.
 */
import { emptyEngagement, isEmpty, sumOf } from "../../../domain/engagement/rollup.ts";
import type { EngagementRollup } from "../../../domain/engagement/rollup.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { commitTsOf } from "../log.ts";
import type { Place } from "../past/recount.ts";
import { clearStaged } from "../past/staging.ts";
import type { DayTask } from "../past/tasks.ts";
import { readWorker } from "../waking.ts";
import { isInEngagement, readEngagementBatch } from "./log.ts";
import type { EngagementRow } from "./log.ts";
import { addStagedDays, addToStaged, readStagedHours, takeStagedMonth } from "./staging.ts";
import { readEngagements, removeOtherEngagements, writeEngagement } from "./store.ts";

/** Rows of one chunk. */
const SCANNED_REPORTS = 1_000;

type Span = Pick<DayTask, "startsAt" | "endsAt">;

/** Counts the next page of what the day's views reported; after the last one the day is to be finished. */
export async function scanEngagement(
  ctx: MutationCtx,
  place: Place,
  task: DayTask,
): Promise<DayTask> {
  const { cursor, startsAt, endsAt } = task;
  if (cursor === null) await clearStaged(ctx, place.site, "engagedHour");
  const upTo = cursor === null ? await rolledUpTo(ctx, place.site) : (task.engagedUpTo ?? 0n);
  const { page, isDone, continueCursor } = await ctx.db
    .query("engagements")
    .withIndex("by_site_viewAt", (q) =>
      q.eq("site", place.site).gte("viewAt", startsAt).lt("viewAt", endsAt),
    )
    .paginate({ cursor, numItems: SCANNED_REPORTS });
  await addToStaged(
    ctx,
    place,
    page.filter((row) => isInEngagement(row) && commitTsOf(row) <= upTo),
  );
  const progress = { ...task, engagedUpTo: upTo };
  return isDone
    ? { ...progress, phase: "finish", cursor: null }
    : { ...progress, cursor: continueCursor };
}

/** Adds rows of the day's views that were rolled up since. With `isComplete` none is left. */
export async function catchUpEngagement(
  ctx: MutationCtx,
  place: Place,
  task: DayTask,
): Promise<{ task: DayTask; isComplete: boolean }> {
  const rolled = await rolledUpTo(ctx, place.site);
  const range = { after: task.engagedUpTo ?? 0n, upTo: rolled, limit: SCANNED_REPORTS };
  const rows = await readEngagementBatch(ctx, place.site, range);
  await addToStaged(
    ctx,
    place,
    rows.filter((row) => isInEngagement(row) && isWithin(row, task)),
  );
  const last = rows.at(-1);
  const isComplete = rows.length < SCANNED_REPORTS;
  const engagedUpTo = isComplete || last === undefined ? rolled : commitTsOf(last);
  return { task: { ...task, engagedUpTo }, isComplete };
}

/** Seals a day that is over, of the hours that the worker made. */
export async function sealEngagementDay(
  ctx: MutationCtx,
  place: Place,
  { startsAt, endsAt }: Span,
): Promise<void> {
  const range = { unit: "hour" as const, from: startsAt, until: endsAt };
  const hours = await readEngagements(ctx, place.site, range);
  await putDay(ctx, place.site, { startsAt, endsAt }, hours);
}

/** Swaps the recounted day in: its hours, where hours are kept, and the day itself, where it is sealed. */
export async function replaceEngagementDay(
  ctx: MutationCtx,
  { site }: Place,
  { startsAt, endsAt }: Span,
  { hoursSince, daysUntil }: Doc<"sealing">,
): Promise<void> {
  const hours = await readStagedHours(ctx, site);
  await clearStaged(ctx, site, "engagedHour");
  if (startsAt >= hoursSince) {
    const kept = new Set(hours.map((hour) => hour.startsAt));
    const range = { unit: "hour" as const, from: startsAt, until: endsAt };
    await removeOtherEngagements(ctx, site, range, kept);
    for (const hour of hours) await writeEngagement(ctx, site, hour);
  }
  if (endsAt <= daysUntil) await putDay(ctx, site, { startsAt, endsAt }, hours);
}

/** Adds the days [from, until) to the staged month, which begins anew with `isFirst`. */
export async function stageEngagementMonth(
  ctx: MutationCtx,
  { site }: Place,
  { startsAt }: Span,
  { from, until, isFirst }: { from: number; until: number; isFirst: boolean },
): Promise<void> {
  if (isFirst) await clearStaged(ctx, site, "engagedMonth");
  const days = await readEngagements(ctx, site, { unit: "day", from, until });
  if (days.length > 0) await addStagedDays(ctx, site, startsAt, days);
}

/** Puts the month in place, of which all days are staged. */
export async function sealEngagementMonth(
  ctx: MutationCtx,
  { site }: Place,
  { startsAt, endsAt }: Span,
): Promise<void> {
  const month = await takeStagedMonth(ctx, site, startsAt);
  const range = { unit: "month" as const, from: startsAt, until: endsAt };
  await putBucket(ctx, site, range, month ?? emptyEngagement("month", startsAt));
}

async function putDay(
  ctx: MutationCtx,
  site: string,
  { startsAt, endsAt }: Span,
  hours: readonly EngagementRollup[],
): Promise<void> {
  const range = { unit: "day" as const, from: startsAt, until: endsAt };
  await putBucket(ctx, site, range, sumOf("day", startsAt, hours));
}

/** What another time zone left behind in the bucket goes. Where nothing was reported, nothing is written. */
async function putBucket(
  ctx: MutationCtx,
  site: string,
  range: { unit: "day" | "month"; from: number; until: number },
  rollup: EngagementRollup,
): Promise<void> {
  const kept = new Set(isEmpty(rollup) ? [] : [rollup.startsAt]);
  await removeOtherEngagements(ctx, site, range, kept);
  if (!isEmpty(rollup)) await writeEngagement(ctx, site, rollup);
}

async function rolledUpTo(ctx: MutationCtx, site: string): Promise<bigint> {
  return (await readWorker(ctx, site))?.engagementCursor ?? 0n;
}

function isWithin({ viewAt }: EngagementRow, { startsAt, endsAt }: Span): boolean {
  return viewAt >= startsAt && viewAt < endsAt;
}
