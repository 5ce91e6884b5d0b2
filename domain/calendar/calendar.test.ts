import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BucketUnit, calendarOf } from "./calendar.ts";

const HOUR_MS = 3_600_000;
const UNITS: BucketUnit[] = ["hour", "day", "week", "month"];

const iso = (at: number): string => new Date(at).toISOString().replace(".000Z", "Z");
const instant = (text: string): number => Date.parse(text);

function startOfDate(zone: string, date: string): number {
  const startsAt = calendarOf(zone).startOfDate(date);
  if (startsAt === null) throw new Error(`${zone} has no ${date}`);
  return startsAt;
}

/** zone, local date, where it begins, how long it lasts, how many hourly buckets it has, its first local hour */
const DAYS: [string, string, string, number, number, number][] = [
  ["UTC", "2026-02-28", "2026-02-28T00:00:00Z", 24, 24, 0],
  ["Europe/Madrid", "2020-03-29", "2020-03-28T23:00:00Z", 23, 23, 0],
  ["Europe/Madrid", "2020-10-25", "2020-10-24T22:00:00Z", 25, 25, 0],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", 25, 25, 0],
  ["America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", 23, 23, 0],
  ["Asia/Kolkata", "2026-06-01", "2026-05-31T18:30:00Z", 24, 24, 0],
  ["Asia/Kathmandu", "2026-01-01", "2025-12-31T18:15:00Z", 24, 24, 0],
  ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", 23, 23, 1],
  ["Asia/Beirut", "2022-03-27", "2022-03-26T22:00:00Z", 23, 23, 1],
  ["Africa/Cairo", "2023-04-28", "2023-04-27T22:00:00Z", 23, 23, 1],
  ["Africa/Cairo", "2023-10-26", "2023-10-25T21:00:00Z", 25, 25, 0],
  ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00Z", 23.5, 24, 0],
  ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", 24.5, 25, 0],
  ["Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", 24, 24, 0],
  ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", 24, 24, 0],
  // The clock was turned back at 00:01 to 23:01 of the day before: the new day does not begin twice.
  ["America/St_Johns", "2006-10-29", "2006-10-29T02:30:00Z", 25, 26, 0],
];

describe("days", () => {
  test.each(DAYS)(
    "%s %s begins at %s and lasts %d h",
    (zone, date, begins, hours, buckets, first) => {
      const calendar = calendarOf(zone);
      const startsAt = startOfDate(zone, date);
      const endsAt = calendar.next("day", startsAt);
      expect(iso(startsAt)).toBe(begins);
      expect((endsAt - startsAt) / HOUR_MS).toBe(hours);
      expect(calendar.between("hour", startsAt, endsAt)).toHaveLength(buckets);
      expect(calendar.localTime(startsAt).hour).toBe(first);
    },
  );

  test("C60: Europe/Madrid on 2020-03-29 has 23 hourly buckets, and none of them is called 02", () => {
    const calendar = calendarOf("Europe/Madrid");
    const startsAt = startOfDate("Europe/Madrid", "2020-03-29");
    const hours = calendar.between("hour", startsAt, calendar.next("day", startsAt));
    expect(hours.map((at) => calendar.localTime(at).hour)).toEqual([
      0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
    ]);
  });

  test("C60: America/New_York 2026-11-01, 05:30Z and 06:30Z are two hours, both called 01", () => {
    const calendar = calendarOf("America/New_York");
    const early = calendar.startOf("hour", instant("2026-11-01T05:30:00Z"));
    const late = calendar.startOf("hour", instant("2026-11-01T06:30:00Z"));
    expect([iso(early), iso(late)]).toEqual(["2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z"]);
    expect([early, late].map((at) => calendar.localTime(at).hour)).toEqual([1, 1]);
  });

  test("a date that the zone skipped, and a date that is none, have no beginning", () => {
    expect(calendarOf("Pacific/Apia").startOfDate("2011-12-30")).toBeNull();
    for (const text of ["2026-02-30", "2026-13-01", "26-01-01", "", "today", "2026-1-1"]) {
      expect(calendarOf("UTC").startOfDate(text)).toBeNull();
    }
  });

  test("the bucket before a month that begins in another offset is the whole month before", () => {
    const calendar = calendarOf("Europe/Madrid");
    const november = startOfDate("Europe/Madrid", "2026-11-01");
    expect(calendar.previous("month", november)).toBe(startOfDate("Europe/Madrid", "2026-10-01"));
    expect(calendar.previous("day", november)).toBe(startOfDate("Europe/Madrid", "2026-10-31"));
  });

  test("an ISO week begins on Monday, also across a year", () => {
    const calendar = calendarOf("Asia/Tokyo");
    const weekStart = calendar.startOf("week", startOfDate("Asia/Tokyo", "2027-01-01"));
    expect(calendar.localTime(weekStart)).toEqual({ date: "2026-12-28", weekday: 1, hour: 0 });
  });
});

