/** Owns: what is said of engaged time: the figure of a period. Not: asking for it (useEngagement.ts). */
import type { FunctionReturnType } from "convex/server";
import type { api } from "../../../convex/_generated/api.js";
import { texts } from "../texts.ts";
import { changeOfDuration } from "./change.ts";
import type { Change } from "./change.ts";
import { formatSpent } from "./figures.ts";
import type { Metric } from "./metrics.ts";

export type Engagement = FunctionReturnType<typeof api.reports.engagement>;
export type EngagedPaths = FunctionReturnType<typeof api.reports.engagedPaths>;

export type EngagedTimes = {
  readonly whole: Engagement;
  /** Of the times that may be compared; null when nothing may. */
  readonly same: { readonly current: Engagement; readonly before: Engagement } | null;
};

/** Where one of both has no view that reported, there is no change. */
export function engagedMetric({ whole, same }: EngagedTimes): {
  metric: Metric;
  change: Change | null;
} {
  const { figures, explained } = texts.period;
  const isCompared = same !== null && same.current.views > 0 && same.before.views > 0;
  return {
    metric: {
      label: figures.averageEngagedMs,
      explained: explained.averageEngagedMs,
      value: formatSpent(whole.averageEngagedMs),
      note: texts.period.engagedOf(whole.views),
      course: [],
    },
    change: isCompared
      ? changeOfDuration(same.current.averageEngagedMs, same.before.averageEngagedMs)
      : null,
  };
}
