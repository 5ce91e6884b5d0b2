import fc from "fast-check";
import { expect, test } from "vitest";
import { LISTED_MINUTES } from "./limits.ts";
import {
  addToMinutes,
  emptyMinutes,
  listMinutes,
  MINUTE_MS,
  minuteOf,
  rollMinutes,
} from "./minutes.ts";

const NOW = 1_800_000_000_000;

test("views of one minute are in one place, and the newest minute is last", () => {
  const minutes = addToMinutes(emptyMinutes(NOW), [NOW, NOW + 1, NOW - MINUTE_MS]);
  expect(listMinutes(minutes).slice(-2)).toEqual([
    { startedAt: minuteOf(NOW) - MINUTE_MS, views: 1 },
    { startedAt: minuteOf(NOW), views: 2 },
  ]);
});

test("a view before the oldest minute is left out", () => {
  const minutes = addToMinutes(emptyMinutes(NOW), [NOW - LISTED_MINUTES * MINUTE_MS]);
  expect(minutes).toEqual(emptyMinutes(NOW));
});

test("rolling further than the ring is long empties it, and it never rolls back", () => {
  const minutes = addToMinutes(emptyMinutes(NOW), [NOW]);
  const later = NOW + LISTED_MINUTES * MINUTE_MS;
  expect(rollMinutes(minutes, later)).toEqual(emptyMinutes(later));
  expect(rollMinutes(minutes, NOW - MINUTE_MS)).toEqual(minutes);
});

test("however views arrive and time passes, the ring is a count by minute", () => {
  const step = fc.record({ passMs: fc.nat(7 * MINUTE_MS), ageMs: fc.nat(40 * MINUTE_MS) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = NOW;
      let minutes = emptyMinutes(now);
      const all: number[] = [];
      for (const { passMs, ageMs } of steps) {
        now += passMs;
        all.push(now - ageMs);
        minutes = addToMinutes(rollMinutes(minutes, now), [now - ageMs]);
      }
      for (const { startedAt, views } of listMinutes(minutes)) {
        expect(views).toBe(all.filter((at) => minuteOf(at) === startedAt).length);
      }
      expect(minutes.views).toHaveLength(LISTED_MINUTES);
      expect(minutes.newestAt).toBe(minuteOf(now));
    }),
  );
});
