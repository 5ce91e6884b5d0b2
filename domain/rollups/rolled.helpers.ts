/** Owns: taking a random history through the product's own steps: facts, hours, days, months, ranges. */
import type { Calendar } from "../calendar/calendar.ts";
import type { HistoryRow } from "./history.helpers.ts";
import { type RangePlan, type Sealed, planRange } from "./range.ts";
import { type Rollup, type RollupUnit, emptyRollup } from "./rollup.ts";
import { seal } from "./seal.ts";
import { type LoggedView, addViews } from "./view.ts";
import { factsOfHistory } from "./visit.ts";

/** As the log would hold the rows, in the order of the history. */
export function loggedViews(history: readonly HistoryRow[]): LoggedView[] {
  const logged = new Map<HistoryRow, LoggedView>();
  for (const visitor of new Set(history.map((row) => row.visitor))) {
    const rows = history.filter((row) => row.visitor === visitor);
    let country = "";
    for (const [index, facts] of factsOfHistory(rows).entries()) {
      const row = rows[index];
      if (row === undefined) continue;
      if (facts.visitSequence === 1) country = row.country;
      const values = { country, pageType: row.path === "/" ? "home" : "post" };
      logged.set(row, { ...facts, at: row.at, path: row.path, values });
    }
  }
  return history.flatMap((row) => logged.get(row) ?? []);
}

export function byBucket<T extends { at: number }>(
  items: readonly T[],
  unit: RollupUnit,
  calendar: Calendar,
): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const startsAt = calendar.startOf(unit, item.at);
    groups.set(startsAt, [...(groups.get(startsAt) ?? []), item]);
  }
  return groups;
}

export type Rolled = Record<RollupUnit, Map<number, Rollup>>;

export function hoursOf(views: readonly LoggedView[], calendar: Calendar): Map<number, Rollup> {
  const hours = new Map<number, Rollup>();
  for (const [startsAt, inHour] of byBucket(views, "hour", calendar)) {
    hours.set(startsAt, addViews(emptyRollup("hour", startsAt), inHour, calendar));
  }
  return hours;
}

export function rollAll(hours: Map<number, Rollup>, calendar: Calendar): Rolled {
  const day = sealAll("day", hours, calendar);
  return { hour: hours, day, month: sealAll("month", day, calendar) };
}

function sealAll(
  unit: "day" | "month",
  parts: Map<number, Rollup>,
  calendar: Calendar,
): Map<number, Rollup> {
  const groups = byBucket(
    [...parts.values()].map((rollup) => ({ at: rollup.startsAt, rollup })),
    unit,
    calendar,
  );
  const sealed = new Map<number, Rollup>();
  for (const [startsAt, inBucket] of groups) {
    const rollups = inBucket.map(({ rollup }) => rollup);
    sealed.set(startsAt, seal(unit, startsAt, rollups, calendar));
  }
  return sealed;
}

export function readRange(
  rolled: Rolled,
  calendar: Calendar,
  range: { from: number; until: number },
  sealed: Sealed,
): { plan: RangePlan; rollups: Rollup[] } {
  const plan = planRange(calendar, range, sealed);
  const rollups = plan.buckets.flatMap(({ unit, startsAt }) => rolled[unit].get(startsAt) ?? []);
  return { plan, rollups };
}
