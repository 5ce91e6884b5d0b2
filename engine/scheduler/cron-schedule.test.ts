import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstRun, nextRun, nextRunAfterMissed, parseSchedule } from "./cron-schedule.ts";

const at = (iso: string): number => Date.parse(iso);
const iso = (ms: number): string => new Date(ms).toISOString().replace(/(:00)?\.000Z/, "Z");
const next = (schedule: Record<string, unknown>, after: string): string =>
  iso(nextRun(parseSchedule(schedule, "x"), at(after)));
const nextCron = (cron: string, after: string): string => next({ type: "cron", cron }, after);

describe("the kinds of cronJobs()", () => {
  test.each([
    [{ type: "interval", seconds: 30 }, "2026-01-01T00:00:30Z"],
    [{ type: "interval", minutes: 5 }, "2026-01-01T00:05Z"],
    [{ type: "interval", hours: 36 }, "2026-01-02T12:00Z"],
    [{ type: "hourly", minuteUTC: 0 }, "2026-01-01T01:00Z"],
    [{ type: "hourly", minuteUTC: 59 }, "2026-01-01T00:59Z"],
    [{ type: "daily", hourUTC: 0, minuteUTC: 0 }, "2026-01-02T00:00Z"],
    [{ type: "daily", hourUTC: 23, minuteUTC: 5 }, "2026-01-01T23:05Z"],
    [{ type: "weekly", dayOfWeek: "thursday", hourUTC: 0, minuteUTC: 0 }, "2026-01-08T00:00Z"],
    [{ type: "weekly", dayOfWeek: "sunday", hourUTC: 7, minuteUTC: 30 }, "2026-01-04T07:30Z"],
    [{ type: "monthly", day: 1, hourUTC: 0, minuteUTC: 0 }, "2026-02-01T00:00Z"],
    [{ type: "monthly", day: 31, hourUTC: 6, minuteUTC: 0 }, "2026-01-31T06:00Z"],
  ])("%j after midnight of Thursday 2026-01-01 is next due at %s", (schedule, expected) => {
    expect(next(schedule, "2026-01-01T00:00Z")).toBe(expected);
  });

  test("the 31st is skipped in months that have none", () => {
    const schedule = { type: "monthly", day: 31, hourUTC: 6, minuteUTC: 0 };
    expect(next(schedule, "2026-01-31T06:00Z")).toBe("2026-03-31T06:00Z");
  });

  test("without a minute each cron gets one of its own, always the same, over the whole hour", () => {
    const minuteOf = (identity: string): number =>
      new Date(nextRun(parseSchedule({ type: "hourly" }, identity), 0)).getUTCMinutes();
    const identities = Array.from({ length: 200 }, (_, i) => `cron ${i}`);
    expect(identities.map(minuteOf)).toEqual(identities.map(minuteOf));
    expect(new Set(identities.map(minuteOf)).size).toBeGreaterThan(30);
    const daily = parseSchedule({ type: "daily", hourUTC: 4 }, "x");
    expect(iso(nextRun(daily, 0))).toContain("T04:");
  });
});

