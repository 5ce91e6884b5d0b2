/** Owns: the live subscriptions to what pages reported of the period's views. Not: how it is said (engagement.ts). */
import { useQueries } from "convex/react";
import type { Value } from "convex/values";
import { useMemo } from "react";
import { api } from "../../../convex/_generated/api.js";
import { useReaderArguments } from "../readerToken.ts";
import type { ReaderArguments } from "../readerToken.ts";
import type { EngagedTimes, Engagement } from "./engagement.ts";
import type { Span } from "../../../domain/calendar/periods.ts";
import type { Period } from "./usePeriod.ts";
import { knowsUse, onePageOf } from "./filtering.ts";
import { useIsSegmentAlone } from "../segment/alone.ts";
import { isThere } from "./useReport.ts";

type Results = {
  whole?: Engagement | Error;
  current?: Engagement | Error;
  before?: Engagement | Error;
};

/** It is known of all views and of those of one page; under any other filter nothing is asked. */
function requestsOf({ span, same, asked: { filter } }: Period, reader: ReaderArguments) {
  if (!knowsUse(filter)) return {};
  const page = onePageOf(filter);
  const path: Record<string, Value> = page === null ? {} : { path: page };
  const engagementOf = ({ from, until }: Span) => ({
    query: api.reports.engagement,
    args: { range: { from, until }, ...path, ...reader },
  });
  return {
    whole: engagementOf(span),
    ...(same === null
      ? {}
      : { current: engagementOf(same.current), before: engagementOf(same.before) }),
  };
}

/** Null while it loads, when it cannot be read, and when no page reported anything: the period does not need it. */
export function useEngagement(period: Period): EngagedTimes | null {
  const reader = useReaderArguments();
  const isAlone = useIsSegmentAlone();
  const requests = useMemo(
    () => (isAlone ? {} : requestsOf(period, reader)),
    [isAlone, period, reader],
  );
  const { whole, current, before }: Results = useQueries(requests);
  if (!isThere(whole) || whole.views === 0) return null;
  return { whole, same: isThere(current) && isThere(before) ? { current, before } : null };
}