const ODD_ZONES = [
  "Europe/Madrid",
  "America/New_York",
  "America/Sao_Paulo",
  "Asia/Beirut",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Africa/Monrovia",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
  "America/St_Johns",
  "America/Scoresbysund",
  "Asia/Kathmandu",
  "Asia/Gaza",
  "Asia/Pyongyang",
  "Antarctica/Troll",
];

const anyZone = fc.oneof(
  fc.constantFrom(...ODD_ZONES),
  fc.constantFrom(...Intl.supportedValuesOf("timeZone")),
);
const anyInstant = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2045, 0, 1) });
/** Instants near midnights and changes of the clock find more than uniform ones. */
const nearHour = fc
  .tuple(anyInstant, fc.constantFrom(-1, 0, 1, 60_000))
  .map(([at, shift]) => Math.floor(at / 1_800_000) * 1_800_000 + shift);

describe("for any zone, unit and instant", () => {
  const anyUnit = fc.constantFrom(...UNITS);

  test("a bucket holds the instant, and next and previous are its neighbours without a gap", () => {
    fc.assert(
      fc.property(anyZone, anyUnit, fc.oneof(anyInstant, nearHour), (zone, unit, at) => {
        const calendar = calendarOf(zone);
        const { startsAt, endsAt } = calendar.bucketAt(unit, at);
        expect(startsAt).toBeLessThanOrEqual(at);
        expect(endsAt).toBeGreaterThan(at);
        expect(calendar.startOf(unit, startsAt)).toBe(startsAt);
        expect(calendar.startOf(unit, endsAt - 1)).toBe(startsAt);
        expect(calendar.startOf(unit, endsAt)).toBe(endsAt);
        expect(calendar.previous(unit, endsAt)).toBe(startsAt);
        expect(calendar.next(unit, at)).toBe(endsAt);
      }),
      { numRuns: 1_000 },
    );
  });

  test("units nest: every day begins where an hour begins, every week and month where a day begins", () => {
    fc.assert(
      fc.property(anyZone, fc.oneof(anyInstant, nearHour), (zone, at) => {
        const calendar = calendarOf(zone);
        const day = calendar.startOf("day", at);
        expect(calendar.startOf("hour", day)).toBe(day);
        for (const unit of ["week", "month"] as const) {
          const startsAt = calendar.startOf(unit, at);
          expect(calendar.startOf("day", startsAt)).toBe(startsAt);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("the local name of an instant is the one that Intl gives", () => {
    fc.assert(
      fc.property(anyZone, fc.oneof(anyInstant, nearHour), (zone, at) => {
        const format = new Intl.DateTimeFormat("sv-SE", {
          timeZone: zone,
          dateStyle: "short",
          timeStyle: "medium",
        });
        const { date, hour } = calendarOf(zone).localTime(at);
        expect(`${date} ${String(hour).padStart(2, "0")}`).toBe(format.format(at).slice(0, 13));
      }),
      { numRuns: 1_000 },
    );
  });

  test("the buckets of a range cover it once, in order", () => {
    fc.assert(
      fc.property(
        anyZone,
        anyUnit,
        nearHour,
        fc.integer({ min: 1, max: 90 * 24 * HOUR_MS }),
        (zone, unit, from, lengthMs) => {
          const calendar = calendarOf(zone);
          const starts = calendar.between(unit, from, from + lengthMs);
          expect(starts[0]).toBe(calendar.startOf(unit, from));
          for (const [index, startsAt] of starts.entries()) {
            const next = starts[index + 1];
            if (next === undefined)
              expect(calendar.next(unit, startsAt)).toBeGreaterThanOrEqual(from + lengthMs);
            else expect(calendar.next(unit, startsAt)).toBe(next);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("an empty range has no buckets", () => {
    const at = instant("2026-01-01T00:00:00Z");
    expect(calendarOf("UTC").between("hour", at, at)).toEqual([]);
  });
});

describe("zone names", () => {
  test("a name that is no zone is refused with the way out", () => {
    expect(() => calendarOf("Mars/Olympus")).toThrow(
      '"Mars/Olympus" is no time zone. Wanted: an IANA name such as "Europe/Madrid".',
    );
  });

  test.each(["", "+02:00", "../etc", "Europe/Madrid ", "x".repeat(5_000), "<b>", "__proto__"])(
    "%j is refused",
    (name) => {
      expect(() => calendarOf(name)).toThrow(RangeError);
    },
  );
});
