import { describe, expect, test } from "vitest";
import { calendarOf } from "../calendar/calendar.ts";
import { emptyCell } from "./cell.ts";
import { viewRow } from "./history.helpers.ts";
import {
  averageVisitMs,
  bounceRatio,
  breakdown,
  exitRatio,
  series,
  summarise,
  viewsPerVisit,
} from "./report.ts";
import { hoursOf, loggedRows, rollAll } from "./rolled.helpers.ts";
import { cellOf, emptyRollup, merge, valuesOf } from "./rollup.ts";
import { seal } from "./seal.ts";
import { MAX_HOUR_VALUES } from "./tail.ts";
import { type LoggedView, addViews } from "./view.ts";
import { factsOf } from "./visit.ts";

const utc = calendarOf("UTC");
const at = (text: string): number => Date.parse(`${text}Z`);

function rolled(rows: [visitor: number, time: string, path?: string, country?: string][]) {
  const history = rows.map(([visitor, time, path = "/a", country = ""]) =>
    viewRow({ visitor, at: at(time), path, country }),
  );
  return rollAll(hoursOf(loggedRows(history), utc), utc);
}

const first = (time: string, path: string): LoggedView => ({
  ...factsOf(null, null, at(time)),
  at: at(time),
  path,
  values: {},
});

describe("visits", () => {
  test("C46: views at 10:58 and 11:02 are one visit without a bounce", () => {
    const hours = [
      ...rolled([
        [1, "2026-03-01T10:58"],
        [1, "2026-03-01T11:02"],
      ]).hour.values(),
    ];
    const figures = summarise(hours, at("2026-03-01T10:00"));
    expect([figures.visits, figures.bounces, figures.durationMs]).toEqual([1, 0, 240_000]);
  });

  test("C46: views at 10:05 and 10:55 are two visits", () => {
    const hours = [
      ...rolled([
        [1, "2026-03-01T10:05"],
        [1, "2026-03-01T10:55"],
      ]).hour.values(),
    ];
    const figures = summarise(hours, at("2026-03-01T10:00"));
    expect([figures.visits, figures.bounces, figures.visitors]).toEqual([2, 2, 1]);
  });

  test("C48: views at 23:59:46 and 00:25:24 are one visit, active on both days, one visitor over both", () => {
    const { day } = rolled([
      [1, "2026-03-01T23:59:46"],
      [1, "2026-03-02T00:25:24"],
    ]);
    const days = [...day.values()];
    const points = series(days, { unit: "day", from: at("2026-03-01T00:00") }, utc);
    expect(points.map((point) => [point.visitors, point.visits, point.views])).toEqual([
      [1, 1, 1],
      [1, 0, 1],
    ]);
    expect(summarise(days, at("2026-03-01T00:00"))).toMatchObject({
      visitors: 1,
      visits: 1,
      bounces: 0,
    });
  });

  test("C50: {A,B,C} on day 1 and {B,C,D} on day 2 are 4 visitors", () => {
    const { day } = rolled([
      [1, "2026-03-01T10:00"],
      [2, "2026-03-01T11:00"],
      [3, "2026-03-01T12:00"],
      [2, "2026-03-02T10:00"],
      [3, "2026-03-02T11:00"],
      [4, "2026-03-02T12:00"],
    ]);
    expect(summarise([...day.values()], at("2026-03-01T00:00")).visitors).toBe(4);
  });

  test("C54: a page that was read and closed has no visit duration", () => {
    const { day } = rolled([[1, "2026-03-01T10:00"]]);
    expect(summarise(day.values(), 0)).toMatchObject({ durationMs: 0, bounces: 1, visits: 1 });
  });

  test("a visit that grows takes back its bounce and its exit, in a later bucket if need be", () => {
    const { hour } = rolled([
      [1, "2026-03-01T10:50", "/a"],
      [1, "2026-03-01T11:10", "/b"],
    ]);
    const [ten, eleven] = [...hour.values()];
    expect(ten?.dimensions.get("path")?.cells.get("/a")).toMatchObject({
      bounces: 1,
      exits: 1,
      visits: 1,
    });
    expect(eleven?.dimensions.get("path")?.cells.get("/a")).toMatchObject({
      bounces: -1,
      exits: -1,
      views: 0,
    });
    expect(eleven?.dimensions.get("path")?.cells.get("/b")).toMatchObject({
      bounces: 0,
      exits: 1,
      views: 1,
    });
    const request = {
      dimension: "path",
      from: at("2026-03-01T11:00"),
      rankBy: "views",
      maxRows: 10,
    } as const;
    const report = breakdown(eleven === undefined ? [] : [eleven], request, utc);
    expect(report.rows.map((row) => row.value)).toEqual(["/b"]);
  });
});

describe("ratios", () => {
  const counts = { ...emptyCell(), views: 6, visits: 4, bounces: 1, exits: 3, durationMs: 8_000 };

  test("come from numerators and denominators", () => {
    expect(bounceRatio(counts)).toBe(0.25);
    expect(viewsPerVisit(counts)).toBe(1.5);
    expect(averageVisitMs(counts)).toBe(2_000);
    expect(exitRatio(counts)).toBe(0.5);
  });

  test("are 0 when nothing happened, and stay in bounds where a range begins inside a visit", () => {
    const nothing = emptyCell();
    expect([bounceRatio(nothing), viewsPerVisit(nothing), averageVisitMs(nothing)]).toEqual([
      0, 0, 0,
    ]);
    expect(bounceRatio({ ...counts, bounces: -2 })).toBe(0);
    expect(exitRatio({ ...counts, exits: -1 })).toBe(0);
  });
});

