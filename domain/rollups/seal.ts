/**
 * Owns: making the roll-up of a day of its hours, and of a month of its days.
 * Not: when that happens, nor which documents are read (convex/).
 */
import type { Calendar } from "../calendar/calendar.ts";
import { type Cell, NEVER, addCounts, addVisitors, emptyCell } from "./cell.ts";
import { clockValues } from "./clock.ts";
import type { ClockDimension } from "./dimension.ts";
import {
  type Rollup,
  type RollupUnit,
  type Values,
  cellOf,
  emptyRollup,
  valuesOf,
  withoutZeros,
} from "./rollup.ts";
import { MAX_SEALED_VALUES, foldTails } from "./tail.ts";

const FINER: Record<"day" | "month", RollupUnit[]> = { day: ["hour"], month: ["hour", "day"] };

/**
 * The day or month that begins at `startsAt`, from the roll-ups of its hours or days, each given once; the empty
 * ones may be left out. A visitor who was active in an earlier part was active in this bucket already and is not
 * counted again; all others keep the day on which they were active before, so that a range that begins on any
 * day can still be answered.
 */
export function seal(
  unit: "day" | "month",
  startsAt: number,
  parts: readonly Rollup[],
  calendar: Calendar,
): Rollup {
  const sealed = emptyRollup(unit, startsAt);
  const clock: ClockDimension[] = unit === "day" ? ["hour"] : ["hour", "weekdayHour"];
  for (const part of parts) {
    assertPart(sealed, part, calendar);
    const dayOf: DayOf = (at) => (part.unit === "hour" ? calendar.startOf("day", at) : at);
    addSealed(sealed.total, part.total, startsAt, dayOf);
    for (const [dimension, values] of part.dimensions) {
      if (dimension === "hour" || dimension === "weekdayHour") continue;
      addSealedValues(valuesOf(sealed, dimension), values, startsAt, dayOf);
    }
    for (const dimension of clock) {
      const values = clockValues(part, dimension, calendar);
      addSealedValues(valuesOf(sealed, dimension), values, startsAt, dayOf);
    }
  }
  return foldTails(withoutZeros(sealed), MAX_SEALED_VALUES);
}

/** On which day an instant lies; parts that are days hold nothing else. */
type DayOf = (at: number) => number;

function addSealedValues(into: Values, from: Values, startsAt: number, dayOf: DayOf): void {
  for (const [value, cell] of from.cells) addSealed(cellOf(into, value), cell, startsAt, dayOf);
  if (from.other === null) return;
  into.other ??= emptyCell();
  addSealed(into.other, from.other, startsAt, dayOf);
}

function addSealed(into: Cell, from: Cell, startsAt: number, dayOf: DayOf): void {
  addCounts(into, from);
  for (const [index, previousStart] of from.previousStarts.entries()) {
    if (previousStart >= startsAt) break;
    const day = previousStart === NEVER ? NEVER : dayOf(previousStart);
    addVisitors(into, day, from.visitors[index] ?? 0);
  }
}

function assertPart(sealed: Rollup, part: Rollup, calendar: Calendar): void {
  if (sealed.unit === "hour" || !FINER[sealed.unit].includes(part.unit)) {
    throw new Error(`A ${sealed.unit} cannot be sealed from a ${part.unit}.`);
  }
  if (calendar.startOf(sealed.unit, part.startsAt) !== sealed.startsAt) {
    throw new Error(
      `The ${part.unit} ${part.startsAt} does not lie in the ${sealed.unit} ${sealed.startsAt} ` +
        `of ${calendar.timeZone}. After a change of zone, make the hours anew from the log first.`,
    );
  }
}
