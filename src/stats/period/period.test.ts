import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Condition } from "../../../domain/filters/filter.ts";
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { writePeriod } from "../../../domain/calendar/periods.ts";
import { changed, readAddress, writeFilter } from "./address.ts";
import { changeOfCount, changeOfDuration, changeOfMean, changeOfShare } from "./change.ts";
import { formatChange, formatMean, formatSpent } from "./figures.ts";
import { reachOf } from "./panels.ts";
import { barsOf, scaleOf, tickPlaces, unitFor, unitsOf } from "./trend.ts";
import { periodOf } from "./usePeriod.ts";
import { valueLabel } from "./values.ts";
import { weekOf } from "./week.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const utc = calendarOf("UTC");
const figures = {
  ...{ visits: 0, bounces: 0, exits: 0, durationMs: 0 },
  ...{ events: 0, visitors: 0, newVisitors: 0 },
};

describe("the address of /stats", () => {
  test("says period, comparison, unit and filter, and is read as it was written", () => {
    const days = { kind: "days", firstDay: "2026-11-03", lastDay: "2026-11-30" } as const;
    const filter: Condition[] = [
      { dimension: "path", operator: "is", values: ["/a:b?c&d|;"] },
      { dimension: "timeZone", operator: "isNot", values: ["", "UTC"] },
    ];
    let parameters = new URLSearchParams();
    parameters = changed(parameters, "period", writePeriod(days));
    parameters = changed(parameters, "compare", "year");
    parameters = changed(parameters, "by", "week");
    parameters = changed(parameters, "filter", writeFilter(filter));
    const read = readAddress(new URLSearchParams(parameters.toString()));
    expect(read).toEqual({ period: days, compare: "year", unit: "week", filter });
    expect(changed(parameters, "filter", writeFilter([])).has("filter")).toBe(false);
  });

  test("says days to compare with, and takes what are none for the time before", () => {
    const compareOf = (text: string) => readAddress(new URLSearchParams({ compare: text })).compare;
    const own = { kind: "days", firstDay: "2026-03-01", lastDay: "2026-03-09" };
    expect(compareOf("2026-03-01..2026-03-09")).toEqual(own);
    expect([compareOf("year"), compareOf("2026-03-01..")]).toEqual(["year", "previous"]);
  });

  test("takes whatever somebody typed, and nothing of it is trusted", () => {
    const text = "period=2026-1..x&compare=worse&by=second&filter=__proto__:is:x";
    expect(readAddress(new URLSearchParams(text))).toEqual({
      period: { kind: "preset", preset: "28d" },
      compare: "previous",
      unit: null,
      filter: [],
    });
  });
});

describe("a change", () => {
  test("within noise is as before, and said in percent, or as a multiple above three", () => {
    expect(changeOfCount(105, 100)).toEqual({ kind: "asBefore" });
    expect(changeOfCount(150, 100)).toEqual({ kind: "share", share: 0.5 });
    expect(changeOfCount(410, 100)).toEqual({ kind: "times", ratio: 4.1 });
    expect(changeOfCount(3, 0)).toEqual({ kind: "new" });
    expect(changeOfCount(0, 0)).toEqual({ kind: "asBefore" });
    expect(changeOfMean(2, 2.001)).toEqual({ kind: "asBefore" });
    expect(changeOfDuration(65_000, 64_500)).toEqual({ kind: "asBefore" });
  });

  test("of a share is in points, and more bounces are worse", () => {
    expect(formatChange(changeOfShare(0.45, 0.424))).toEqual({
      mark: "▲",
      text: "2.6 pt",
      isWorse: true,
    });
    expect(formatChange(changeOfShare(0.4, 0.424))).toMatchObject({ mark: "▼", isWorse: false });
  });

  test("has no sign of its own: the mark points", () => {
    expect(formatChange(changeOfCount(50, 100))).toEqual({
      mark: "▼",
      text: "50.0%",
      isWorse: false,
    });
    expect(formatChange(changeOfDuration(60_000, 134_000)).text).toBe("1m 14s");
  });
});

test("figures that nothing was counted for are a dash, and times are read without a calculator", () => {
  expect([formatMean(null), formatSpent(null)]).toEqual(["–", "–"]);
  expect([0, 41_400, 134_000, 3_900_000].map(formatSpent)).toEqual([
    "0s",
    "41s",
    "2m 14s",
    "1h 05m",
  ]);
});

