/**
 * Owns: the reports of engagement: of a site or of one path, and of the paths of a site beside each other.
 * Not: the figures (domain/engagement/report.ts), or which roll-ups cover a range (reports/reading.ts).
 */
import { emptyCell } from "../../../domain/engagement/cell.ts";
import { figuresOf, rankPaths } from "../../../domain/engagement/report.ts";
import type { RankBy } from "../../../domain/engagement/report.ts";
import { sumOf } from "../../../domain/engagement/rollup.ts";
import type { EngagementRollup } from "../../../domain/engagement/rollup.ts";
import type { QueryCtx } from "../../_generated/server.js";
import { askedPath } from "../pathRules.ts";
import { readScope } from "../reports/range.ts";
import type { Scope } from "../reports/range.ts";
import { planRuns } from "../reports/reading.ts";
import { rowsWithin } from "../reports/reports.ts";
import type { RollupRange } from "../rollups/store.ts";
import type { ReportRange } from "../reports/shapes.ts";
import { readSite } from "../sites.ts";
import type { EngagedPathsReport, EngagementReport } from "./shapes.ts";
import { readEngagements } from "./store.ts";
import type { Wanted } from "./store.ts";

type Asked = { site?: string; range: ReportRange };

export async function engagement(
  ctx: QueryCtx,
  args: Asked & { path?: string },
): Promise<EngagementReport> {
  const scope = await readScope(ctx, args);
  const covered = coveredBy(scope);
  if (args.path === undefined) {
    const { total } = await readSum(ctx, scope, "total");
    return { ...covered, ...figuresOf(total), complete: true };
  }
  const path = askedPath(await readSite(ctx, args.site), args.path);
  const { paths, other } = await readSum(ctx, scope, "paths");
  const cell = paths.get(path) ?? emptyCell();
  return { ...covered, ...figuresOf(cell), complete: other === null };
}

export async function engagedPaths(
  ctx: QueryCtx,
  args: Asked & { rankBy?: RankBy; limit?: number },
): Promise<EngagedPathsReport> {
  const scope = await readScope(ctx, args);
  const sum = await readSum(ctx, scope, "paths");
  const { rankBy = "engagedMs" } = args;
  const ranked = rankPaths(sum, { rankBy, maxRows: rowsWithin(args.limit) });
  return { ...coveredBy(scope), ...ranked };
}

/** All buckets of the range as one. */
async function readSum(ctx: QueryCtx, scope: Scope, wanted: Wanted): Promise<EngagementRollup> {
  const rollups: EngagementRollup[] = [];
  for (const run of runsOf(scope)) {
    rollups.push(...(await readEngagements(ctx, scope.site, run, wanted)));
  }
  return sumOf("month", scope.from, rollups);
}

/** Sums need not begin where visitors are known, so only the part of a day at the beginning is made of hours. */
function runsOf(scope: Scope): RollupRange[] {
  const { calendar, from, until } = scope;
  const nextDay = Math.min(until, calendar.next("day", from));
  if (calendar.startOf("day", from) === from || nextDay === until) return planRuns(scope);
  return [{ unit: "hour", from, until: nextDay }, ...planRuns({ ...scope, from: nextDay })];
}

function coveredBy({ from, until, calendar }: Scope) {
  return { from, until, timeZone: calendar.timeZone };
}
