/** Owns: the rows of a breakdown, and choosing one. Not: which breakdown (PeriodPanel.tsx). */
import { texts } from "../texts.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import type { ViewDimension } from "./address.ts";
import { asksFor, chosen, isFilterDimension } from "./filtering.ts";
import { breakdownList } from "./listRows.ts";
import type { Breakdown, RankBy } from "./panels.ts";
import { RowList } from "./RowList.tsx";
import type { Choosing } from "./RowList.tsx";

export type Filtering = {
  readonly filter: Filter;
  readonly change: (filter: Filter) => void;
};

/** A row is chosen when the filter asks of its dimension for its value alone; those that no filter knows cannot be. */
export function choosingValue(
  dimension: ViewDimension,
  { filter, change }: Filtering,
): Choosing | undefined {
  if (!isFilterDimension(dimension)) return undefined;
  const { filters } = texts.period;
  const isChosen = ({ key }: { key: string }) => asksFor(filter, dimension, key);
  return {
    isChosen,
    choose: (row) => change(chosen(filter, dimension, row.key)),
    titleOf: (row) => (isChosen(row) ? filters.unchoose(row.label) : filters.choose(row.label)),
  };
}

type Props = Filtering & {
  breakdown: Breakdown | undefined;
  dimension: ViewDimension;
  rankBy: RankBy;
  /** Rows that are kept free while the first are on their way. */
  greyRows: number;
  isOfBefore: boolean;
};

export function BreakdownTable(props: Props) {
  const { breakdown, dimension, rankBy, greyRows, isOfBefore, ...filtering } = props;
  const list =
    breakdown === undefined ? undefined : breakdownList(breakdown, { dimension, rankBy });
  return (
    <RowList
      caption={texts.period.dimensions[dimension]}
      columns={[texts.period.ranked[rankBy], texts.pages.share]}
      rows={list?.rows}
      rest={list?.rest ?? null}
      greyRows={greyRows}
      isOfBefore={isOfBefore}
      choosing={choosingValue(dimension, filtering)}
    />
  );
}
