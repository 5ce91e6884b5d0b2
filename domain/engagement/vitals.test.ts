import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addToBin, percentileBin } from "./histogram.ts";
import type { Histogram } from "./histogram.ts";
import { VITALS, VITAL_NAMES, acceptVital, binOfVital, edgesOf, valueOfBin } from "./vitals.ts";
import type { VitalName } from "./vitals.ts";

const names = fc.constantFrom(...VITAL_NAMES);

/** Values as they come: most near what is measured, some at the thresholds and at the ends. */
function valuesOf(name: VitalName): fc.Arbitrary<number> {
  const { good, poor, most } = VITALS[name];
  return fc
    .oneof(
      { weight: 6, arbitrary: fc.double({ min: 0, max: 4 * poor, noNaN: true }) },
      { weight: 1, arbitrary: fc.double({ min: 0, max: most, noNaN: true }) },
      { weight: 2, arbitrary: fc.constantFrom(0, good, poor, most) },
    )
    .map((value) => acceptVital(name, value));
}

const measured = names.chain((name) =>
  fc.record({
    name: fc.constant(name),
    values: fc.array(valuesOf(name), { minLength: 1, maxLength: 60 }),
  }),
);

describe("Web Vitals", () => {
  test("p50, p75 and p95 of the bins are within 5 % of those of the values themselves", () => {
    fc.assert(
      fc.property(measured, fc.constantFrom(0.5, 0.75, 0.95), ({ name, values }, ratio) => {
        const histogram: Histogram = new Map();
        for (const value of values) addToBin(histogram, binOfVital(name, value), 1);
        const sorted = values.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(ratio * sorted.length) - 1] ?? Number.NaN;
        const bin = percentileBin(histogram, ratio) ?? Number.NaN;
        const off = Math.abs(valueOfBin(name, bin) - exact);
        expect(off).toBeLessThanOrEqual(Math.max(0.05 * exact, VITALS[name].least));
      }),
    );
  });

  test("what is good and what is poor is told exactly, also at the thresholds", () => {
    fc.assert(
      fc.property(
        names.chain((name) => fc.tuple(fc.constant(name), valuesOf(name))),
        ([name, value]) => {
          const bin = binOfVital(name, value);
          const { good, poor } = edgesOf(name);
          expect(bin <= good).toBe(value <= VITALS[name].good);
          expect(bin > poor).toBe(value > VITALS[name].poor);
          const middle = valueOfBin(name, bin);
          expect(middle <= VITALS[name].good).toBe(bin <= good);
          expect(middle > VITALS[name].poor).toBe(bin > poor);
        },
      ),
    );
  });

  test("a larger value never lies in a smaller bin", () => {
    fc.assert(
      fc.property(
        names.chain((name) => fc.tuple(fc.constant(name), valuesOf(name), valuesOf(name))),
        ([name, one, other]) => {
          const [less, more] = one < other ? [one, other] : [other, one];
          expect(binOfVital(name, less)).toBeLessThanOrEqual(binOfVital(name, more));
        },
      ),
    );
  });

  test("what nobody can have measured is brought to what can be", () => {
    expect(acceptVital("lcpMs", -5)).toBe(0);
    expect(acceptVital("lcpMs", Number.POSITIVE_INFINITY)).toBe(120_000);
    expect(acceptVital("lcpMs", 2_499.6)).toBe(2_500);
    expect(acceptVital("cls", 0.123456)).toBe(0.1235);
    expect(acceptVital("cls", 1e9)).toBe(100);
  });

  test("the whole of each histogram is at most 150 bins", () => {
    for (const name of VITAL_NAMES) {
      expect(binOfVital(name, VITALS[name].most)).toBeLessThanOrEqual(150);
    }
  });
});
