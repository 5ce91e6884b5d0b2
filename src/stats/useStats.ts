/**
 * Owns: the live subscriptions to getHeadline and getPanels, their pace, and asking again after a failure.
 * Not: what the numbers mean (viewModel.ts).
 */
import { useQueries } from "convex/react";
import type { FunctionReturnType } from "convex/server";
import { useEffect, useMemo, useState } from "react";
import { api } from "../../convex/_generated/api.js";
import { WATCHED_WORKER_DELAY_MS } from "../../domain/intervals.ts";
import { useReaderArguments, type ReaderArguments } from "./readerToken.ts";
import type { Stats } from "./stats.ts";
import { usePaced } from "./usePaced.ts";

export type Answer =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: Error; readonly retry: () => void }
  | { readonly kind: "ready"; readonly stats: Stats };

const ASK_NOTHING = {};
/** Two subscriptions, because the headline changes every second, and the panels are large. */
const settledFor = (reader: ReaderArguments) => ({
  headline: { query: api.stats.getHeadline, args: reader },
  panels: { query: api.stats.getPanels, args: reader },
});

/** Asking again is unsubscribing and subscribing anew: a failed query stays failed for as long as it is asked for. */
function useRetry(): { isPaused: boolean; retry: () => void } {
  const [isPaused, setIsPaused] = useState(false);
  useEffect(() => {
    if (!isPaused) return;
    const timer = setTimeout(() => setIsPaused(false), 0);
    return () => clearTimeout(timer);
  }, [isPaused]);
  return { isPaused, retry: () => setIsPaused(true) };
}

type Results = {
  headline?: FunctionReturnType<typeof api.stats.getHeadline> | Error;
  panels?: FunctionReturnType<typeof api.stats.getPanels> | Error;
};

/** Undefined until both are there. */
function joined({ headline, panels }: Results): Stats | Error | undefined {
  if (headline instanceof Error) return headline;
  if (panels instanceof Error) return panels;
  if (headline === undefined || panels === undefined) return undefined;
  return { ...panels, ...headline, atLeast: headline.atLeast || panels.atLeast };
}

export function useStats(): Answer {
  const { isPaused, retry } = useRetry();
  const reader = useReaderArguments();
  const settled = useMemo(() => settledFor(reader), [reader]);
  const results: Results = useQueries(isPaused ? ASK_NOTHING : settled);
  // Each at its own pace: a list that has just changed must not hold up the number online.
  const headline = usePaced(results.headline, WATCHED_WORKER_DELAY_MS);
  const panels = usePaced(results.panels, WATCHED_WORKER_DELAY_MS);
  const result = useMemo(() => joined({ headline, panels }), [headline, panels]);
  if (result === undefined) return { kind: "loading" };
  if (result instanceof Error) return { kind: "failed", error: result, retry };
  return { kind: "ready", stats: result };
}
