/** Owns: the shapes of what a page reports of a view and of what a reader is told, as validators. Not: the numbers (domain/engagement/). */
import { v } from "convex/values";
import type { Infer } from "convex/values";
import { HUMAN_VERDICTS } from "../../../domain/engagement/human.ts";
import { VITAL_NAMES } from "../../../domain/engagement/vitals.ts";
import { filterReason } from "../../schema.ts";
import { origin } from "../shapes.ts";

const humanVerdict = v.union(...HUMAN_VERDICTS.map((verdict) => v.literal(verdict)));

/** What a page says of one view so far; every number is cumulative. `viewId` is the view's `eventId`. */
export const engagementFields = {
  sessionId: v.string(),
  path: v.string(),
  viewId: v.string(),
  engagedMs: v.optional(v.number()),
  /** 0..100 */
  scrollPercent: v.optional(v.number()),
  vitals: v.optional(
    v.object({
      lcpMs: v.optional(v.number()),
      inpMs: v.optional(v.number()),
      cls: v.optional(v.number()),
      fcpMs: v.optional(v.number()),
      ttfbMs: v.optional(v.number()),
    }),
  ),
  /** How long after the view the browser's first input of a reader came; "synthetic" when only programs made some. */
  human: v.optional(humanVerdict),
  ...origin,
  isPrivate: v.optional(v.boolean()),
};

/** What became of it: it said something new, or nothing; or it belongs to no view that counted. */
export const engagementOutcome = v.union(
  v.object({ outcome: v.literal("counted") }),
  v.object({ outcome: v.literal("duplicate") }),
  v.object({
    outcome: v.literal("filtered"),
    reason: v.union(filterReason, v.literal("unknown view")),
  }),
);
export type EngagementOutcome = Infer<typeof engagementOutcome>;

const vitalFigures = v.object({
  name: v.union(...VITAL_NAMES.map((name) => v.literal(name))),
  /** Views that reported it. */
  views: v.number(),
  /** Milliseconds, or a layout shift; each within 5 % of the true value, and on the true side of both thresholds. */
  p50: v.number(),
  p75: v.number(),
  p95: v.number(),
  /** The official thresholds: up to `good` is good, above `poor` is poor. How many views were so: exact. */
  good: v.number(),
  poor: v.number(),
  goodViews: v.number(),
  poorViews: v.number(),
});

const figures = {
  /** Views that reported: the average is of these. */
  views: v.number(),
  engagedMs: v.number(),
  averageEngagedMs: v.number(),
  /** Depth in percent, in steps of 5, that three quarters, half and a quarter of the views got to. */
  scroll: v.union(v.object({ p25: v.number(), p50: v.number(), p75: v.number() }), v.null()),
  /** How many views got to 25, 50, 75 and 100 %: exact. */
  reached: v.array(v.object({ percent: v.number(), views: v.number() })),
  /** Those that some view reported. */
  vitals: v.array(vitalFigures),
  /**
   * What the part `human` heard: a count of views, not of persons, and of those in `views` alone. `people` were touched
   * (pointer, key, finger or wheel, by the browser's own word), `synthetic` by programs only; in the others nothing was,
   * or the page does not listen: who reads without a touch is one of them, so `people / views` is the least share. A
   * guess that tells simple scripts apart: a program that drives a whole browser looks like a person. Null when no view
   * has a verdict. `by` has every verdict, the quickest first.
   */
  interacting: v.union(
    v.object({
      people: v.number(),
      synthetic: v.number(),
      by: v.array(v.object({ verdict: humanVerdict, views: v.number() })),
    }),
    v.null(),
  ),
};

const covered = {
  from: v.number(),
  until: v.number(),
  timeZone: v.string(),
};

export const engagementReport = v.object({
  ...covered,
  ...figures,
  /** Of a path: false when a bucket had more paths than are kept by name, so that some of its views may be missing. */
  complete: v.boolean(),
});
export type EngagementReport = Infer<typeof engagementReport>;

export const rankEngagedBy = v.union(
  v.literal("engagedMs"),
  v.literal("averageEngagedMs"),
  v.literal("views"),
);

export const engagedPathsReport = v.object({
  ...covered,
  rows: v.array(v.object({ path: v.string(), ...figures })),
  /** All others as one; null when there are none. */
  rest: v.union(v.object(figures), v.null()),
  /** Paths that are kept by name. */
  pathsTotal: v.number(),
  /** False when some paths are only in `rest`, because a bucket had more than are kept by name. */
  complete: v.boolean(),
});
export type EngagedPathsReport = Infer<typeof engagedPathsReport>;
