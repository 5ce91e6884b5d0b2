/** Owns: the live subscription to one breakdown, ranked by what is measured. */
import { useMemo, useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import type { ViewDimension } from "./address.ts";
import { isCountedByVisitor } from "./panels.ts";
import type { Breakdown, RankBy } from "./panels.ts";
import type { Span } from "./span.ts";
import { useReport } from "./useReport.ts";

export type AskedBreakdown = {
  readonly range: Span;
  readonly dimension: ViewDimension;
  readonly rankBy: RankBy;
  readonly limit: number;
};

/** Where nobody was told apart, by views instead: only the first answer knows that it is so. */
export function useBreakdown(asked: AskedBreakdown): {
  breakdown: Breakdown | undefined;
  rankBy: RankBy;
} {
  const [isMeasured, setIsMeasured] = useState(true);
  const rankBy = isMeasured ? asked.rankBy : "views";
  const breakdown = useRanked({ ...asked, rankBy });
  const isNow = breakdown === undefined ? isMeasured : breakdown.visitorsAre !== "not measured";
  if (isNow !== isMeasured) setIsMeasured(isNow);
  // Ranked by what was not measured, its rows are in no order.
  const isInOrder = isNow || !isCountedByVisitor(rankBy);
  return { breakdown: isInOrder ? breakdown : undefined, rankBy };
}

function useRanked({ range, dimension, rankBy, limit }: AskedBreakdown): Breakdown | undefined {
  const { from, until } = range;
  const asked = useMemo(
    () => ({ range: { from, until }, dimension, rankBy, limit }),
    [from, until, dimension, rankBy, limit],
  );
  return useReport(api.reports.breakdown, asked, `${dimension} by ${rankBy}`);
}
