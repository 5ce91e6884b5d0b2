import fc from "fast-check";
import { expect, test } from "vitest";
import { calendarOf } from "../calendar/calendar.ts";
import { DAY_MS, HOUR_MS } from "../calendar/civil.ts";
import { MINUTE_MS } from "../minutes.ts";
import { follow, slotOf, SLOT_MS, slotsOf, withSlots } from "./slots.ts";
import type { Change, Slot, Standing } from "./slots.ts";

const madrid = calendarOf("Europe/Madrid");
const noon = Date.parse("2026-11-30T11:00:00Z");
const minutes = (count: number) => noon + count * MINUTE_MS;
const empty: Standing = { at: noon, online: 0 };

/** As [minutes after noon, most]. */
const shown = ({ startsAt, most }: Slot) => [(startsAt - noon) / MINUTE_MS, most];

test("a slot has the most that were there at once, also where they came and went between two runs", () => {
  const changes = [
    { at: minutes(1), by: 1 },
    { at: minutes(2), by: 2 },
    { at: minutes(3), by: -3 },
    { at: minutes(12), by: 1 },
  ];
  const { over, slot } = follow(empty, changes, { now: minutes(13), calendar: madrid });
  expect(over.map(shown)).toEqual([
    [0, 3],
    [5, 0],
  ]);
  expect(shown(slot)).toEqual([10, 1]);
});

test("who is there before a slot begins is in it, also when nothing happens", () => {
  const standing = { at: minutes(4), online: 2, slot: { startsAt: noon, most: 2 } };
  const gone = [{ at: minutes(16), by: -1 }];
  const { over, slot } = follow(standing, gone, { now: minutes(21), calendar: madrid });
  expect(over.map(shown)).toEqual([
    [0, 2],
    [5, 2],
    [10, 2],
    [15, 2],
  ]);
  expect(shown(slot)).toEqual([20, 1]);
});

test("past an hour without a sign nobody counted: what was there before is not carried on", () => {
  const standing = { at: noon, online: 5 };
  const back = [{ at: noon + 9 * HOUR_MS, by: -5 }];
  const { over, slot } = follow(standing, back, {
    now: noon + 9 * HOUR_MS + 1,
    calendar: madrid,
  });
  expect(over).toHaveLength(13);
  expect(over.every(({ most }) => most === 5)).toBe(true);
  expect(slot).toEqual({ startsAt: noon + 9 * HOUR_MS, most: 0 });
});

test("slots begin with the local day: one of 23 hours has 276 of them, one of 25 hours 300", () => {
  for (const [day, count] of [
    ["2026-03-29", 276],
    ["2026-10-25", 300],
    ["2026-11-30", 288],
  ] as const) {
    const startsAt = madrid.startOfDate(day) ?? 0;
    const last = madrid.next("day", startsAt) - 1;
    expect((slotOf(last, madrid) - startsAt) / SLOT_MS).toBe(count - 1);
    expect(slotOf(startsAt, madrid)).toBe(startsAt);
  }
});

test("slots are put into their day; what says nothing new leaves it as it is", () => {
  const peaks = [1, 4];
  const at = (place: number, most: number) => ({ startsAt: noon + place * SLOT_MS, most });
  expect(withSlots(peaks, noon, [at(4, 2), at(1, 5)])).toEqual([1, 5, 0, 0, 2]);
  expect(withSlots(peaks, noon, [at(1, 4), at(3, 0)])).toBe(peaks);
  expect(slotsOf([0, 4, 0, 2], noon)).toEqual([at(1, 4), at(3, 2)]);
});

const changesOf = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 20 * MINUTE_MS }),
    by: fc.integer({ min: -3, max: 3 }),
  }),
  { maxLength: 40 },
);

test("however the worker's runs fall, the slots of a day are the same, and those of a walk through every change", () => {
  fc.assert(
    fc.property(changesOf, fc.array(fc.nat(40), { maxLength: 10 }), (steps, runs) => {
      const midnight = noon + 12.5 * HOUR_MS;
      let at = midnight;
      let online = 0;
      const changes: Change[] = steps.map(({ afterMs, by }) => {
        at += afterMs;
        const possible = Math.max(by, -online);
        online += possible;
        return { at, by: possible };
      });
      const end = at + 1;
      const whole = collect([{ changes, now: end }], midnight);
      const cuts = [...new Set(runs.map((cut) => Math.min(cut, changes.length)))].sort(
        (one, other) => one - other,
      );
      const batches = [...cuts, changes.length].map((cut, place) => {
        const some = changes.slice(cuts[place - 1] ?? 0, cut);
        return { changes: some, now: cut === changes.length ? end : (changes[cut]?.at ?? end) };
      });
      expect(collect(batches, midnight)).toEqual(whole);
      expect(whole).toEqual(bruteForce(changes, midnight, end));
    }),
  );
});

/** The most of each slot, by when it begins, zeros left out. */
function collect(
  batches: readonly { changes: readonly Change[]; now: number }[],
  startsAt: number,
): Map<number, number> {
  const most = new Map<number, number>();
  let standing: Standing = { at: startsAt, online: 0 };
  for (const { changes, now } of batches) {
    const { over, slot } = follow(standing, changes, { now, calendar: madrid });
    for (const one of [...over, slot]) if (one.most > 0) most.set(one.startsAt, one.most);
    const online = changes.reduce((sum, { by }) => sum + by, standing.online);
    standing = { at: now, online, slot };
  }
  return most;
}

function bruteForce(
  changes: readonly Change[],
  startsAt: number,
  end: number,
): Map<number, number> {
  const most = new Map<number, number>();
  const note = (at: number, online: number) => {
    const slot = slotOf(at, madrid);
    if (online > 0) most.set(slot, Math.max(most.get(slot) ?? 0, online));
  };
  let online = 0;
  for (let slot = slotOf(startsAt, madrid); slot < end; slot += SLOT_MS) {
    note(slot, online);
    for (const { at, by } of changes) {
      if (at < Math.max(slot, startsAt) || at >= slot + SLOT_MS) continue;
      online += by;
      note(at, online);
    }
  }
  return most;
}

test("a day's slots stay within it", () => {
  const late = { at: noon + 12 * HOUR_MS - 2 * MINUTE_MS, online: 1 };
  const { over, slot } = follow(late, [], { now: noon + 12 * HOUR_MS + 1, calendar: madrid });
  expect(over).toHaveLength(1);
  expect(slot.startsAt).toBe(madrid.startOf("day", noon + DAY_MS));
});
