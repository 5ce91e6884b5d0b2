/** Owns: every value of a breakdown with all its figures, asked for while it is open. Not: searching and paging (AllRows.tsx). */
import { MAX_REPORT_ROWS } from "../../../domain/limits.ts";
import { texts } from "../texts.ts";
import { AllRows } from "./AllRows.tsx";
import { choosingValue } from "./BreakdownTable.tsx";
import type { Filtering } from "./BreakdownTable.tsx";
import { moreColumns } from "./columns.ts";
import { breakdownList } from "./listRows.ts";
import { useBreakdown } from "./useBreakdown.ts";
import type { AskedBreakdown } from "./useBreakdown.ts";

type Props = Filtering & { asked: Omit<AskedBreakdown, "limit"> };

export function AllOfBreakdown({ asked, ...filtering }: Props) {
  const { dimension } = asked;
  const { breakdown, isOfBefore, rankBy } = useBreakdown({ ...asked, limit: MAX_REPORT_ROWS });
  return (
    <AllRows
      caption={texts.period.dimensions[dimension]}
      columns={[texts.period.ranked[rankBy], texts.pages.share]}
      more={moreColumns(dimension, rankBy).map(({ title }) => title)}
      list={breakdown && breakdownList(breakdown, { dimension, rankBy })}
      isOfBefore={isOfBefore}
      choosing={choosingValue(dimension, filtering)}
    />
  );
}
