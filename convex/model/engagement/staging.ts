/**
 * Owns: the engagement roll-ups that are being built, beside those that readers see.
 * Not: their rows (past/staging.ts), or what is built (past.ts).
 */
import { decodeEngagement, encodeEngagement } from "../../../domain/engagement/codec.ts";
import { addLogged, emptyEngagement, sumOf } from "../../../domain/engagement/rollup.ts";
import type { EngagementRollup } from "../../../domain/engagement/rollup.ts";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import type { Place } from "../past/recount.ts";
import { changeStagedParts, clearStaged, readStagedParts } from "../past/staging.ts";
import { loggedEngagementOf } from "./log.ts";
import type { EngagementRow } from "./log.ts";

export async function addToStaged(
  ctx: MutationCtx,
  { site, calendar }: Place,
  rows: readonly EngagementRow[],
): Promise<void> {
  const hours = new Map<number, EngagementRow[]>();
  for (const row of rows) {
    const startsAt = calendar.startOf("hour", row.viewAt);
    const inHour = hours.get(startsAt);
    if (inHour === undefined) hours.set(startsAt, [row]);
    else inHour.push(row);
  }
  for (const [startsAt, inHour] of hours) {
    const logged = inHour.map(loggedEngagementOf);
    await changeStagedParts(ctx, site, { unit: "engagedHour", startsAt }, (parts) => {
      const before =
        parts.length === 0 ? emptyEngagement("hour", startsAt) : decodeEngagement(parts);
      return encodeEngagement(addLogged(before, logged));
    });
  }
}

/** In time order. */
export async function readStagedHours(ctx: QueryCtx, site: string): Promise<EngagementRollup[]> {
  return (await readStagedParts(ctx, site, "engagedHour")).map(decodeEngagement);
}

export async function addStagedDays(
  ctx: MutationCtx,
  site: string,
  startsAt: number,
  days: readonly EngagementRollup[],
): Promise<void> {
  await changeStagedParts(ctx, site, { unit: "engagedMonth", startsAt }, (parts) => {
    const before = parts.length === 0 ? [] : [decodeEngagement(parts)];
    return encodeEngagement(sumOf("month", startsAt, [...before, ...days]));
  });
}

/** The month whose days are all staged, which is staged no more; null when nothing was reported in it. */
export async function takeStagedMonth(
  ctx: MutationCtx,
  site: string,
  startsAt: number,
): Promise<EngagementRollup | null> {
  const [month] = (await readStagedParts(ctx, site, "engagedMonth")).map(decodeEngagement);
  await clearStaged(ctx, site, "engagedMonth");
  return month?.startsAt === startsAt ? month : null;
}
