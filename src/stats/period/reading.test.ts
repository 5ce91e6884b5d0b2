import { describe, expect, test } from "vitest";
import type { Engagement } from "./engagement.ts";
import { ratingOf, readingRows } from "./reading.ts";

const lcp = {
  name: "lcpMs",
  ...{ views: 40, p50: 1_800, p75: 2_400, p95: 5_000 },
  ...{ good: 2_500, poor: 4_000, goodViews: 30, poorViews: 4 },
} as const;

const nothing: Engagement = {
  ...{ from: 0, until: 1, timeZone: "UTC", complete: true },
  ...{ views: 0, engagedMs: 0, averageEngagedMs: 0 },
  ...{ scroll: null, reached: [], vitals: [], interacting: null },
};

const some: Engagement = {
  ...nothing,
  views: 50,
  scroll: { p25: 30, p50: 60, p75: 90 },
  reached: [
    { percent: 25, views: 45 },
    { percent: 100, views: 10 },
  ],
  vitals: [lcp, { ...lcp, name: "cls", p75: 0.314, good: 0.1, poor: 0.25 }],
  interacting: { people: 30, synthetic: 5, by: [] },
};

describe("how pages were read", () => {
  test("is not said where no page reported it", () => {
    for (const tab of ["scroll", "vitals", "touch"] as const)
      expect(readingRows(tab, nothing)).toBeUndefined();
  });

  test("how far, of the views that reported", () => {
    expect(readingRows("scroll", some)).toMatchObject([
      { label: "Down to 25%", strong: "45", quiet: "90.0%" },
      { label: "Down to 100%", strong: "10", quiet: "20.0%" },
    ]);
  });

  test("each vital by what three quarters are better than, with its rating and how many were good", () => {
    expect(readingRows("vitals", some)).toMatchObject([
      { label: "Largest paint: good", strong: "2.40 s", quiet: "75.0%" },
      { label: "Layout shift: poor", strong: "0.31", quiet: "75.0%" },
    ]);
    expect([2_500, 2_501, 4_000, 4_001].map((p75) => ratingOf({ ...lcp, p75 }))).toEqual([
      ...["good", "fair", "fair", "poor"],
    ]);
  });

  test("how many were touched, and the three are all", () => {
    expect(readingRows("touch", some)?.map(({ strong }) => strong)).toEqual(["30", "15", "5"]);
  });
});
