/** Owns: telling the server which filter is shown, as long as it is, so that it is made and kept up. Not: its numbers. */
import { useMutation } from "convex/react";
import { useEffect, useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import { filterText } from "../../../domain/filters/text.ts";
import { FILTER_ASK_INTERVAL_MS } from "../../../domain/intervals.ts";
import { useIsSegmentAlone } from "../segment/alone.ts";
import { useReaderArguments } from "../readerToken.ts";
import type { Period } from "./usePeriod.ts";

/** What the server refused; null while it did not. */
export function useAskFilter({ asked: { filter }, span, compared }: Period): Error | null {
  const ask = useMutation(api.filters.ask);
  const reader = useReaderArguments();
  const from = Math.min(span.from, compared?.from ?? span.from);
  const text = JSON.stringify({ filter, range: { from, until: span.until } });
  const [refused, setRefused] = useState<{ text: string; error: Error } | null>(null);
  // A segment is kept up anyway, but maybe not of days that came in later.
  const isShown = useIsSegmentAlone() || filterText(filter) !== "";
  useEffect(() => {
    if (!isShown) return;
    const tell = () => {
      const args = JSON.parse(text) as Parameters<typeof ask>[0];
      ask({ ...args, ...reader }).then(
        () => setRefused(null),
        (error: unknown) =>
          setRefused({ text, error: error instanceof Error ? error : new Error(String(error)) }),
      );
    };
    tell();
    const timer = setInterval(tell, FILTER_ASK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [ask, isShown, reader, text]);
  return isShown && refused?.text === text ? refused.error : null;
}
