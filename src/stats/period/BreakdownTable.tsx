/** Owns: the rows of a breakdown, and choosing one. Not: which breakdown (PeriodPanel.tsx). */
import { texts } from "../texts.ts";
import type { Only, ViewDimension } from "./address.ts";
import { breakdownList } from "./listRows.ts";
import type { Breakdown, RankBy } from "./panels.ts";
import { RowList } from "./RowList.tsx";
import type { Choosing } from "./RowList.tsx";

export type ChoosingOnly = {
  readonly only: Only | null;
  /** Null shows all again. */
  readonly choose: (only: Only | null) => void;
};

/** A row is chosen when the period is of its value alone. */
export function choosingOnly(dimension: ViewDimension, { only, choose }: ChoosingOnly): Choosing {
  const isChosen = ({ key }: { key: string }) =>
    only?.dimension === dimension && only.value === key;
  return {
    isChosen,
    choose: (row) => choose(isChosen(row) ? null : { dimension, value: row.key }),
    titleOf: (row) => (isChosen(row) ? texts.period.only.all : texts.period.only.choose(row.label)),
  };
}

type Props = ChoosingOnly & {
  breakdown: Breakdown | undefined;
  dimension: ViewDimension;
  rankBy: RankBy;
  /** Rows that are kept free while the first are on their way. */
  greyRows: number;
  isOfBefore: boolean;
};

export function BreakdownTable(props: Props) {
  const { breakdown, dimension, rankBy, greyRows, isOfBefore, ...choosing } = props;
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
      choosing={choosingOnly(dimension, choosing)}
    />
  );
}
