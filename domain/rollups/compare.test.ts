import fc from "fast-check";
import { expect, test } from "vitest";
import { calendarOf } from "../calendar/calendar.ts";
import { addVisitors, emptyCell } from "./cell.ts";
import { differences } from "./compare.ts";
import { anyHistory } from "./history.helpers.ts";
import { hoursOf, loggedRows } from "./rolled.helpers.ts";
import { type Rollup, cellOf, merge, valuesOf } from "./rollup.ts";

const UTC = calendarOf("UTC");
const START = Date.UTC(2026, 0, 20);

const anyHours = anyHistory(START).map((history) => [
  ...hoursOf(loggedRows(history), UTC).values(),
]);

test("equal roll-ups have no differences, and others have some", () => {
  fc.assert(
    fc.property(anyHours, (hours) => {
      for (const hour of hours) {
        expect(differences(hour, merge([hour]))).toEqual([]);
        expect(differences(hour, null)).not.toEqual([]);
      }
    }),
  );
});

test("any one figure that is changed is named, with what was stored and what was counted", () => {
  fc.assert(
    fc.property(anyHours, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 9 }), (hours, h, d, by) => {
      const hour = hours[h % hours.length] as Rollup;
      const changed = merge([hour]);
      const [dimension, values] = [...changed.dimensions][d % changed.dimensions.size] ?? [];
      const [value, cell] = [...(values?.cells ?? [])][0] ?? [];
      if (dimension === undefined || cell === undefined) return;
      cell.durationMs += by;
      expect(differences(changed, hour)).toEqual([
        {
          dimension,
          value,
          figure: "durationMs",
          stored: cell.durationMs,
          counted: cell.durationMs - by,
        },
      ]);
    }),
  );
});

test("visitors under another previous hour are two differences", () => {
  const stored = hourOf(START - 3_600_000);
  const counted = hourOf(Number.NEGATIVE_INFINITY);
  expect(differences(stored, counted).map(({ figure }) => figure)).toEqual([
    "visitors last active 2026-01-19T23:00:00.000Z",
    "new visitors",
  ]);
});

test("a dimension whose tail was folded is compared by its sum, because the tail depends on the order", () => {
  const withTail = (named: string) => {
    const hour = hourOf(START - 3_600_000);
    const paths = valuesOf(hour, "path");
    cellOf(paths, named).views = 1;
    paths.other = { ...emptyCell(), views: 1 };
    return hour;
  };
  expect(differences(withTail("/a"), withTail("/b"))).toEqual([]);
  const more = withTail("/a");
  cellOf(valuesOf(more, "path"), "/a").views = 2;
  expect(differences(more, withTail("/b"))).toEqual([
    { dimension: "path", value: null, figure: "views", stored: 3, counted: 2 },
  ]);
});

function hourOf(previousStart: number): Rollup {
  const total = { ...emptyCell(), views: 1 };
  addVisitors(total, previousStart, 1);
  return { unit: "hour", startsAt: START, total, dimensions: new Map() };
}
