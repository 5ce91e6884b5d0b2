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

/**
 * Undefined before the first answer; throws what the server refused. `asked` must be the same object for as long as
 * it asks the same. An answer of before stands in for one of its own `kind` alone.
 */
export function useReport<Q extends ReportQuery>(
  query: Q,
  asked: FunctionArgs<Q>,
  kind = "",
): FunctionReturnType<Q> | undefined {
  const reader = useReaderArguments();
  // `api.….…` is another object each time it is read; its name is not.
  const name = getFunctionName(query);
  const requests = useMemo(
    () => ({
      report: { query: makeFunctionReference<"query">(name), args: { ...asked, ...reader } },
    }),
    [name, asked, reader],
  );
  const { report }: { report?: FunctionReturnType<Q> | Error } = useQueries(requests);
  const [held, setHeld] = useState<Held<Q> | null>(null);
  if (report instanceof Error) throw report;
  if (report !== undefined && report !== held?.answer) setHeld({ kind, answer: report });
  if (report !== undefined) return report;
  return held?.kind === kind ? held.answer : undefined;
}
