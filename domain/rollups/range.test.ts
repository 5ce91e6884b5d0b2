import { describe, expect, test } from "vitest";
import { calendarOf } from "../calendar/calendar.ts";
import { type Sealed, planRange } from "./range.ts";

const calendar = calendarOf("Europe/Madrid");
const local = (date: string, hour = 0): number => {
  const startsAt = calendar.startOfDate(date);
  if (startsAt === null) throw new Error(`no ${date}`);
  return startsAt + hour * 3_600_000;
};

/** As at 2026-11-30: days are sealed up to yesterday, months up to October, hours kept for 60 days. */
const SEALED: Sealed = {
  hoursSince: local("2026-10-01"),
  daysUntil: local("2026-11-30"),
  monthsUntil: local("2026-11-01"),
};

function unitsOf(from: number, until: number, sealed = SEALED): Record<string, number> {
  const { buckets } = planRange(calendar, { from, until }, sealed);
  const units: Record<string, number> = {};
  for (const { unit } of buckets) units[unit] = (units[unit] ?? 0) + 1;
  return units;
}

describe("the fewest buckets for a range", () => {
  test("twelve months up to now: whole months, the days around them, the hours of today", () => {
    const units = unitsOf(local("2025-11-30"), local("2026-11-30", 15));
    expect(units).toEqual({ day: 1 + 29, month: 11, hour: 15 });
    expect(30 + 11 + 15).toBeLessThanOrEqual(75);
  });

  test("24 hours that begin inside a day: hours alone", () => {
    expect(unitsOf(local("2026-11-29", 15), local("2026-11-30", 15))).toEqual({ hour: 24 });
  });

  test("a day of 25 hours by days is one bucket, by hours 25", () => {
    const [from, until] = [local("2026-10-25"), local("2026-10-26")];
    expect(unitsOf(from, until)).toEqual({ day: 1 });
    expect(unitsOf(from, until, { ...SEALED, daysUntil: from, monthsUntil: from })).toEqual({
      hour: 25,
    });
  });

  test("where hours are gone the range grows to whole days, and says so", () => {
    const plan = planRange(
      calendar,
      { from: local("2026-09-10", 5), until: local("2026-09-12", 7) },
      SEALED,
    );
    expect([plan.from, plan.until]).toEqual([local("2026-09-10"), local("2026-09-13")]);
    expect(plan.buckets.map(({ unit }) => unit)).toEqual(["day", "day", "day"]);
  });

  test("a range longer than a week that begins inside a day grows to that day", () => {
    const plan = planRange(
      calendar,
      { from: local("2026-11-10", 5), until: local("2026-11-20", 7) },
      SEALED,
    );
    expect([plan.from, plan.until]).toEqual([local("2026-11-10"), local("2026-11-20", 7)]);
    expect(unitsOf(plan.from, plan.until)).toEqual({ day: 10, hour: 7 });
  });

  test("an instant inside an hour takes the whole hour; an empty range takes nothing", () => {
    const at = local("2026-11-30", 9);
    const plan = planRange(calendar, { from: at + 1, until: at + 2 }, SEALED);
    expect(plan).toEqual({
      from: at,
      until: at + 3_600_000,
      buckets: [{ unit: "hour", startsAt: at }],
    });
    expect(planRange(calendar, { from: at, until: at }, SEALED).buckets).toEqual([]);
  });
});
