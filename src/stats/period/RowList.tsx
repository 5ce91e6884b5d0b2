/**
 * Owns: rows with a bar, a strong text and a quiet one: their head, their rest, greys while they are on their way, and
 * choosing one.
 * Not: what a row is of (BreakdownTable.tsx, EventsPanel.tsx, LeftOutPanel.tsx).
 */
import { Fragment } from "react";
import type { ReactNode } from "react";
import type { ListRow } from "./listRow.ts";
import { barWidth, skeletonWidths } from "../viewModel.ts";

export type Choosing = {
  readonly isChosen: (row: ListRow) => boolean;
  readonly choose: (row: ListRow) => void;
  readonly titleOf: (row: ListRow) => string;
  /** Of rows that open what belongs to them; else choosing one presses it. */
  readonly below?: (row: ListRow) => ReactNode;
};

export type RowListProps = {
  caption: string;
  /** Above the strong and the quiet texts. */
  columns: readonly [strong: string, quiet: string];
  /** Above what stands in the rows' `more`. */
  more?: readonly string[];
  /** Undefined while they are on their way. */
  rows: readonly ListRow[] | undefined;
  rest?: (Omit<ListRow, "key" | "size"> & { readonly title?: string }) | null;
  /** The bars are as long as their share of this; of the largest row when it is missing. */
  largest?: number;
  /** Kept free meanwhile. */
  greyRows: number;
  choosing?: Choosing | undefined;
  /** The rows are of what was asked before. */
  isOfBefore?: boolean;
};

type RowProps = {
  row: ListRow;
  largest: number;
  hasMore: boolean;
  choosing: Choosing | undefined;
};

/** A path reads from its slash whatever its letters, or its parts could pass for other ones. */
function RowText({ label }: { label: string }) {
  return <bdi dir={label.startsWith("/") ? "ltr" : "auto"}>{label}</bdi>;
}

function Label({ row, choosing }: Pick<RowProps, "row" | "choosing">) {
  if (choosing === undefined) {
    return (
      <span className="path">
        <RowText label={row.label} />
      </span>
    );
  }
  const isChosen = choosing.isChosen(row);
  const state =
    choosing.below === undefined ? { "aria-pressed": isChosen } : { "aria-expanded": isChosen };
  return (
    <button
      type="button"
      className="path row-button"
      title={choosing.titleOf(row)}
      {...state}
      onClick={() => choosing.choose(row)}
    >
      <RowText label={row.label} />
    </button>
  );
}

function MoreCells({ cells = [] }: { cells: readonly string[] | undefined }) {
  return cells.map((cell, place) => (
    <td key={place} className="number more-column">
      {cell}
    </td>
  ));
}

function Row({ row, largest, hasMore, choosing }: RowProps) {
  const isChosen = choosing?.isChosen(row) ?? false;
  return (
    <Fragment>
      <tr data-row={row.key} data-only={isChosen}>
        <th scope="row" className="label">
          <span className="bar" style={{ width: `${barWidth(row.size, largest)}%` }} />
          <Label row={row} choosing={choosing} />
        </th>
        <td className="number strong views-column">{row.strong}</td>
        <td className="number share-column">{row.quiet}</td>
        {hasMore && <MoreCells cells={row.more} />}
      </tr>
      {isChosen && choosing?.below?.(row)}
    </Fragment>
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

export function RowList(props: RowListProps) {
  const { caption, columns, rows, rest = null, greyRows, isOfBefore = false, choosing } = props;
  const { more = [], largest = Math.max(0, ...(rows ?? []).map(({ size }) => size)) } = props;
  const longest = Math.max(1, ...(rows ?? []).map(({ strong }) => strong.length));
  const room: Record<string, number> = { "--views-characters": longest };
  return (
    <table
      className="rows rows-period"
      style={room}
      aria-busy={rows === undefined || isOfBefore}
      data-of-before={isOfBefore}
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col" className="number views-column">
            {columns[0]}
          </th>
          <th scope="col" className="number share-column">
            {columns[1]}
          </th>
          {more.map((title) => (
            <th key={title} scope="col" className="number more-column">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={rows === undefined ? "skeleton" : ""}>
        {rows === undefined && <GreyRows rows={greyRows} />}
        {rows?.map((row) => (
          <Row key={row.key} {...{ row, largest, choosing }} hasMore={more.length > 0} />
        ))}
        {rest !== null && (
          <tr className="rest">
            <th scope="row">
              <span title={rest.title}>{rest.label}</span>
            </th>
            <td className="number views-column">{rest.strong}</td>
            <td className="number share-column">{rest.quiet}</td>
            {more.length > 0 && <MoreCells cells={rest.more} />}
          </tr>
        )}
      </tbody>
    </table>
  );
}
