/**
 * Owns: the live subscription to getStats, its pace, and asking again after a failure.
 * Not: what the numbers mean (viewModel.ts).
 */
import { useQueries } from "convex/react";
import { useEffect, useMemo, useState } from "react";
import { api } from "../../convex/_generated/api.js";
import { WATCHED_WORKER_DELAY_MS } from "../../domain/intervals.ts";
import type { Stats } from "./stats.ts";
import { usePaced } from "./usePaced.ts";

export type Answer =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: Error; readonly retry: () => void }
  | { readonly kind: "ready"; readonly stats: Stats };

const NOTHING = {};
const SETTLED = { query: api.stats.getStats, args: { freshness: "settled" as const } };

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

export function useStats(): Answer {
  const { isPaused, retry } = useRetry();
  const request = useMemo(() => (isPaused ? NOTHING : { stats: SETTLED }), [isPaused]);
  const results: Record<string, Stats | Error | undefined> = useQueries(request);
  const result = results.stats;
  const paced = usePaced(result, WATCHED_WORKER_DELAY_MS);
  if (paced === undefined) return { kind: "loading" };
  if (paced instanceof Error) return { kind: "failed", error: paced, retry };
  return { kind: "ready", stats: paced };
}
