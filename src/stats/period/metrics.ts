/**
 * Owns: the figures of a period: how each is written, how it changed, its course, and what it is where not everybody
 * was told apart the same way all the time.
 * Not: drawing them (PeriodMetrics.tsx), or when a change is noise (change.ts).
 */
import { formatShare } from "../formats.ts";
import { texts } from "../texts.ts";
import {
  changeBetween,
  changeOfCount,
  changeOfDuration,
  changeOfMean,
  changeOfShare,
  type Change,
  type Summary,
} from "./change.ts";
import { formatMean, formatMeasured, formatSpent } from "./figures.ts";
import type { Point } from "./trend.ts";

export type FigureName =
  "views" | "visits" | "visitors" | "viewsPerVisit" | "bounceRatio" | "averageVisitMs";

type Figure = {
  readonly write: (summary: Summary) => string;
  readonly changeOf: (now: number, before: number) => Change;
  /** Of a bucket; null where it is not measured. */
  readonly course: (point: Point) => number | null;
};

const count = (name: "views" | "visits" | "visitors"): Figure => ({
  write: (summary) => formatMeasured(summary[name]),
  changeOf: changeOfCount,
  course: (point) => point[name],
});

function perVisit(value: number | null, visits: number | null): number | null {
  if (value === null || visits === null) return null;
  return visits === 0 ? 0 : value / visits;
}

/** Of no visits there is no mean. */
const ofVisits = (value: number | null, { visits }: Summary) => (visits === 0 ? null : value);

const FIGURES: Readonly<Record<FigureName, Figure>> = {
  views: count("views"),
  visits: count("visits"),
  visitors: count("visitors"),
  viewsPerVisit: {
    // Some of the views were of no visit then.
    write: (summary) =>
      formatMean(
        summary.visitorsAre === "partly measured" ? null : ofVisits(summary.viewsPerVisit, summary),
      ),
    changeOf: changeOfMean,
    course: ({ views, visits }) => perVisit(views, visits),
  },
  bounceRatio: {
    write: (summary) => formatShare(ofVisits(summary.bounceRatio, summary)),
    changeOf: changeOfShare,
    course: ({ bounces, visits }) => perVisit(bounces, visits),
  },
  averageVisitMs: {
    write: (summary) => formatSpent(ofVisits(summary.averageVisitMs, summary)),
    changeOf: changeOfDuration,
    course: ({ durationMs, visits }) => perVisit(durationMs, visits),
  },
};

export const FIGURE_NAMES = Object.keys(FIGURES) as readonly FigureName[];

type Same = { readonly current: Summary; readonly before: Summary };

/** Times in which visitors are not the same thing have no change of what is counted by them. */
function mayCompare(name: FigureName, { current, before }: Same): boolean {
  if (name === "views") return true;
  const both = [current.visitorsAre, before.visitorsAre];
  if (both.includes("partly measured")) return false;
  return name !== "visitors" || current.visitorsAre === before.visitorsAre;
}

/** Null where there is nothing to compare. */
export function changesOf(same: Same): Readonly<Record<FigureName, Change | null>> {
  const changeOf = (name: FigureName) =>
    mayCompare(name, same)
      ? changeBetween(same.current[name], same.before[name], FIGURES[name].changeOf)
      : null;
  return {
    views: changeOf("views"),
    visits: changeOf("visits"),
    visitors: changeOf("visitors"),
    viewsPerVisit: changeOf("viewsPerVisit"),
    bounceRatio: changeOf("bounceRatio"),
    averageVisitMs: changeOf("averageVisitMs"),
  };
}

export type Metric = {
  readonly label: string;
  /** How it is counted. */
  readonly explained: string;
  readonly value: string;
  /** In the place of a change, where there is none. */
  readonly note: string;
  /** Empty for a figure that is not measured. */
  readonly course: readonly (number | null)[];
};

export function metricOf(name: FigureName, summary: Summary, finished: readonly Point[]): Metric {
  const { figures, explained, visitorsAre } = texts.period;
  const { write, course } = FIGURES[name];
  const isOfViews = name === "views";
  const how = isOfViews ? null : visitorsAre[summary.visitorsAre];
  const isSum = name === "visitors" && summary.visitorsAre === "sum of days";
  const added = name === "visitors" || summary.visitorsAre !== "sum of days" ? how?.explained : "";
  return {
    label: isSum ? texts.period.visitorsByDay : figures[name],
    explained: `${isSum ? "" : explained[name]} ${added ?? ""}`.trim(),
    value: write(summary),
    note: how?.note ?? "",
    course: !isOfViews && summary.visitorsAre === "not measured" ? [] : finished.map(course),
  };
}
