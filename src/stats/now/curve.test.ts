import { expect, test } from "vitest";
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { HOUR_MS } from "../../../domain/calendar/civil.ts";
import { SLOT_MS } from "../../../domain/online/slots.ts";
import { curveOf, hoursOf, linePath, mostOf, pointsOf, tickPlaces } from "./curve.ts";
import type { OnlineByTime } from "./curve.ts";

const madrid = calendarOf("Europe/Madrid");
const SLOTS_OF_AN_HOUR = HOUR_MS / SLOT_MS;

function dayOf(day: string, peaks: number[]): OnlineByTime["day"] {
  const startsAt = madrid.startOfDate(day) ?? 0;
  return { day, startsAt, endsAt: madrid.next("day", startsAt), peaks };
}

const hours = (count: number) => count * SLOTS_OF_AN_HOUR;
/** `count` at the five minutes that begin so many hours after midnight. */
const at = (hour: number, count: number) => [...new Array<number>(hours(hour)).fill(0), count];

function curve(
  [day, peaks]: [string, number[]],
  before: [string, number[]] | null,
  live: { place: number; settled?: number; online?: number },
) {
  const today = dayOf(day, peaks);
  const weekBefore = before === null ? null : dayOf(...before);
  const moment = (place: number) => today.startsAt + place * SLOT_MS + 1_000;
  const { place, settled = place, online = 0 } = live;
  const seen = { now: moment(place), settledAt: moment(settled), online };
  return curveOf({ slotMs: SLOT_MS, day: today, weekBefore }, seen, madrid);
}

const todayOf = ({ slots }: ReturnType<typeof curve>) => slots.map(({ today }) => today);

test("what is over is as recorded, what is under way at least what is online now, what is ahead nothing", () => {
  const shown = curve(["2026-11-30", [2, 5, 1]], null, { place: 3, online: 4 });
  expect(todayOf(shown).slice(0, 5)).toEqual([2, 5, 1, 4, null]);
  expect(shown.current).toBe(3);
  expect(shown.slots).toHaveLength(288);
  expect(shown.slots.every(({ before }) => before === null)).toBe(true);
});

test("since it was settled nobody came or went; before that, what is not recorded was nobody", () => {
  const still = curve(["2026-11-30", [2]], null, { place: 6, settled: 3, online: 2 });
  expect(todayOf(still).slice(0, 8)).toEqual([2, 0, 0, 2, 2, 2, 2, null]);
  const justCame = curve(["2026-11-30", [2]], null, { place: 6, settled: 6, online: 1 });
  expect(todayOf(justCame).slice(0, 8)).toEqual([2, 0, 0, 0, 0, 0, 1, null]);
});

test("a day that is over has no slot under way, and nobody's online is put into it", () => {
  const over = curve(["2026-11-30", [2]], null, { place: 290, online: 9 });
  expect(over.current).toBe(-1);
  expect(mostOf(over.slots, "today")?.count).toBe(2);
});

test("beside a time stands the same time of the week before, whether its day had 23, 24 or 25 hours", () => {
  const before = (shown: ReturnType<typeof curve>, place: number) => shown.slots[place]?.before;
  // The clock was put back in the week before: its second hour at two is hour 3, its noon hour 13.
  const back = curve(["2026-11-01", []], ["2026-10-25", at(13, 7)], { place: 0 });
  expect(before(back, hours(12))).toBe(7);
  // Today: its second hour at two stands beside the same one, and noon beside noon.
  const today = curve(["2026-10-25", []], ["2026-10-18", at(2, 3)], { place: 0 });
  expect(today.slots).toHaveLength(300);
  expect([before(today, hours(2)), before(today, hours(3))]).toEqual([3, 3]);
  // Put forward in the week before: it had no hour at two.
  const forward = curve(["2026-04-05", []], ["2026-03-29", at(2, 3)], { place: 0 });
  expect([before(forward, hours(2)), before(forward, hours(3))]).toEqual([null, 3]);
  const short = curve(["2026-03-29", []], ["2026-03-22", at(12, 3)], { place: 0 });
  expect(short.slots).toHaveLength(276);
  expect(before(short, hours(11))).toBe(3);
});

test("of an hour that the week before had twice, the more is shown", () => {
  const twice = at(3, 9);
  twice[hours(2)] = 4;
  const shown = curve(["2026-11-01", []], ["2026-10-25", twice], { place: 0 });
  expect(shown.slots[hours(2)]?.before).toBe(9);
});

test("the table has the most of each hour, and what is ahead is nothing", () => {
  const shown = curve(["2026-11-30", [1, 6, 2]], ["2026-11-23", at(1, 8)], {
    place: hours(1) - 1,
  });
  const table = hoursOf(shown.slots, madrid);
  expect(table).toHaveLength(24);
  expect(table.slice(0, 3).map(({ today, before }) => [today, before])).toEqual([
    [6, 0],
    [null, 8],
    [null, 0],
  ]);
});

test("every third hour of the clock has one tick, also where a day has it twice or not at all", () => {
  const ticks = (day: string) => tickPlaces(curve([day, []], null, { place: 0 }).slots, madrid);
  expect(ticks("2026-11-30").map((place) => place / SLOTS_OF_AN_HOUR)).toEqual([
    0, 3, 6, 9, 12, 15, 18, 21,
  ]);
  expect(ticks("2026-10-25").map((place) => place / SLOTS_OF_AN_HOUR)).toEqual([
    0, 4, 7, 10, 13, 16, 19, 22,
  ]);
  expect(ticks("2026-03-29").map((place) => place / SLOTS_OF_AN_HOUR)).toEqual([
    0, 2, 5, 8, 11, 14, 17, 20,
  ]);
});

test("a point of the drawing has the most of its quarter of an hour, also the one under way", () => {
  const shown = curve(["2026-11-30", [1, 6, 2, 3]], ["2026-11-23", [0, 0, 5]], {
    place: 4,
    online: 4,
  });
  const { slots, current } = pointsOf(shown);
  expect(slots).toHaveLength(96);
  expect(slots.slice(0, 3).map(({ today, before }) => [today, before])).toEqual([
    [6, 5],
    [4, 0],
    [null, 0],
  ]);
  expect(current).toBe(1);
  expect(pointsOf({ ...shown, current: -1 }).current).toBe(-1);
});

test("a line goes through the middles and breaks where nothing is known", () => {
  expect(linePath([1, 3, null, 2], 4)).toBe("M0.5 3L1.5 1M3.5 2");
  expect(linePath([null, null], 4)).toBe("");
});
