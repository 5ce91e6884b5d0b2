/**
 * Owns: the live subscription to getHealth, and asking now and then how late the worker is, which a subscription would
 * be told with every run.
 * Not: the numbers of the sheet, which are there without it.
 */
import { useConvex, useQueries } from "convex/react";
import { useEffect, useMemo, useState } from "react";
import { api } from "../../convex/_generated/api.js";
import { WATCH_INTERVAL_MS } from "../../domain/intervals.ts";
import { useReaderArguments, type ReaderArguments } from "./readerToken.ts";
import type { Health } from "./stats.ts";

export type KnownHealth = { readonly health: Health; readonly lagMs: number };

/** Null while it loads, and when it cannot be read: the sheet does not need it. */
export function useHealth(): KnownHealth | null {
  const reader = useReaderArguments();
  const request = useMemo(
    () => ({ health: { query: api.stats.getHealth, args: reader } }),
    [reader],
  );
  const { health }: Record<string, Health | Error | undefined> = useQueries(request);
  const isKnown = health !== undefined && health !== null && !(health instanceof Error);
  const lagMs = useLag(reader, isKnown);
  return isKnown ? { health, lagMs } : null;
}

/** Whoever may not read the one is not told the other. */
function useLag(reader: ReaderArguments, isAsked: boolean): number {
  const convex = useConvex();
  const [lagMs, setLagMs] = useState(0);
  useEffect(() => {
    if (!isAsked) return;
    const ask = () => {
      if (document.visibilityState !== "visible") return;
      convex.query(api.stats.getWorker, reader).then(
        (worker) => setLagMs(worker.lagMs),
        (failure: unknown) => console.warn("Footfall: the worker could not be asked.", failure),
      );
    };
    const timer = setInterval(ask, WATCH_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [convex, reader, isAsked]);
  return lagMs;
}
