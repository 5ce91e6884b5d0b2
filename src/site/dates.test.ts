import { expect, test } from "vitest";
import { readableDate } from "./dates.ts";

test("a post's date is written out, whatever the reader's zone", () => {
  expect(readableDate("2026-11-30")).toBe("30 November 2026");
});

test("what is not a date is shown as it is", () => {
  expect(readableDate("soon")).toBe("soon");
});
