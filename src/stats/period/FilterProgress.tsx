/** Owns: how much of a filter's days is counted, and what its numbers are. */
import { failureOf } from "../failures.ts";
import { useIsSegmentAlone } from "../segment/alone.ts";
import { texts } from "../texts.ts";
import { together } from "./progress.ts";
import type { Reports } from "./useReports.ts";

type Props = { reports: Pick<Reports, "summary" | "seriesBefore">; refused: Error | null };

export function FilterProgress({ reports: { summary, seriesBefore }, refused }: Props) {
  const { filters } = texts.period;
  const isAlone = useIsSegmentAlone();
  if (summary.progress === undefined) return null;
  if (refused !== null) {
    return (
      <p className="filter-note" role="alert">
        {failureOf(refused).message}
      </p>
    );
  }
  const { done, total } = together(seriesBefore === null ? [summary] : [summary, seriesBefore]);
  if (done >= total) {
    const words = isAlone ? texts.segment.visitors : filters.visitors;
    return <p className="filter-note">{words}</p>;
  }
  return (
    <p className="filter-note" role="status">
      <progress max={total} value={done} aria-label={filters.counting} />{" "}
      <strong>{filters.partly}</strong> {filters.making(done, total)}
    </p>
  );
}
