/** Owns: asking something over HTTP when the page opens, and again on request. Not: what the answers mean. */
import { useEffect, useState } from "react";

export type Probe<T> =
  | { readonly kind: "checking" }
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "failed"; readonly message: string };

/** `ask` stays the same function for as long as the question does. */
export function useProbe<T>(ask: (signal: AbortSignal) => Promise<T>): {
  probe: Probe<T>;
  again: () => void;
} {
  const [probe, setProbe] = useState<Probe<T>>({ kind: "checking" });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const stopping = new AbortController();
    ask(stopping.signal).then(
      (answer) => setProbe({ kind: "answered", answer }),
      (error: unknown) => {
        if (stopping.signal.aborted) return;
        const message = error instanceof Error ? error.message : String(error);
        setProbe({ kind: "failed", message });
      },
    );
    return () => stopping.abort();
  }, [ask, times]);
  const again = () => {
    setProbe({ kind: "checking" });
    setTimes(times + 1);
  };
  return { probe, again };
}
