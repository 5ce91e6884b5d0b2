/**
 * Owns: reading the roll-ups of a range: as few as cover it, in one read for each run of months, days or hours.
 * Not: what a report makes of them.
 */
import { HOUR_MS } from "../../../domain/calendar/civil.ts";
import type { DimensionName } from "../../../domain/rollups/dimension.ts";
import { planRange } from "../../../domain/rollups/range.ts";
import type { RangePlan } from "../../../domain/rollups/range.ts";
import type { Rollup } from "../../../domain/rollups/rollup.ts";
import type { QueryCtx } from "../../_generated/server.js";
import { readPartRollups } from "../filters/answering.ts";
import { readRollups, readTotals } from "../rollups/store.ts";
import type { RollupRange } from "../rollups/store.ts";
import type { Scope } from "./range.ts";

/** Hours past what is sealed that a plan may list: sealing is never this far behind, and the first day of a site has few. */
const MAX_OPEN_MS = 60 * 24 * HOUR_MS;

/** `wanted`: the dimensions to unpack; "totals": none, which is a far shorter read. */
export async function readScopeRollups(
  ctx: QueryCtx,
  scope: Scope,
  wanted: ReadonlySet<DimensionName> | "totals",
): Promise<Rollup[]> {
  if (scope.part !== undefined) {
    const dimensions = wanted === "totals" ? new Set<DimensionName>() : wanted;
    return await readPartRollups(ctx, scope, scope.part, dimensions);
  }
  const rollups: Rollup[] = [];
  for (const run of planRuns(scope)) {
    const found =
      wanted === "totals"
        ? await readTotals(ctx, scope.site, run)
        : await readRollups(ctx, scope.site, run, wanted);
    rollups.push(...found);
  }
  return rollups;
}

/**
 * Days are sealed soon after they end, so the hours that are not are a short list. Where there never was a sealing, or
 * where the range reaches far into the future, the hours at its end are one run without a list.
 */
export function planRuns(scope: Scope): RollupRange[] {
  const { calendar, sealed, from, until } = scope;
  const openFrom = Math.max(from, sealed.daysUntil);
  const isShort = until - openFrom <= MAX_OPEN_MS;
  if (isShort) return runsOf(planRange(calendar, { from, until }, sealed));
  const open: RollupRange = { unit: "hour", from: openFrom, until };
  if (openFrom === from) return [open];
  return [...runsOf(planRange(calendar, { from, until: openFrom }, sealed)), open];
}

/** Buckets of one unit that follow each other are one range of the index. */
function runsOf(plan: RangePlan): RollupRange[] {
  const runs: RollupRange[] = [];
  for (const { unit, startsAt } of plan.buckets) {
    const last = runs.at(-1);
    if (last?.unit === unit) continue;
    if (last !== undefined) last.until = startsAt;
    runs.push({ unit, from: startsAt, until: plan.until });
  }
  return runs;
}
