/** Owns: the rows of a breakdown, their bars and shares, and choosing one. Not: which breakdown (PeriodPanel.tsx). */
import { formatCount, formatShare } from "../formats.ts";
import { roomFor } from "../room.ts";
import { texts } from "../texts.ts";
import { barWidth, shareOf, skeletonWidths } from "../viewModel.ts";
import type { Only } from "./address.ts";
import type { Breakdown, BreakdownRow, RankBy } from "./panels.ts";
import { valueLabel } from "./values.ts";

type Props = {
  breakdown: Breakdown | undefined;
  caption: string;
  rankBy: RankBy;
  /** Rows that are kept free while the first are on their way. */
  rows: number;
  only: Only | null;
  /** Null shows all again. */
  choose: (only: Only | null) => void;
};

function wholeOf({ rows, rest }: Breakdown, rankBy: RankBy): number {
  return rows.reduce((sum, row) => sum + row[rankBy], 0) + (rest?.[rankBy] ?? 0);
}

type RowProps = { row: BreakdownRow; largest: number; whole: number } & Pick<
  Props,
  "rankBy" | "only" | "choose"
> & { dimension: Only["dimension"] };

function Row({ row, largest, whole, rankBy, only, choose, dimension }: RowProps) {
  const label = valueLabel(dimension, row.value);
  const isOnly = only?.dimension === dimension && only.value === row.value;
  return (
    <tr data-row={row.value} data-only={isOnly}>
      <th scope="row" className="label">
        <span className="bar" style={{ width: `${barWidth(row[rankBy], largest)}%` }} />
        <button
          type="button"
          className="path row-button"
          title={isOnly ? texts.period.only.all : texts.period.only.choose(label)}
          aria-pressed={isOnly}
          onClick={() => choose(isOnly ? null : { dimension, value: row.value })}
        >
          <bdi>{label}</bdi>
        </button>
      </th>
      <td className="number strong views-column">{formatCount(row[rankBy])}</td>
      <td className="number share-column">{formatShare(shareOf(row[rankBy], whole))}</td>
    </tr>
  );
}

function RestRow({ breakdown, rankBy }: { breakdown: Breakdown; rankBy: RankBy }) {
  const { rest, valuesTotal, rows, complete } = breakdown;
  if (rest === null) return null;
  const values = valuesTotal - rows.length;
  return (
    <tr className="rest">
      <th scope="row">
        <span title={complete ? undefined : texts.period.restIncomplete}>
          {values > 0 ? texts.period.rest(values) : texts.period.restOther}
        </span>
      </th>
      <td className="number views-column">{formatCount(rest[rankBy])}</td>
      <td className="number share-column">
        {formatShare(shareOf(rest[rankBy], wholeOf(breakdown, rankBy)))}
      </td>
    </tr>
  );
}

function GreyRows({ rows }: { rows: number }) {
  return skeletonWidths(rows).map((width) => (
    <tr key={width}>
      <td className="label">
        <span className="bar" style={{ width: `${width}%` }} />
        <span className="grey-label" style={{ width: `${20 + width / 4}%` }} />
      </td>
      <td className="number views-column">
        <span className="grey-number" />
      </td>
      <td className="number share-column">
        <span className="grey-number" />
      </td>
    </tr>
  ));
}

export function BreakdownTable({ breakdown, caption, rankBy, rows, only, choose }: Props) {
  const shown = breakdown?.rows ?? [];
  const largest = Math.max(0, ...shown.map((row) => row[rankBy]));
  const whole = breakdown === undefined ? 0 : wholeOf(breakdown, rankBy);
  const room = roomFor({ views: shown.map((row) => row[rankBy]) });
  return (
    <table className="rows rows-period" style={room} aria-busy={breakdown === undefined}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col" className="number views-column">
            {texts.period.ranked[rankBy]}
          </th>
          <th scope="col" className="number share-column">
            {texts.pages.share}
          </th>
        </tr>
      </thead>
      <tbody className={breakdown === undefined ? "skeleton" : ""}>
        {breakdown === undefined && <GreyRows rows={rows} />}
        {breakdown !== undefined &&
          shown.map((row) => (
            <Row
              key={row.value}
              {...{ row, largest, whole, rankBy, only, choose }}
              dimension={breakdown.dimension}
            />
          ))}
        {breakdown !== undefined && <RestRow breakdown={breakdown} rankBy={rankBy} />}
      </tbody>
    </table>
  );
}
