/**
 * Owns: which Web Vitals are measured, what is good and poor of each, and the bins of their histograms.
 * Not: measuring them (src/tracking/), or adding them up (cell.ts).
 *
 * Good and poor are those of https://web.dev/articles/vitals, and of lcp, inp, cls, fcp and ttfb beside it, which the
 * `web-vitals` library exports as its thresholds: up to and including `good` is good, above `poor` is poor.
 *
 * Bins are spaced evenly by ratio, and both thresholds are edges of bins: so shares of good and poor are exact, and
 * a percentile is off by less than half a bin, which is under 5 % in each of them (`steps` is chosen for that).
 */

export type Vital = {
  good: number;
  poor: number;
  /** Bins between the two thresholds. */
  steps: number;
  /** Below this all values are one bin, and read as 0. */
  least: number;
  /** What is more is taken for this: far beyond what anybody waits for, so that a broken clock moves no percentile but the last. */
  most: number;
};

const MS = { least: 1, most: 120_000 };

export const VITALS = {
  lcpMs: { good: 2_500, poor: 4_000, steps: 5, ...MS },
  inpMs: { good: 200, poor: 500, steps: 10, ...MS },
  cls: { good: 0.1, poor: 0.25, steps: 10, least: 0.001, most: 100 },
  fcpMs: { good: 1_800, poor: 3_000, steps: 6, ...MS },
  ttfbMs: { good: 800, poor: 1_800, steps: 9, ...MS },
} as const satisfies Record<string, Vital>;

export type VitalName = keyof typeof VITALS;

export const VITAL_NAMES = Object.keys(VITALS) as VitalName[];

/** Whole milliseconds, and ten-thousandths of a layout shift: what a person could tell apart, in few characters. */
const CLS_PARTS = 10_000;

/** The value as it is kept: rounded, and between 0 and the most. */
export function acceptVital(name: VitalName, value: number): number {
  const { most } = VITALS[name];
  const inside = Math.min(most, Math.max(0, value));
  return name === "cls" ? Math.round(inside * CLS_PARTS) / CLS_PARTS : Math.round(inside);
}

/** Bin 0 holds what is below `least`; a bin's upper edge belongs to it. */
export function binOfVital(name: VitalName, value: number): number {
  const { least } = VITALS[name];
  return value < least ? 0 : placeOf(name, value) - placeOf(name, least) + 1;
}

/** The middle of a bin, by ratio: what a percentile in it is said to be. */
export function valueOfBin(name: VitalName, bin: number): number {
  if (bin === 0) return 0;
  const { good, poor, steps, least } = VITALS[name];
  const place = placeOf(name, least) + bin - 1;
  return good * Math.pow(poor / good, (place - 0.5) / steps);
}

/** The last bin of what is good, and of what is not poor. */
export function edgesOf(name: VitalName): { good: number; poor: number } {
  const { good, poor } = VITALS[name];
  return { good: binOfVital(name, good), poor: binOfVital(name, poor) };
}

/** Counted from `good`, whose bin is 0, upwards and downwards. */
function placeOf(name: VitalName, value: number): number {
  const { good, poor, steps } = VITALS[name];
  return Math.ceil((steps * Math.log(value / good)) / Math.log(poor / good));
}
