import { expect, test } from "vitest";
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/calendar/civil.ts";
import { firstNotes, notesOf, shownNote, spokenNotes } from "./notes.ts";

const madrid = calendarOf("Europe/Madrid");
const monday = Date.parse("2026-11-29T23:00:00Z");
const days = [0, 1, 2].map((day) => ({
  startsAt: monday + day * DAY_MS,
  endsAt: monday + (day + 1) * DAY_MS,
}));
const ofDay = (day: string, at: number, text = "All day") => ({ at, day, text });
const ofMoment = (at: number, text = "A moment") => ({ at, day: null, text });

test("an annotation stands at the bar that it is in, and one outside of the range at none", () => {
  const inside = [
    ofDay("2026-11-30", monday),
    ofMoment(monday + DAY_MS - 1),
    ofMoment(monday + DAY_MS),
  ];
  const outside = [ofMoment(monday - 1), ofMoment(monday + 3 * DAY_MS)];
  const notes = notesOf([...outside, ...inside], days);
  expect([...notes]).toEqual([
    [0, inside.slice(0, 2)],
    [1, inside.slice(2)],
  ]);
});

test("a week has those of its days, an hour those of that hour, and one of a day stands at its first hour", () => {
  const noted = [ofDay("2026-11-30", monday), ofMoment(monday + HOUR_MS)];
  const week = [{ startsAt: monday, endsAt: monday + 7 * DAY_MS }];
  expect(notesOf(noted, week).get(0)).toEqual(noted);
  const hours = [0, 1].map((hour) => ({
    startsAt: monday + hour * HOUR_MS,
    endsAt: monday + (hour + 1) * HOUR_MS,
  }));
  expect([...notesOf(noted, hours).keys()]).toEqual([0, 1]);
});

test("one of a day says the day, one of a moment also the time, in the site's zone", () => {
  expect(shownNote(ofDay("2026-11-30", monday), madrid).when).toBe("30 Nov 2026");
  expect(shownNote(ofMoment(monday + HOUR_MS), madrid).when).toBe("30 Nov 2026, 01:00");
});

test("of many at one bar the first three are shown, with the number of the others", () => {
  const many = Array.from({ length: 9 }, (_, place) => ofMoment(monday + place, `Note ${place}`));
  const { shown, more } = firstNotes(many, madrid);
  expect(shown.map(({ text }) => text)).toEqual(["Note 0", "Note 1", "Note 2"]);
  expect(more).toBe(6);
  expect(spokenNotes(many, madrid)).toMatch(/^Note of 30 Nov 2026, 00:00: Note 0\. .*6 more notes/);
  expect(spokenNotes(undefined, madrid)).toBe("");
});
