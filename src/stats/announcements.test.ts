import { expect, test } from "vitest";
import { ANNOUNCEMENT_INTERVAL_MS, decideAnnouncement, NOTHING_SPOKEN } from "./announcements.ts";

const spoken = { text: "3 people online", at: 100_000 };

test("the first numbers are said as soon as they are there", () => {
  expect(decideAnnouncement("3 people online", NOTHING_SPOKEN, 0)).toEqual({ kind: "speak" });
});

test("what has been said is not said again, however late", () => {
  expect(decideAnnouncement("3 people online", spoken, 900_000)).toEqual({ kind: "silent" });
});

test("a change is said at once when the region has been quiet for the interval", () => {
  const now = spoken.at + ANNOUNCEMENT_INTERVAL_MS;
  expect(decideAnnouncement("4 people online", spoken, now)).toEqual({ kind: "speak" });
});

test("a change within the interval waits for its end", () => {
  expect(decideAnnouncement("4 people online", spoken, spoken.at + 10_000)).toEqual({
    kind: "later",
    waitMs: ANNOUNCEMENT_INTERVAL_MS - 10_000,
  });
});

test("a number that came back to what was said before its time is not said", () => {
  expect(decideAnnouncement("4 people online", spoken, spoken.at + 10_000).kind).toBe("later");
  expect(decideAnnouncement("3 people online", spoken, spoken.at + 40_000).kind).toBe("silent");
});
