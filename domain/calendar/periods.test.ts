import { describe, expect, test } from "vitest";
import { calendarOf } from "./calendar.ts";
import { parsePeriod, readPeriod, spanOf, writePeriod } from "./periods.ts";
import type { AskedPeriod, Preset, Span } from "./periods.ts";

const madrid = calendarOf("Europe/Madrid");
const preset = (name: Preset): AskedPeriod => ({ kind: "preset", preset: name });
const days = (firstDay: string, lastDay: string): AskedPeriod => ({
  kind: "days",
  firstDay,
  lastDay,
});
const written = ({ from, until }: Span) =>
  `${madrid.localTime(from).date} ${madrid.localTime(until - 1).date}`;

/** Monday, 14:32 in Madrid; the first view came on a leap day. */
const CLOCK = {
  now: Date.parse("2026-11-30T13:32:00Z"),
  since: Date.parse("2024-02-29T22:00:00Z"),
};

describe("a period", () => {
  test.each([
    ["today", "2026-11-30 2026-11-30"],
    ["yesterday", "2026-11-29 2026-11-29"],
    ["7d", "2026-11-24 2026-11-30"],
    ["28d", "2026-11-03 2026-11-30"],
    ["30d", "2026-11-01 2026-11-30"],
    ["90d", "2026-09-02 2026-11-30"],
    ["month", "2026-11-01 2026-11-30"],
    ["year", "2026-01-01 2026-11-30"],
    ["12mo", "2025-12-01 2026-11-30"],
    ["all", "2024-02-29 2026-11-30"],
  ] as const)("%s is the site's own days %s", (name, expected) => {
    expect(written(spanOf(preset(name), CLOCK, madrid))).toBe(expected);
  });

  test("C60: a day on which the clock goes forward has 23 hours, also as a period", () => {
    const { from, until } = spanOf(days("2020-03-29", "2020-03-29"), CLOCK, madrid);
    expect((until - from) / 3_600_000).toBe(23);
  });

  test("never reaches past today, and days that are none are the last 28", () => {
    expect(written(spanOf(days("2026-11-20", "2030-01-01"), CLOCK, madrid))).toBe(
      "2026-11-20 2026-11-30",
    );
    for (const [first, last] of [
      ["2026-02-30", "2026-03-01"],
      ["2026-11-20", "2026-11-10"],
      ["2030-01-01", "2030-01-02"],
    ] as const) {
      expect(written(spanOf(days(first, last), CLOCK, madrid))).toBe("2026-11-03 2026-11-30");
    }
  });
});

test("before the first view, all time is today", () => {
  expect(written(spanOf(preset("all"), { ...CLOCK, since: null }, madrid))).toBe(
    "2026-11-30 2026-11-30",
  );
});

test("a period is written as it is read, and what is none is the last 28 days", () => {
  for (const text of ["month", "2026-11-03..2026-11-30"]) {
    expect(writePeriod(readPeriod(text))).toBe(text);
  }
  for (const text of ["", "forever", "2026-11-03", "2026-11-03..", "constructor"]) {
    expect(parsePeriod(text)).toBeNull();
    expect(writePeriod(readPeriod(text))).toBe("28d");
  }
});
