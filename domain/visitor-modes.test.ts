/** Owns: tests of what a number of visitors is called. */
import { expect, test } from "vitest";
import { DAY_MS } from "./calendar/civil.ts";
import { leastOf, modeAfter, visitorsAre } from "./visitor-modes.ts";
import type { ModeChange } from "./visitor-modes.ts";

const DAILY: ModeChange = { since: 10 * DAY_MS, mode: "daily" };
const NONE: ModeChange = { since: 20 * DAY_MS, mode: "none" };

const days = (from: number, until: number) => ({ from: from * DAY_MS, until: until * DAY_MS });

test("a site that never chose counts browsers, each once", () => {
  expect(modeAfter([])).toBe("browser");
  expect(visitorsAre([], days(0, 400))).toBe("distinct");
});

test("daily visitors are distinct within a UTC day, and over more than one they are a sum", () => {
  expect(visitorsAre([DAILY], days(12, 13))).toBe("distinct");
  expect(visitorsAre([DAILY], days(12.5, 13.5))).toBe("sum of days");
  expect(visitorsAre([DAILY], days(12, 14))).toBe("sum of days");
});

test("days on which the mode changed are not called distinct, because one person may be both", () => {
  const atNoon = { ...DAILY, since: 10.5 * DAY_MS };
  expect(visitorsAre([atNoon], days(10, 11))).toBe("sum of days");
});

test("only what is counted in a mode is called by it", () => {
  const changes = [DAILY, NONE, { since: 30 * DAY_MS, mode: "browser" as const }];
  expect(modeAfter(changes)).toBe("browser");
  expect(visitorsAre(changes, days(0, 10))).toBe("distinct");
  expect(visitorsAre(changes, days(20, 30))).toBe("not measured");
  expect(visitorsAre(changes, days(19, 21))).toBe("partly measured");
  expect(visitorsAre(changes, days(30, 90))).toBe("distinct");
});

test("a change that was taken back at once leaves no trace", () => {
  const changes = [NONE, { since: NONE.since, mode: "browser" as const }];
  expect(visitorsAre(changes, days(19, 21))).toBe("distinct");
});

test("numbers side by side are what the one is that says least", () => {
  expect(leastOf([])).toBe("distinct");
  expect(leastOf(["distinct", "sum of days"])).toBe("sum of days");
  expect(leastOf(["not measured"])).toBe("not measured");
  expect(leastOf(["distinct", "not measured"])).toBe("partly measured");
});
