/** Owns: one live report, asked with the reader's token; its answer of before stays until the new one is there. */
import { useQueries } from "convex/react";
import { getFunctionName, makeFunctionReference } from "convex/server";
import type { FunctionArgs, FunctionReference, FunctionReturnType } from "convex/server";
import { useMemo, useState } from "react";
import { useReaderArguments } from "../readerToken.ts";

type ReportQuery = FunctionReference<"query">;
type Held<Q extends ReportQuery> = {
  readonly kind: string;
  readonly answer: FunctionReturnType<Q>;
};

export type LiveReport<Answer> = {
  /** Undefined before the first answer. */
  readonly report: Answer | undefined;
  /** It is of what was asked before, until the answer is there. */
  readonly isOfBefore: boolean;
};

/**
 * Throws what the server refused. An answer of before stands in for one of its own `kind` alone. `asked` holds what
 * JSON can write.
 */
export function useReport<Q extends ReportQuery>(
  query: Q,
  asked: FunctionArgs<Q>,
  kind = "",
): LiveReport<FunctionReturnType<Q>> {
  const reader = useReaderArguments();
  // `api.….…` is another object each time it is read, and so is what is asked; their texts are not.
  const name = getFunctionName(query);
  const text = JSON.stringify(asked);
  const requests = useMemo(
    () => ({
      report: {
        query: makeFunctionReference<"query">(name),
        args: { ...(JSON.parse(text) as FunctionArgs<Q>), ...reader },
      },
    }),
    [name, text, reader],
  );
  const { report }: { report?: FunctionReturnType<Q> | Error } = useQueries(requests);
  const [held, setHeld] = useState<Held<Q> | null>(null);
  if (report instanceof Error) throw report;
  if (report !== undefined && report !== held?.answer) setHeld({ kind, answer: report });
  if (report !== undefined) return { report, isOfBefore: false };
  const before = held?.kind === kind ? held.answer : undefined;
  return { report: before, isOfBefore: before !== undefined };
}

/** Of what is asked beside others (useQueries), and may be on its way, or refused. */
export function isThere<T>(result: T | Error | undefined): result is T {
  return result !== undefined && !(result instanceof Error);
}
