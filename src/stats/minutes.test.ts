import { expect, test } from "vitest";
import { LISTED_MINUTES } from "../../domain/limits.ts";
import { MINUTE_MS } from "../../domain/minutes.ts";
import { clockOffsetMs, lastMinutes, scaleTop, type Minute } from "./minutes.ts";

const noon = Date.UTC(2026, 10, 30, 12);
const minute = (offset: number, views: number): Minute => ({
  startedAt: noon + offset * MINUTE_MS,
  views,
});

test("the half hour ends with the minute that is going on, which is not finished", () => {
  const bars = lastMinutes([minute(-1, 4), minute(0, 2)], noon + 20_000);
  expect(bars).toHaveLength(LISTED_MINUTES);
  expect(bars.at(-1)).toEqual({ startedAt: noon, views: 2, isCurrent: true });
  expect(bars.at(-2)).toEqual({ startedAt: noon - MINUTE_MS, views: 4, isCurrent: false });
  expect(bars.filter((bar) => bar.isCurrent)).toHaveLength(1);
});

test("numbers that were settled a while ago move to the left, and fall out after half an hour", () => {
  const settled = [minute(-29, 7), minute(0, 2)];
  const later = lastMinutes(settled, noon + 10 * MINUTE_MS);
  expect(later.at(-11)).toMatchObject({ startedAt: noon, views: 2, isCurrent: false });
  expect(later.reduce((sum, { views }) => sum + views, 0)).toBe(2);
});

test("a reader whose clock is behind still sees the minute that was counted", () => {
  const bars = lastMinutes([minute(0, 3)], noon - 14 * 24 * 60 * MINUTE_MS);
  expect(bars.at(-1)).toEqual({ startedAt: noon, views: 3, isCurrent: true });
});

test("without any view there are thirty empty minutes", () => {
  const bars = lastMinutes([], noon);
  expect(bars.map(({ views }) => views)).toEqual(Array(LISTED_MINUTES).fill(0));
  expect(scaleTop(bars)).toBe(1);
});

test.each([
  [1, 1],
  [5, 5],
  [7, 10],
  [14, 15],
  [22, 25],
  [61, 70],
  [480, 500],
])("bars up to %i are drawn under a line at %i", (largest, top) => {
  expect(scaleTop([minute(0, largest)])).toBe(top);
});

test("C18: a clock that is hours off is corrected, one that is seconds off is left alone", () => {
  expect(clockOffsetMs(noon, noon + 2 * 60 * MINUTE_MS)).toBe(-2 * 60 * MINUTE_MS);
  expect(clockOffsetMs(noon, 0)).toBe(noon);
  expect(clockOffsetMs(noon, noon + 3_000)).toBe(0);
});
