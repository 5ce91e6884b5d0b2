/** Owns: taking a random history through the product's own steps: facts, hours, days, months, ranges. */
import type { Calendar } from "../calendar/calendar.ts";
import { type LoggedEvent, addEvents } from "./event.ts";
import type { HistoryRow } from "./history.helpers.ts";
import { type RangePlan, type Sealed, planRange } from "./range.ts";
import { type Rollup, type RollupUnit, emptyRollup } from "./rollup.ts";
import { seal } from "./seal.ts";
import { type LoggedView, addViews } from "./view.ts";
import { factsOfHistory } from "./visit.ts";

/** A row of one of the two logs. */
export type LoggedRow = ({ kind: "view" } & LoggedView) | ({ kind: "event" } & LoggedEvent);

/** As the logs would hold the rows, in the order of the history. */
export function loggedRows(history: readonly HistoryRow[]): LoggedRow[] {
  const logged = new Map<HistoryRow, LoggedRow>();
  for (const visitor of new Set(history.map((row) => row.visitor))) {
    const rows = history.filter((row) => row.visitor === visitor);
    const named = new Map<string, number>();
    let country = "";
    for (const [index, { kind, facts }] of factsOfHistory(rows).entries()) {
      const row = rows[index];
      if (row === undefined) continue;
      const { at, path, name } = row;
      if (kind === "view") {
        if (facts.visitSequence === 1) country = row.country;
        const values = { country, pageType: path === "/" ? "home" : "post" };
        logged.set(row, { kind, ...facts, at, path, values });
      } else {
        const visit = facts === null ? null : { ...facts, values: { country } };
        const nameLastSeenAt = named.get(name) ?? null;
        logged.set(row, { kind, at, name, nameLastSeenAt, properties: [["path", path]], visit });
        named.set(name, at);
      }
    }
  }
  return history.flatMap((row) => logged.get(row) ?? []);
}

export function addRows(rollup: Rollup, rows: readonly LoggedRow[], calendar: Calendar): Rollup {
  const views = rows.filter((row) => row.kind === "view");
  const events = rows.filter((row) => row.kind === "event");
  return addEvents(addViews(rollup, views, calendar), events, calendar);
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

export function hoursOf(rows: readonly LoggedRow[], calendar: Calendar): Map<number, Rollup> {
  const hours = new Map<number, Rollup>();
  for (const [startsAt, inHour] of byBucket(rows, "hour", calendar)) {
    hours.set(startsAt, addRows(emptyRollup("hour", startsAt), inHour, calendar));
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
