/** Owns: what time it is at the server, ticking once a second. Not: what moves with it. */
import { useEffect, useState } from "react";
import { clockOffsetMs } from "./minutes.ts";

const TICK_MS = 1_000;

/**
 * Epoch ms by the server's clock as far as it can be known: the reader's, corrected when it is hours off.
 * Stands still while `isLive` is false. `settledAt`: when the worker last settled, by its own clock.
 */
export function useServerNow(settledAt: number | null, isLive: boolean): number {
  const [readerNow, setReaderNow] = useState(() => Date.now());
  const [seen, setSeen] = useState({ settledAt, offsetMs: 0 });
  if (seen.settledAt !== settledAt) {
    const isFresh = seen.settledAt !== null && settledAt !== null;
    setSeen({ settledAt, offsetMs: isFresh ? clockOffsetMs(settledAt, readerNow) : seen.offsetMs });
  }
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => setReaderNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  return Math.max(readerNow + seen.offsetMs, settledAt ?? 0);
}
