/** Owns: the live subscription to one breakdown, ranked by what is measured. */
import { useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import type { Filter } from "../../../domain/filters/filter.ts";
import type { ViewDimension } from "./address.ts";
import { filterArgument } from "./filtering.ts";
import { isCountedByVisitor } from "./panels.ts";
import type { Breakdown, RankBy } from "./panels.ts";
import type { Span } from "../../../domain/calendar/periods.ts";
import { useReport } from "./useReport.ts";

export type AskedBreakdown = {
  readonly range: Span;
  readonly dimension: ViewDimension;
  readonly rankBy: RankBy;
  readonly limit: number;
  readonly filter: Filter;
};

/** Where nobody was told apart, by views instead: only the first answer knows that it is so. */
export function useBreakdown(asked: AskedBreakdown): {
  breakdown: Breakdown | undefined;
  rankBy: RankBy;
  isOfBefore: boolean;
} {
  const [isMeasured, setIsMeasured] = useState(true);
  const rankBy = isMeasured ? asked.rankBy : "views";
  const { range, dimension, limit, filter } = asked;
  const { from, until } = range;
  const question = { range: { from, until }, dimension, rankBy, limit, ...filterArgument(filter) };
  const kind = `${dimension} by ${rankBy}`;
  const { report, isOfBefore } = useReport(api.reports.breakdown, question, kind);
  const isNow = report === undefined ? isMeasured : report.visitorsAre !== "not measured";
  if (isNow !== isMeasured) setIsMeasured(isNow);
  // Ranked by what was not measured, its rows are in no order.
  const isInOrder = isNow || !isCountedByVisitor(rankBy);
  return { breakdown: isInOrder ? report : undefined, rankBy, isOfBefore };
}
