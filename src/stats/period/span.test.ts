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

  test("is nothing when nothing is wanted", () => {
    expect(compared(preset("7d"), "none")).toBeNull();
  });
});

describe("what may be compared", () => {
  const pair = (asked: AskedPeriod, now = NOW) => {
    const span = spanOf(asked, { now, since: null }, madrid);
    const before = comparedSpan(span, { asked, how: "previous" }, madrid);
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

  test("is nothing in the first hour of the first day", () => {
    expect(pair(preset("today"), at("2026-11-29T23:20:00Z"))).toBeNull();
  });
});
