import { describe, expect, test } from "vitest";
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { spanOf } from "../../../domain/calendar/periods.ts";
import type { AskedPeriod, Preset, Span } from "../../../domain/calendar/periods.ts";
import { comparable, comparedSpan } from "./span.ts";
import type { Comparison } from "./span.ts";

const madrid = calendarOf("Europe/Madrid");
const at = (text: string) => Date.parse(text);
const preset = (name: Preset): AskedPeriod => ({ kind: "preset", preset: name });
const days = (firstDay: string, lastDay: string): AskedPeriod => ({
  kind: "days",
  firstDay,
  lastDay,
});
const written = ({ from, until }: Span) =>
  `${madrid.localTime(from).date} ${madrid.localTime(until - 1).date}`;

/** Monday, 14:32 in Madrid. */
const NOW = at("2026-11-30T13:32:00Z");

describe("what a period is compared with", () => {
  const compared = (asked: AskedPeriod, how: Comparison) => {
    const span = comparedSpan(
      spanOf(asked, { now: NOW, since: null }, madrid),
      { asked, how },
      madrid,
    );
    return span === null ? null : written(span);
  };

  test("is as many days right before", () => {
    expect(compared(preset("today"), "previous")).toBe("2026-11-29 2026-11-29");
    expect(compared(preset("28d"), "previous")).toBe("2026-10-06 2026-11-02");
    expect(compared(days("2026-10-20", "2026-10-30"), "previous")).toBe("2026-10-09 2026-10-19");
  });

  test("is the same dates of the year before, where the 29th of February is the 28th", () => {
    expect(compared(preset("7d"), "year")).toBe("2025-11-24 2025-11-30");
    expect(compared(preset("12mo"), "previous")).toBe("2024-12-01 2025-11-30");
    expect(compared(days("2024-02-29", "2024-03-02"), "year")).toBe("2023-02-28 2023-03-02");
  });

  test("is of this month the one before, up to the same day, and of this year the one before", () => {
    expect(compared(preset("month"), "previous")).toBe("2026-10-01 2026-10-30");
    expect(compared(preset("month"), "year")).toBe("2025-11-01 2025-11-30");
    expect(compared(preset("year"), "previous")).toBe("2025-01-01 2025-11-30");
    const march = { now: at("2026-03-31T10:00:00Z"), since: null };
    const span = spanOf(preset("month"), march, madrid);
    const before = comparedSpan(span, { asked: preset("month"), how: "previous" }, madrid);
    expect(before && written(before)).toBe("2026-02-01 2026-02-28");
  });

  test("is the days that somebody chose, and nothing when they are none, or more than a report may be of", () => {
    const own = (firstDay: string, lastDay: string) =>
      compared(preset("7d"), { kind: "days", firstDay, lastDay });
    expect(own("2026-03-28", "2026-03-30")).toBe("2026-03-28 2026-03-30");
    expect(own("2026-02-30", "2026-03-30")).toBeNull();
    expect(own("2026-03-30", "2026-03-28")).toBeNull();
    expect(own("1999-01-01", "2026-11-20")).toBeNull();
  });

  test("is nothing when nothing is wanted", () => {
    expect(compared(preset("7d"), "none")).toBeNull();
  });
});

describe("what may be compared", () => {
  const pair = (asked: AskedPeriod, now = NOW, how: Comparison = "previous") => {
    const span = spanOf(asked, { now, since: null }, madrid);
    const before = comparedSpan(span, { asked, how }, madrid);
    return before === null ? null : comparable(span, before, now, madrid);
  };
  const ends = (asked: AskedPeriod, now = NOW) => {
    const both = pair(asked, now);
    return (
      both && [both.current.until, both.before.until].map((end) => new Date(end).toISOString())
    );
  };

  test("is both up to the same full hour of the same day", () => {
    expect(ends(preset("today"))).toEqual(["2026-11-30T13:00:00.000Z", "2026-11-29T13:00:00.000Z"]);
    expect(ends(preset("28d"))).toEqual(["2026-11-30T13:00:00.000Z", "2026-11-02T13:00:00.000Z"]);
  });

  test("is the whole of both when the last day is over", () => {
    const both = pair(preset("yesterday"));
    expect(both && [written(both.current), written(both.before)]).toEqual([
      "2026-11-29 2026-11-29",
      "2026-11-28 2026-11-28",
    ]);
  });

  test("is full days alone where the hours of before are no longer kept", () => {
    expect(ends(preset("90d"))).toEqual(["2026-11-29T23:00:00.000Z", "2026-08-31T22:00:00.000Z"]);
  });

  test("is as many days of both, where one has fewer: a short month, a leap year, days of one's own", () => {
    const both = (...args: Parameters<typeof pair>) => {
      const found = pair(...args);
      return found && [written(found.current), written(found.before)];
    };
    expect(both(preset("month"), at("2026-03-31T10:00:00Z"))).toEqual([
      "2026-03-01 2026-03-28",
      "2026-02-01 2026-02-28",
    ]);
    expect(both(days("2024-02-01", "2024-02-29"), NOW, "year")).toEqual([
      "2024-02-01 2024-02-28",
      "2023-02-01 2023-02-28",
    ]);
    const own = { kind: "days", firstDay: "2026-03-28", lastDay: "2026-03-30" } as const;
    expect(both(days("2026-10-24", "2026-10-30"), NOW, own)).toEqual([
      "2026-10-24 2026-10-26",
      "2026-03-28 2026-03-30",
    ]);
  });

  test("C60: days on which the clock changes count as days, whatever hours they have", () => {
    const own = { kind: "days", firstDay: "2026-03-29", lastDay: "2026-03-29" } as const;
    const both = pair(days("2026-10-25", "2026-10-25"), NOW, own);
    const hours = ({ from, until }: Span) => (until - from) / 3_600_000;
    expect(both && [hours(both.current), hours(both.before)]).toEqual([25, 23]);
  });

  test("is nothing in the first hour of the first day", () => {
    expect(pair(preset("today"), at("2026-11-29T23:20:00Z"))).toBeNull();
  });
});
