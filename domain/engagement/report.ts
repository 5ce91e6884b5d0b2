/**
 * Owns: what a cell says to a reader: engaged time, scroll depth, percentiles of the Web Vitals, views that were touched.
 * Not: which roll-ups are added up (convex/).
 */
import { SCROLL_STEP_PERCENT, addCell, emptyCell } from "./cell.ts";
import type { EngagementCell } from "./cell.ts";
import { countBetween, countIn, percentileBin } from "./histogram.ts";
import type { Histogram } from "./histogram.ts";
import { HUMAN_VERDICTS, placeOfVerdict } from "./human.ts";
import type { HumanVerdict } from "./human.ts";
import type { EngagementRollup } from "./rollup.ts";
import { VITALS, VITAL_NAMES, edgesOf, valueOfBin } from "./vitals.ts";
import type { VitalName } from "./vitals.ts";

export interface VitalFigures {
  name: VitalName;
  /** Views that reported it. */
  views: number;
  p50: number;
  p75: number;
  p95: number;
  /** Thresholds, and how many of the views are up to the one, and above the other. */
  good: number;
  poor: number;
  goodViews: number;
  poorViews: number;
}

export interface EngagementFigures {
  views: number;
  engagedMs: number;
  averageEngagedMs: number;
  /** Depth in percent that three quarters, half and a quarter of the views got to. Null without views. */
  scroll: { p25: number; p50: number; p75: number } | null;
  /** How many views got to 25, 50, 75 and 100 % of the page. Exact. */
  reached: { percent: number; views: number }[];
  /** Only those that some view reported. */
  vitals: VitalFigures[];
  /** Null when no view has a verdict. */
  interacting: Interacting | null;
}

/** Of the views that reported, those with a verdict of the probe (human.ts). */
export interface Interacting {
  /** Views in which somebody touched the page. */
  people: number;
  /** Views in which nothing but a program did. */
  synthetic: number;
  /** Views by verdict, all of them; the quickest first and "synthetic" last. */
  by: { verdict: HumanVerdict; views: number }[];
}

export interface EngagedPath extends EngagementFigures {
  path: string;
}

export type RankBy = "engagedMs" | "views" | "averageEngagedMs";

const REACHED_PERCENT = [25, 50, 75, 100];

export function figuresOf({ views, engagedMs, histograms }: EngagementCell): EngagementFigures {
  const scroll: Histogram = histograms.get("scroll") ?? new Map<number, number>();
  return {
    views,
    engagedMs,
    averageEngagedMs: views > 0 ? engagedMs / views : 0,
    scroll: quartilesOf(scroll),
    reached: REACHED_PERCENT.map((percent) => ({
      percent,
      views: countBetween(scroll, percent / SCROLL_STEP_PERCENT, 100 / SCROLL_STEP_PERCENT),
    })),
    vitals: VITAL_NAMES.flatMap((name) => {
      const histogram = histograms.get(name);
      return histogram === undefined ? [] : [vitalFigures(name, histogram)];
    }),
    interacting: interactingOf(histograms.get("human")),
  };
}

/** Of all buckets, the paths with the most of `rankBy` first, at most `maxRows`; and what the others add up to. */
export function rankPaths(
  rollup: EngagementRollup,
  { rankBy, maxRows }: { rankBy: RankBy; maxRows: number },
): { rows: EngagedPath[]; rest: EngagementFigures | null; pathsTotal: number; complete: boolean } {
  const ranked = [...rollup.paths]
    .map(([path, cell]) => ({ path, cell, rank: rankOf(cell, rankBy) }))
    .sort((a, b) => b.rank - a.rank || (a.path < b.path ? -1 : 1));
  const rest = emptyCell();
  for (const { cell } of ranked.slice(maxRows)) addCell(rest, cell);
  if (rollup.other !== null) addCell(rest, rollup.other);
  const hasRest = ranked.length > maxRows || rollup.other !== null;
  return {
    rows: ranked.slice(0, maxRows).map(({ path, cell }) => ({ path, ...figuresOf(cell) })),
    rest: hasRest ? figuresOf(rest) : null,
    pathsTotal: ranked.length,
    complete: rollup.other === null,
  };
}

function rankOf({ views, engagedMs }: EngagementCell, rankBy: RankBy): number {
  if (rankBy === "averageEngagedMs") return views > 0 ? engagedMs / views : 0;
  return rankBy === "views" ? views : engagedMs;
}

function quartilesOf(scroll: Histogram): EngagementFigures["scroll"] {
  const depthAt = (ratio: number) => percentileBin(scroll, ratio);
  const [p25, p50, p75] = [depthAt(0.25), depthAt(0.5), depthAt(0.75)];
  if (p25 === null || p50 === null || p75 === null) return null;
  const percent = (bin: number) => bin * SCROLL_STEP_PERCENT;
  return { p25: percent(p25), p50: percent(p50), p75: percent(p75) };
}

function interactingOf(histogram: Histogram | undefined): Interacting | null {
  if (histogram === undefined) return null;
  const synthetic = histogram.get(placeOfVerdict("synthetic")) ?? 0;
  return {
    people: countIn(histogram) - synthetic,
    synthetic,
    by: HUMAN_VERDICTS.toReversed().map((verdict) => ({
      verdict,
      views: histogram.get(placeOfVerdict(verdict)) ?? 0,
    })),
  };
}

function vitalFigures(name: VitalName, histogram: Histogram): VitalFigures {
  const { good, poor } = VITALS[name];
  const edges = edgesOf(name);
  const valueAt = (ratio: number) => valueOfBin(name, percentileBin(histogram, ratio) ?? 0);
  const views = countIn(histogram);
  return {
    ...{ name, views, good, poor },
    ...{ p50: valueAt(0.5), p75: valueAt(0.75), p95: valueAt(0.95) },
    goodViews: countBetween(histogram, 0, edges.good),
    poorViews: views - countBetween(histogram, 0, edges.poor),
  };
}
