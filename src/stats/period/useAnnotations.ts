/** Owns: the live subscription to the annotations of a period. Not: where they stand (notes.ts). */
import { useQueries } from "convex/react";
import { useMemo } from "react";
import { api } from "../../../convex/_generated/api.js";
import type { Span } from "../../../domain/calendar/periods.ts";
import { useReaderArguments } from "../readerToken.ts";
import type { Annotation } from "./notes.ts";
import { useIsSegmentAlone } from "../segment/alone.ts";
import { isThere } from "./useReport.ts";

const NO_ANNOTATIONS: readonly Annotation[] = [];

export type Annotations = {
  /** Empty until they are there: the trend does not wait for them. */
  readonly annotations: readonly Annotation[];
  readonly isFailed: boolean;
};

export function useAnnotations({ from, until }: Span): Annotations {
  const reader = useReaderArguments();
  const isAlone = useIsSegmentAlone();
  const requests = useMemo((): Parameters<typeof useQueries>[0] => {
    if (isAlone) return {};
    const args = { range: { from, until }, ...reader };
    return { annotations: { query: api.reports.annotations, args } };
  }, [isAlone, from, until, reader]);
  const { annotations }: { annotations?: Annotation[] | Error } = useQueries(requests);
  return {
    annotations: isThere(annotations) ? annotations : NO_ANNOTATIONS,
    isFailed: annotations instanceof Error,
  };
}
