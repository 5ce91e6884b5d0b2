/**
 * Owns: comparing what is stored of a day's or month's engagement with what the log gives.
 * Not: the recount (past.ts), or the proof of which it is a part (past/comparing.ts).
 */
import { engagementDifferences } from "../../../domain/engagement/compare.ts";
import { emptyEngagement, isEmpty, sumOf } from "../../../domain/engagement/rollup.ts";
import type { EngagementRollup } from "../../../domain/engagement/rollup.ts";
import { RollupFormatError } from "../../../domain/rollups/bytes.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import type { Place } from "../past/recount.ts";
import { clearStaged } from "../past/staging.ts";
import type { DayTask } from "../past/tasks.ts";
import type { RollupBucket } from "../rollups/store.ts";
import { readStagedHours, takeStagedMonth } from "./staging.ts";
import { readEngagement } from "./store.ts";

/** In words, one for each figure that is wrong. What is staged of the day goes. */
export async function compareEngagementDay(
  ctx: MutationCtx,
  { site, calendar }: Place,
  { startsAt, endsAt }: DayTask,
  { hoursSince, daysUntil }: Doc<"sealing">,
): Promise<string[]> {
  const hours = await readStagedHours(ctx, site);
  await clearStaged(ctx, site, "engagedHour");
  const findings: string[] = [];
  if (startsAt >= hoursSince) {
    const counted = new Map(hours.map((hour) => [hour.startsAt, hour]));
    for (const at of calendar.between("hour", startsAt, endsAt)) {
      const bucket = { unit: "hour" as const, startsAt: at };
      findings.push(...(await compareBucket(ctx, site, bucket, counted.get(at) ?? null)));
    }
  }
  if (endsAt <= daysUntil) {
    const bucket = { unit: "day" as const, startsAt };
    findings.push(...(await compareBucket(ctx, site, bucket, sumOf("day", startsAt, hours))));
  }
  return findings;
}

/** A sealed month against the days that it is made of, which are all staged. */
export async function compareEngagementMonth(
  ctx: MutationCtx,
  { site }: Place,
  { startsAt }: DayTask,
): Promise<string[]> {
  const month = await takeStagedMonth(ctx, site, startsAt);
  return await compareBucket(ctx, site, { unit: "month", startsAt }, month);
}

async function compareBucket(
  ctx: MutationCtx,
  site: string,
  bucket: RollupBucket,
  counted: EngagementRollup | null,
): Promise<string[]> {
  const { unit, startsAt } = bucket;
  const name = `${unit} ${new Date(startsAt).toISOString()}, engagement`;
  try {
    const stored = await readEngagement(ctx, site, bucket);
    const found = inWords(name, stored, counted);
    if (unit === "hour") return found;
    const short = await readEngagement(ctx, site, bucket, "total");
    const total = counted === null || isEmpty(counted) ? null : totalAlone(counted);
    return [...found, ...inWords(`${name} (short)`, short, total)];
  } catch (error) {
    if (!(error instanceof RollupFormatError)) throw error;
    return [`${name}: cannot be read: ${error.message}`];
  }
}

function totalAlone({ unit, startsAt, total }: EngagementRollup): EngagementRollup {
  return { ...emptyEngagement(unit, startsAt), total };
}

function inWords(
  name: string,
  stored: EngagementRollup | null,
  counted: EngagementRollup | null,
): string[] {
  return engagementDifferences(stored, counted).map((found) => {
    const of = found.path === null ? "" : ` of ${JSON.stringify(found.path)}`;
    return `${name}${of}: ${found.figure} ${found.stored}, the log says ${found.counted}`;
  });
}
