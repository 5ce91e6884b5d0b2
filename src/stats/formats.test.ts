import { expect, test } from "vitest";
import {
  formatCount,
  formatDay,
  formatDuration,
  formatSeconds,
  formatShare,
  formatTime,
} from "./formats.ts";

const at = Date.UTC(2026, 10, 30, 23, 5, 9);

test("counts are written with all their digits", () => {
  expect(formatCount(1_204_331)).toBe("1,204,331");
});

test("a share has one decimal; a share of nothing is a dash", () => {
  expect(formatShare(0.1906)).toBe("19.1%");
  expect(formatShare(1)).toBe("100.0%");
  expect(formatShare(null)).toBe("–");
  expect(formatShare(0)).toBe("0.0%");
});

test("times and days are those of the site's zone, not of the reader's", () => {
  expect(formatTime(at, { timeZone: "UTC" })).toBe("23:05");
  expect(formatSeconds(at, { timeZone: "UTC" })).toBe("23:05:09");
  expect(formatTime(at, { timeZone: "Asia/Kolkata" })).toBe("04:35");
  expect(formatDay(at, { timeZone: "Asia/Kolkata" })).toBe("1 Dec 2026");
  expect(formatDay(Date.UTC(2026, 8, 3), { timeZone: "UTC" })).toBe("3 Sep 2026");
});

test("a small share does not read as none", () => {
  expect(formatShare(3 / 167_195)).toBe("<0.1%");
  expect(formatShare(0.0006)).toBe("0.1%");
});

test("midnight is 00, not 24", () => {
  expect(formatTime(Date.UTC(2026, 0, 1), { timeZone: "UTC" })).toBe("00:00");
});

test("a zone that the browser does not know is written in UTC instead of failing", () => {
  expect(formatTime(at, { timeZone: "Moon/Tranquility" })).toBe("23:05");
});

test.each([
  [0, "1 s"],
  [19_200, "20 s"],
  [240_000, "4 min"],
  [3_600_000, "1 h"],
  [7_500_000, "2 h 5 min"],
  [7_199_000, "2 h"],
])("%i ms is written as %s", (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});
