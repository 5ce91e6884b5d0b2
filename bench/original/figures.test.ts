/** Owns: the test that the meter may be trusted. Not: our own cost (cost.test.ts). */
import { describe, expect, test } from "vitest";
import { DESIGN_SAYS, TOLERANCE, deviationOf, measureOriginal } from "./figures.ts";

const NAMES = ["documents", "ranges", "kilobytes", "statsKilobytes", "statsRanges"] as const;

describe("the meter on the original design", () => {
  test.each([10, 1_000])(
    "agrees with the design's figures at %d views within a tenth",
    async (views) => {
      expect(DESIGN_SAYS.has(views)).toBe(true);
      const measured = await measureOriginal(views);
      for (const name of NAMES) {
        expect(Math.abs(deviationOf(views, name, measured) ?? 1), name).toBeLessThanOrEqual(
          TOLERANCE,
        );
      }
    },
  );
});