describe("the trend", () => {
  test("has a scale of round whole numbers from zero that covers every value", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 10_000_000 }), { maxLength: 100 }), (values) => {
        const lines = scaleOf(values);
        expect(lines[0]).toBe(0);
        expect(lines.every(Number.isInteger)).toBe(true);
        expect(lines.at(-1)).toBeGreaterThanOrEqual(Math.max(0, ...values));
        expect(lines.length).toBeLessThanOrEqual(6);
      }),
    );
    expect(scaleOf([15_000])).toEqual([0, 5_000, 10_000, 15_000]);
  });

  test("labels a few bars, the first always", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (count) => {
        const places = tickPlaces(count);
        expect(places[0]).toBe(0);
        expect(places.length).toBeLessThanOrEqual(6);
        expect(Math.max(...places)).toBeLessThan(count);
      }),
    );
  });

  test("knows which bars are over, under way, or ahead, and their neighbours of before", () => {
    const point = (place: number, views: number) => ({
      ...figures,
      views,
      startsAt: place * HOUR,
      endsAt: (place + 1) * HOUR,
    });
    const bars = barsOf([point(0, 5), point(1, 2), point(2, 0)], [point(-9, 7)], {
      figure: "views",
      now: 1.5 * HOUR,
    });
    expect(bars.map(({ state }) => state)).toEqual(["finished", "unfinished", "ahead"]);
    expect(bars.map(({ before }) => before)).toEqual([7, null, null]);
  });

  test("goes by a unit that fits its length, whatever is wished", () => {
    const span = (days: number) => ({ from: 0, until: days * DAY });
    expect([1, 2, 7, 90, 120, 365].map((days) => unitFor(span(days), null))).toEqual([
      ...["hour", "hour", "day", "day", "week", "month"],
    ]);
    expect(unitFor(span(365), "hour")).toBe("month");
    expect(unitFor(span(28), "week")).toBe("week");
    expect(unitsOf(span(28))).toEqual(["day", "week"]);
  });
});

describe("a period on screen", () => {
  const now = Date.UTC(2026, 10, 30, 14, 32);
  const asked = readAddress(new URLSearchParams("period=7d"));

  test("is compared with nothing where nothing was counted, and has no change where counting began in between", () => {
    const hour = utc.startOf("hour", now);
    const old = periodOf(asked, { hour, since: 0 }, utc);
    expect(old.same).not.toBeNull();
    const young = periodOf(asked, { hour, since: now - 10 * DAY }, utc);
    expect([young.compared === null, young.same]).toEqual([false, null]);
    const new_ = periodOf(asked, { hour, since: now - DAY }, utc);
    expect([new_.compared, new_.same]).toEqual([null, null]);
  });

  test("has lists up to this moment, and on a busy day up to the last full hour", () => {
    const period = periodOf(asked, { hour: now, since: 0 }, utc);
    expect(reachOf(period, { viewsToday: 100, now })).toEqual({
      range: period.span,
      isToLastHour: false,
    });
    expect(reachOf(period, { viewsToday: 100_000, now })).toEqual({
      range: { from: period.span.from, until: utc.startOf("hour", now) },
      isToLastHour: true,
    });
    const yesterday = readAddress(new URLSearchParams("period=yesterday"));
    const over = periodOf(yesterday, { hour: now, since: 0 }, utc);
    expect(reachOf(over, { viewsToday: 100_000, now }).isToLastHour).toBe(false);
  });
});

test("values have the names that people use, and what is no code stays as the visitor sent it", () => {
  expect(valueLabel("country", "DE")).toBe("Germany");
  expect(valueLabel("language", "pt-BR")).toBe("Brazilian Portuguese");
  expect(valueLabel("source", "")).toBe("Direct, none");
  expect(valueLabel("channel", "ai")).toBe("AI assistants");
  expect(valueLabel("screen", "s")).toBe("576–991 px");
  expect(valueLabel("country", "<img src=x onerror=alert(1)>")).toBe(
    "<img src=x onerror=alert(1)>",
  );
  expect(valueLabel("channel", "__proto__")).toBe("__proto__");
});

test("the week has a cell for every hour, the busiest darkest, and an hour with a view is never empty", () => {
  const row = (value: string, views: number) => ({ ...figures, value, views });
  const { cells, most } = weekOf([row("1T09", 600), row("7T23", 1)]);
  expect(most).toBe(600);
  expect(cells.map((day) => day.length)).toEqual(Array(7).fill(24));
  expect([cells[0]?.[9]?.step, cells[6]?.[23]?.step, cells[3]?.[3]?.step]).toEqual([6, 1, 0]);
});
