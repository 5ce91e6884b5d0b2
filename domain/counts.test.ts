/** Owns: the tests of counts.ts. */
import { expect, test } from "vitest";
import { packCounts, unpackCounts } from "./counts.ts";

test("a list of counts comes back as it was, also an empty one", () => {
  for (const counts of [[], [0], [12, 0, 7, -3]]) {
    expect(unpackCounts(packCounts(counts))).toEqual(counts);
  }
  expect(packCounts([12, 0, 7])).toBe("12 0 7");
});

test("what is no list of counts is an error, not a number that is none", () => {
  for (const text of ["1 x", "1  2", "1.5", " "])
    expect(() => unpackCounts(text)).toThrow(/no list/);
});
