/** Owns: the live subscription to one breakdown; the rows of before stay until the new ones are there. */
import { useQueries } from "convex/react";
import { useMemo, useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import type { DimensionName } from "../../../domain/rollups/dimension.ts";
import type { Breakdown, RankBy } from "./panels.ts";
import type { Span } from "./span.ts";

export type AskedBreakdown = {
  readonly range: Span;
  readonly dimension: DimensionName;
  readonly rankBy: RankBy;
  readonly limit: number;
};

/** Undefined before the first answer; throws what the server refused. */
export function useBreakdown(asked: AskedBreakdown): Breakdown | undefined {
  const { dimension, rankBy, limit } = asked;
  const { from, until } = asked.range;
  const requests = useMemo(
    () => ({
      breakdown: {
        query: api.reports.breakdown,
        args: { range: { from, until }, dimension, rankBy, limit },
      },
    }),
    [from, until, dimension, rankBy, limit],
  );
  const { breakdown }: { breakdown?: Breakdown | Error } = useQueries(requests);
  const [held, setHeld] = useState<Breakdown | undefined>(undefined);
  if (breakdown instanceof Error) throw breakdown;
  if (breakdown !== undefined && breakdown !== held) setHeld(breakdown);
  return breakdown ?? (held?.dimension === dimension ? held : undefined);
}
