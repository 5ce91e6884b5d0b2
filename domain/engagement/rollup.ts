/**
 * Owns: the engagement roll-up of one bucket: its total, and a cell for each path; adding to it, merging, and how many
 * paths it keeps by name.
 * Not: bytes (codec.ts), which documents hold it (convex/).
 *
 * A difference lies in the bucket of its view, whenever it arrives: so the engaged time of an hour is that of the views
 * of that hour, and no bin of a histogram goes below zero. Everything is a sum, so a day is its hours added up.
 */
import { MAX_REPORT_ROWS } from "../limits.ts";
import type { RollupUnit } from "../rollups/rollup.ts";
import { addCell, addDifference, emptyCell, isZero } from "./cell.ts";
import type { EngagementCell } from "./cell.ts";
import type { Reported } from "./reported.ts";

export interface EngagementRollup {
  unit: RollupUnit;
  /** The instant at which the bucket begins, in the site's zone. */
  startsAt: number;
  total: EngagementCell;
  paths: Map<string, EngagementCell>;
  /** What the paths that did not fit add up to; null when none was left out. */
  other: EngagementCell | null;
}

/** What one row of the log says. */
export interface LoggedEngagement {
  path: string;
  /** When its view was, which says in which bucket it lies. */
  viewAt: number;
  /** What the view had reported before; null when this is its first report. */
  before: Reported | null;
  after: Reported;
}

/** Per hour: half of what views keep (rollups/tail.ts), because a path with all its histograms takes up to some 380 bytes, and a report may read three days of hours. */
const MAX_HOUR_PATHS = 500;

/** Per day or month: as many as a report lists. More would be megabytes that each late report rewrites. */
const MAX_SEALED_PATHS = MAX_REPORT_ROWS;

export function emptyEngagement(unit: RollupUnit, startsAt: number): EngagementRollup {
  return { unit, startsAt, total: emptyCell(), paths: new Map(), other: null };
}

/** Adds rows of the log. Changes `rollup` and gives it back. */
export function addLogged(
  rollup: EngagementRollup,
  logged: readonly LoggedEngagement[],
): EngagementRollup {
  for (const { path, before, after } of logged) {
    addDifference(rollup.total, before, after);
    addDifference(placeOf(rollup, path, before === null), before, after);
  }
  return settled(rollup);
}

/** The roll-up of a bucket that holds these: of a day its hours, of a month its days; or parts of itself. */
export function sumOf(
  unit: RollupUnit,
  startsAt: number,
  parts: readonly EngagementRollup[],
): EngagementRollup {
  const sum = emptyEngagement(unit, startsAt);
  for (const part of parts) {
    addCell(sum.total, part.total);
    for (const [path, cell] of part.paths) addCell(namedCell(sum, path), cell);
    if (part.other !== null) addCell((sum.other ??= emptyCell()), part.other);
  }
  return settled(sum);
}

export function isEmpty({ total, paths, other }: EngagementRollup): boolean {
  return isZero(total) && paths.size === 0 && other === null;
}

/** What a path that was folded reports later belongs to the sum in which its beginning is. */
function placeOf(rollup: EngagementRollup, path: string, isFirst: boolean): EngagementCell {
  const isFolded = rollup.other !== null && !isFirst && !rollup.paths.has(path);
  if (isFolded && rollup.other !== null) return rollup.other;
  return namedCell(rollup, path);
}

function namedCell({ paths }: EngagementRollup, path: string): EngagementCell {
  let cell = paths.get(path);
  if (cell === undefined) {
    cell = emptyCell();
    paths.set(path, cell);
  }
  return cell;
}

/** Without cells that say nothing, and with the tail as one sum. */
function settled(rollup: EngagementRollup): EngagementRollup {
  const { paths, unit } = rollup;
  for (const [path, cell] of paths) if (isZero(cell)) paths.delete(path);
  const most = unit === "hour" ? MAX_HOUR_PATHS : MAX_SEALED_PATHS;
  if (paths.size <= most) return rollup;
  rollup.other ??= emptyCell();
  for (const [path, cell] of [...paths].sort(byViews).slice(most)) {
    addCell(rollup.other, cell);
    paths.delete(path);
  }
  return rollup;
}

/** Most views first; ties in the order of the paths, so that the choice does not depend on who came first. */
function byViews(
  a: readonly [string, EngagementCell],
  b: readonly [string, EngagementCell],
): number {
  return b[1].views - a[1].views || (a[0] < b[0] ? -1 : 1);
}
