import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyReported } from "./engagement.helpers.ts";
import {
  MAX_ENGAGED_MS,
  acceptReported,
  engagedWithin,
  highest,
  packReported,
  unpackReported,
} from "./reported.ts";

describe("what a page reports of a view", () => {
  test("survives being packed, and equal reports are equal texts", () => {
    fc.assert(
      fc.property(anyReported, (reported) => {
        const packed = packReported(reported);
        expect(unpackReported(packed)).toEqual(reported);
        expect(packReported(unpackReported(packed))).toBe(packed);
      }),
    );
    expect(packReported({ engagedMs: 5, scrollPercent: 80, vitals: { cls: 0.1 } })).toBe(
      "5 80 - - 0.1",
    );
    const touched = { engagedMs: 5, scrollPercent: 80, vitals: {}, human: "30s+" } as const;
    expect(packReported(touched)).toBe("5 80 - - - - - 30s+");
  });

  test("as it was packed before there were verdicts, it has none", () => {
    const vitals = { lcpMs: 2_500, ttfbMs: 90 };
    const reported = { engagedMs: 5, scrollPercent: 80, vitals };
    expect(unpackReported("5 80 2500 - - - 90")).toStrictEqual(reported);
    expect(unpackReported("5 80")).toStrictEqual({ ...reported, vitals: {} });
  });

  test("the highest of several reports does not depend on their order, nor on how often each came", () => {
    fc.assert(
      fc.property(anyReported, anyReported, anyReported, (a, b, c) => {
        expect(highest(a, b)).toEqual(highest(b, a));
        expect(highest(highest(a, b), c)).toEqual(highest(a, highest(b, c)));
        expect(highest(a, a)).toEqual(a);
      }),
    );
  });

  test("what cannot be is brought to what can", () => {
    expect(
      acceptReported({
        engagedMs: Number.POSITIVE_INFINITY,
        scrollPercent: 250.4,
        vitals: { lcpMs: -1, inpMs: Number.NaN, cls: undefined },
      }),
    ).toEqual({ engagedMs: MAX_ENGAGED_MS, scrollPercent: 100, vitals: { lcpMs: 0 } });
    expect(acceptReported({ engagedMs: -3.2, scrollPercent: Number.NaN })).toEqual({
      ...{ engagedMs: 0, scrollPercent: 0, vitals: {} },
    });
    expect(acceptReported({ engagedMs: 1.6, scrollPercent: 99.6 })).toMatchObject({
      ...{ engagedMs: 2, scrollPercent: 100 },
    });
  });

  test("C55: nobody is engaged for longer than the view is there, nor for more than a day", () => {
    const elevenHours = 11 * 3_600_000;
    expect(engagedWithin(elevenHours, 90_000)).toBe(90_000);
    expect(engagedWithin(elevenHours, -5)).toBe(0);
    expect(engagedWithin(90_000, elevenHours)).toBe(90_000);
    expect(engagedWithin(5 * MAX_ENGAGED_MS, 9 * MAX_ENGAGED_MS)).toBe(MAX_ENGAGED_MS);
  });

  test.each([
    "",
    "x",
    "1",
    "1 2 3 4 5 6 7 8",
    "1 2 3 4 5 6 7 0-1s 9",
    "0-1s 2",
    "-1 2",
    "1 2 NaN",
    "1  2",
  ])("%j is refused as a packed report", (packed) => {
    expect(() => unpackReported(packed)).toThrow(/no figures of a view/);
  });
});
