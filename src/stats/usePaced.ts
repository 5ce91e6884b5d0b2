/** Owns: the pace at which a value may change on screen. Not: the value. */
import { useEffect, useRef, useState } from "react";

/** `value`, changing at most once in `intervalMs`: the first change at once, the last one always. */
export function usePaced<T>(value: T, intervalMs: number): T {
  const [shown, setShown] = useState(value);
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const waitMs = Math.max(0, changedAt.current + intervalMs - performance.now());
    const timer = setTimeout(() => {
      changedAt.current = performance.now();
      setShown(value);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [value, intervalMs]);
  return shown;
}