describe("cron strings", () => {
  test.each([
    ["* * * * *", "2026-01-01T00:00:30Z", "2026-01-01T00:01Z"],
    ["*/15 * * * *", "2026-01-01T00:15Z", "2026-01-01T00:30Z"],
    ["5/20 * * * *", "2026-01-01T00:05Z", "2026-01-01T00:25Z"],
    ["0 9-17/4 * * *", "2026-01-01T09:00Z", "2026-01-01T13:00Z"],
    ["0,30 8 * * *", "2026-01-01T08:00Z", "2026-01-01T08:30Z"],
    ["0 0 1 JAN *", "2026-01-01T00:00Z", "2027-01-01T00:00Z"],
    ["0 0 * feb-mar *", "2026-01-01T00:00Z", "2026-02-01T00:00Z"],
    ["15 7 * * mon-fri", "2026-01-02T07:15Z", "2026-01-05T07:15Z"],
    ["0 12 * * 0", "2026-01-01T00:00Z", "2026-01-04T12:00Z"],
    ["0 12 * * 7", "2026-01-01T00:00Z", "2026-01-04T12:00Z"],
    ["0 12 * * 5-7", "2026-01-02T12:00Z", "2026-01-03T12:00Z"],
    ["0 0 29 2 *", "2026-01-01T00:00Z", "2028-02-29T00:00Z"],
    ["0 0 29 2 */7", "2026-01-01T00:00Z", "2032-02-29T00:00Z"],
    ["59 23 31 12 *", "2026-12-31T23:59Z", "2027-12-31T23:59Z"],
  ])("%s after %s is due at %s", (cron, after, expected) => {
    expect(nextCron(cron, after)).toBe(expected);
  });

  test("with day of month and day of week both given, a day that fits either is meant", () => {
    expect(nextCron("0 0 13 * 5", "2026-01-01T00:00Z")).toBe("2026-01-02T00:00Z");
    expect(nextCron("0 0 13 * 5", "2026-01-09T00:00Z")).toBe("2026-01-13T00:00Z");
  });

  test("with one of the two a star, also a star with a step, both must fit", () => {
    expect(nextCron("0 0 13 * *", "2026-01-01T00:00Z")).toBe("2026-01-13T00:00Z");
    expect(nextCron("0 0 */2 * 1", "2026-01-01T00:00Z")).toBe("2026-01-05T00:00Z");
  });

  test("any cron is next due at the first minute that fits, found by trying each minute", () => {
    const part = (first: number, last: number): fc.Arbitrary<string> =>
      fc.oneof(
        fc.constant("*"),
        fc.integer({ min: first, max: last }).map(String),
        fc.integer({ min: 2, max: 9 }).map((step) => `*/${step}`),
        fc
          .tuple(fc.integer({ min: first, max: last }), fc.integer({ min: first, max: last }))
          .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
        fc
          .array(fc.integer({ min: first, max: last }), { minLength: 1, maxLength: 3 })
          .map((list) => list.join(",")),
      );
    const cron = fc.tuple(part(0, 59), part(0, 23), part(1, 28), part(1, 12), part(0, 6));
    const start = fc.integer({ min: at("2024-01-01T00:00Z"), max: at("2032-01-01T00:00Z") });
    fc.assert(
      fc.property(cron, start, (fields, after) => {
        const found = nextRun(parseSchedule({ type: "cron", cron: fields.join(" ") }, ""), after);
        expect(found).toBeGreaterThan(after);
        expect(found % 60_000).toBe(0);
        expect(fitsByTrying(fields, found)).toBe(true);
        const before = Math.max(after + 1, found - 2 * 86_400_000);
        for (let t = Math.ceil(before / 60_000) * 60_000; t < found; t += 60_000) {
          if (fitsByTrying(fields, t)) throw new Error(`${fields.join(" ")} already at ${iso(t)}`);
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ["* * * *", "has 4 fields; it needs five"],
    ["", "it needs five"],
    ["60 * * * *", 'has "60" as minute; wanted 0-59'],
    ["* 24 * * *", 'has "24" as hour'],
    ["* * 0 * *", 'has "0" as day of month; wanted 1-31'],
    ["* * * 13 *", "wanted 1-12 or JAN-DEC"],
    ["* * * * 8", "wanted 0-7 or SUN-SAT"],
    ["*/0 * * * *", 'has "*/0" as minute'],
    ["5-1 * * * *", 'has "5-1" as minute'],
    ["1, * * * *", 'has "" as minute'],
    ["* * L * *", 'has "L" as day of month'],
    ["* * * * MON#2", 'has "MON#2" as day of week'],
    ["0 0 30 2 *", "never happens"],
  ])("%s is refused: %s", (cron, message) => {
    expect(() => parseSchedule({ type: "cron", cron }, "")).toThrow(message);
  });
});

function fitsByTrying(fields: readonly string[], ms: number): boolean {
  const date = new Date(ms);
  const [minute = "", hour = "", dayOfMonth = "", month = "", dayOfWeek = ""] = fields;
  const fits = (field: string, value: number, first: number): boolean =>
    field.split(",").some((text) => {
      const [range = "", step = "1"] = text.split("/");
      const [from, to = from] = range === "*" ? [first, 99] : range.split("-").map(Number);
      return (
        value >= Number(from) && value <= Number(to) && (value - Number(from)) % Number(step) === 0
      );
    });
  const fitsMonthDay = fits(dayOfMonth, date.getUTCDate(), 1);
  const fitsWeekDay = fits(dayOfWeek, date.getUTCDay(), 0);
  const hasStar = dayOfMonth.startsWith("*") || dayOfWeek.startsWith("*");
  return (
    fits(minute, date.getUTCMinutes(), 0) &&
    fits(hour, date.getUTCHours(), 0) &&
    fits(month, date.getUTCMonth() + 1, 1) &&
    (hasStar ? fitsMonthDay && fitsWeekDay : fitsMonthDay || fitsWeekDay)
  );
}

describe("a malformed schedule is refused with what it has and what was wanted", () => {
  test.each([
    [{}, "has undefined as type; wanted interval, hourly, daily, weekly, monthly or cron"],
    [{ type: "yearly" }, 'has "yearly" as type'],
    [{ type: "interval" }, "wanted seconds, minutes or hours"],
    [{ type: "interval", seconds: 0 }, "has 0 as seconds; wanted an integer from 1"],
    [{ type: "daily" }, "has undefined as hourUTC; wanted an integer from 0 to 23"],
    [{ type: "daily", hourUTC: 1, minuteUTC: 61 }, "has 61 as minuteUTC"],
    [{ type: "weekly", dayOfWeek: "Monday", hourUTC: 1 }, 'wanted a day like "monday"'],
    [{ type: "monthly", day: 32, hourUTC: 1 }, "has 32 as day"],
    [{ type: "cron" }, "wanted a cron string"],
  ])("%j: %s", (schedule, message) => {
    expect(() => parseSchedule(schedule, "")).toThrow(message);
  });
});

describe("after missed slots", () => {
  const interval = parseSchedule({ type: "interval", seconds: 10 }, "");

  test("an interval keeps its beat and skips what is past", () => {
    expect(nextRunAfterMissed(interval, 5_000, 5_000)).toBe(15_000);
    expect(nextRunAfterMissed(interval, 5_000, 14_999)).toBe(15_000);
    expect(nextRunAfterMissed(interval, 5_000, 15_000)).toBe(25_000);
    expect(nextRunAfterMissed(interval, 5_000, 1_000_000)).toBe(1_005_000);
  });

  test("when the clock stepped back, the next slot still lies after the one that ran", () => {
    expect(nextRunAfterMissed(interval, 5_000, 0)).toBe(15_000);
    const daily = parseSchedule({ type: "daily", hourUTC: 0, minuteUTC: 0 }, "");
    const slot = at("2026-01-05T00:00Z");
    expect(iso(nextRunAfterMissed(daily, slot, slot - 3_600_000))).toBe("2026-01-06T00:00Z");
  });
});

test("an interval begins at once, all others at their next time", () => {
  const now = at("2026-01-01T00:00:01Z");
  expect(firstRun(parseSchedule({ type: "interval", hours: 1 }, ""), now)).toBe(now);
  expect(firstRun(parseSchedule({ type: "hourly", minuteUTC: 0 }, ""), now)).toBe(
    at("2026-01-01T01:00Z"),
  );
});