describe("many values", () => {
  const hour = at("2026-03-01T10:00");
  const visits = (count: number, prefix: string): LoggedView[] =>
    Array.from({ length: count }, (_, index) => first("2026-03-01T10:00", `${prefix}${index}`));

  test("no value is lost at 1,000 distinct values", () => {
    const rollup = addViews(emptyRollup("hour", hour), visits(MAX_HOUR_VALUES, "/"), utc);
    expect(rollup.dimensions.get("path")?.cells.size).toBe(1_000);
    expect(rollup.dimensions.get("path")?.other).toBeNull();
  });

  test("above, the tail becomes one sum, the busiest stay, nothing is lost from the total, and the report says so", () => {
    const views = [...visits(MAX_HOUR_VALUES + 200, "/"), first("2026-03-01T10:00", "/1199")];
    const rollup = addViews(emptyRollup("hour", hour), views, utc);
    const path = rollup.dimensions.get("path");
    expect(path?.cells.size).toBe(1_000);
    expect(path?.cells.get("/1199")?.views).toBe(2);
    expect(path?.other?.views).toBe(200);
    const request = { dimension: "path", from: hour, rankBy: "views", maxRows: 5 } as const;
    const report = breakdown([rollup], request, utc);
    expect(report.complete).toBe(false);
    expect(report.rows).toHaveLength(5);
    expect(report.rows[0]).toMatchObject({ value: "/1199", views: 2 });
    expect(report.rows.reduce((sum, row) => sum + row.views, report.rest?.views ?? 0)).toBe(1_201);
  });

  test('a visitor\'s own value "(other)" stays a value', () => {
    const rollup = addViews(emptyRollup("hour", hour), [first("2026-03-01T10:00", "(other)")], utc);
    expect(rollup.dimensions.get("path")?.cells.get("(other)")?.views).toBe(1);
    expect(rollup.dimensions.get("path")?.other).toBeNull();
  });

  test.each(["__proto__", "constructor", "toString", "😀", "café"])(
    "the value %j is a value like any",
    (value) => {
      const rollup = addViews(emptyRollup("hour", hour), [first("2026-03-01T10:00", value)], utc);
      expect([...(rollup.dimensions.get("path")?.cells.keys() ?? [])]).toEqual([value]);
    },
  );
});

describe("the clock's dimensions", () => {
  test("a sealed day knows its hours, a sealed month its weekdays too; both hours of a fold have one name", () => {
    const newYork = calendarOf("America/New_York");
    const history = ["2026-11-01T05:30", "2026-11-01T06:30", "2026-11-02T06:30"].map(
      (time, visitor) => viewRow({ visitor, at: at(time), path: "/", country: "" }),
    );
    const { day, month } = rollAll(hoursOf(loggedRows(history), newYork), newYork);
    const views = (dimension: "hour" | "weekdayHour", rollups: typeof day) =>
      breakdown(
        rollups.values(),
        { dimension, from: 0, rankBy: "views", maxRows: 9 },
        newYork,
      ).rows.map((row) => [row.value, row.views]);
    expect(views("hour", day)).toEqual([["01", 3]]);
    const weekdays = [
      ["7T01", 2],
      ["1T01", 1],
    ];
    expect(views("weekdayHour", day)).toEqual(weekdays);
    expect(views("weekdayHour", month)).toEqual(weekdays);
  });
});

describe("refused", () => {
  const hour = at("2026-03-01T10:00");

  test("a view outside the bucket", () => {
    const view = first("2026-03-01T11:00", "/");
    expect(() => addViews(emptyRollup("hour", hour), [view], utc)).toThrow(
      /views go to the hour or day/,
    );
  });

  test("facts that contradict each other", () => {
    const view = { ...first("2026-03-01T10:00", "/"), visitorLastSeenAt: hour + 1 };
    expect(() => addViews(emptyRollup("hour", hour), [view], utc)).toThrow(/contradict/);
    const second = { ...first("2026-03-01T10:00", "/"), visitSequence: 2 };
    expect(() => addViews(emptyRollup("hour", hour), [second], utc)).toThrow(/contradict/);
  });

  test("merging two hours, sealing an hour into another day, a day into a day, a series finer than its roll-ups", () => {
    const [ten, eleven] = [emptyRollup("hour", hour), emptyRollup("hour", hour + 3_600_000)];
    expect(() => merge([ten, eleven])).toThrow(/one bucket/);
    expect(() => merge([])).toThrow(/at least one/);
    const day = at("2026-03-02T00:00");
    expect(() => seal("day", day, [ten], utc)).toThrow(/does not lie in/);
    expect(() => seal("day", day, [emptyRollup("day", day)], utc)).toThrow(/cannot be sealed/);
    const month = emptyRollup("month", at("2026-03-01T00:00"));
    expect(() => series([month], { unit: "day", from: 0 }, utc)).toThrow(/cannot be made/);
  });

  test("merging takes nothing from its parts: changing the sum leaves them alone", () => {
    const part = addViews(emptyRollup("hour", hour), [first("2026-03-01T10:00", "/")], utc);
    const before = structuredClone(part);
    const sum = merge([part, part]);
    cellOf(valuesOf(sum, "path"), "/").views = 99;
    expect(part).toEqual(before);
  });
});
