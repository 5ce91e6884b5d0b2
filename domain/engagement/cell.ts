/**
 * Owns: one cell of an engagement roll-up, of a path or of a site: sums and histograms that only add.
 * Not: what one view reports (reported.ts), its bytes (codec.ts).
 */
import { addHistogram, addToBin } from "./histogram.ts";
import type { Histogram } from "./histogram.ts";
import { placeOfVerdict } from "./human.ts";
import type { Reported } from "./reported.ts";
import { VITAL_NAMES, binOfVital } from "./vitals.ts";

/** Stored bytes name a histogram by its place: only append. */
export const HISTOGRAM_NAMES = ["scroll", ...VITAL_NAMES, "human"] as const;
export type HistogramName = (typeof HISTOGRAM_NAMES)[number];

/** A bin of scroll depth: 0, 5, … 100 %. So a quarter, a half and three quarters are edges, which tenths are not all. */
export const SCROLL_STEP_PERCENT = 5;

export interface EngagementCell {
  /** Views that reported at least once. */
  views: number;
  engagedMs: number;
  /** Only those in which something is. */
  histograms: Map<HistogramName, Histogram>;
}

export function emptyCell(): EngagementCell {
  return { views: 0, engagedMs: 0, histograms: new Map() };
}

/** Adds what a view reports now beyond what it had reported `before`; null for its first report. */
export function addDifference(
  cell: EngagementCell,
  before: Reported | null,
  after: Reported,
): void {
  if (before === null) cell.views += 1;
  cell.engagedMs += after.engagedMs - (before?.engagedMs ?? 0);
  for (const [name, bin] of before === null ? [] : binsOf(before)) addBin(cell, name, bin, -1);
  for (const [name, bin] of binsOf(after)) addBin(cell, name, bin, 1);
}

export function addCell(into: EngagementCell, from: EngagementCell): void {
  into.views += from.views;
  into.engagedMs += from.engagedMs;
  for (const [name, histogram] of from.histograms) {
    const sum = into.histograms.get(name) ?? new Map<number, number>();
    addHistogram(sum, histogram);
    if (sum.size === 0) into.histograms.delete(name);
    else into.histograms.set(name, sum);
  }
}

/** Its differences cancelled out, or it had none. */
export function isZero({ views, engagedMs, histograms }: EngagementCell): boolean {
  return views === 0 && engagedMs === 0 && histograms.size === 0;
}

function binsOf({ scrollPercent, vitals, human }: Reported): [HistogramName, number][] {
  const bins: [HistogramName, number][] = [
    ["scroll", Math.floor(scrollPercent / SCROLL_STEP_PERCENT)],
  ];
  for (const name of VITAL_NAMES) {
    const value = vitals[name];
    if (value !== undefined) bins.push([name, binOfVital(name, value)]);
  }
  if (human !== undefined) bins.push(["human", placeOfVerdict(human)]);
  return bins;
}

function addBin(cell: EngagementCell, name: HistogramName, bin: number, count: number): void {
  const histogram = cell.histograms.get(name) ?? new Map<number, number>();
  addToBin(histogram, bin, count);
  if (histogram.size === 0) cell.histograms.delete(name);
  else cell.histograms.set(name, histogram);
}
