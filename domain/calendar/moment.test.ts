import { expect, test } from "vitest";
import { calendarOf } from "./calendar.ts";
import { readMoment } from "./moment.ts";

const madrid = calendarOf("Europe/Madrid");
const iso = (text: string, zone = madrid) => {
  const moment = readMoment(text, zone);
  return moment === null ? null : [new Date(moment.at).toISOString(), moment.day];
};

test("a day is a day, a time is one of the site's zone, and an instant with a zone is itself", () => {
  expect(iso("2026-11-30")).toEqual(["2026-11-29T23:00:00.000Z", "2026-11-30"]);
  expect(iso("2026-11-30 14:30")).toEqual(["2026-11-30T13:30:00.000Z", null]);
  expect(iso("2026-11-30T14:30")).toEqual(["2026-11-30T13:30:00.000Z", null]);
  expect(iso("2026-11-30T14:30:05Z")).toEqual(["2026-11-30T14:30:05.000Z", null]);
  expect(iso("2026-11-30T14:30+02:00")).toEqual(["2026-11-30T12:30:00.000Z", null]);
  expect(iso("2026-11-30 14:30", calendarOf("Asia/Kolkata"))).toEqual([
    "2026-11-30T09:00:00.000Z",
    null,
  ]);
});

test("of an hour that the clock shows twice the first is meant, and one that it skips is no moment", () => {
  expect(iso("2026-10-25 02:30")).toEqual(["2026-10-25T00:30:00.000Z", null]);
  expect(iso("2026-03-29 02:30")).toBeNull();
  expect(iso("2026-03-29 03:00")).toEqual(["2026-03-29T01:00:00.000Z", null]);
});

test.each([
  "",
  "today",
  "2026-02-30",
  "2026-11-30 24:00",
  "2026-11-30 9:00",
  "30.11.2026",
  "2026-13-40T00:00Z",
])("%j is none", (text) => expect(readMoment(text, madrid)).toBeNull());
