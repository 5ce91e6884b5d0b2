/** Owns: which figures of a value stand beside the one that it is ranked by, where there is room for all. Not: the rows (listRows.ts). */
import { bounceRatio } from "../../../domain/rollups/report.ts";
import { formatShare } from "../formats.ts";
import { texts } from "../texts.ts";
import type { ViewDimension } from "./address.ts";
import { formatMeasured } from "./figures.ts";
import type { BreakdownRow, RankBy } from "./panels.ts";

export type FiguresOfRow = Pick<
  BreakdownRow,
  "views" | "visits" | "visitors" | "exits" | "bounces"
>;

type Column = { readonly title: string; readonly write: (figures: FiguresOfRow) => string };

const count = (name: RankBy, title: string): Column & { name: RankBy } => ({
  ...{ name, title },
  write: (figures) => formatMeasured(figures[name]),
});

/** Null where bounces, or visits, are not measured; of no visits there is no share. */
const bounceOf = ({ bounces, visits }: FiguresOfRow) =>
  bounces === null || visits === null || visits === 0 ? null : bounceRatio({ bounces, visits });

/** Of a page its entries and exits, of all else the visits. */
export function moreColumns(dimension: ViewDimension, rankBy: RankBy): readonly Column[] {
  const { ranked, tabs, figures } = texts.period;
  const isPage = dimension === "path";
  const counts = [
    count("views", ranked.views),
    count("visits", isPage ? tabs.entries : ranked.visits),
    count("visitors", ranked.visitors),
    ...(isPage ? [count("exits", ranked.exits)] : []),
  ];
  return [
    ...counts.filter(({ name }) => name !== rankBy),
    { title: figures.bounceRatio, write: (row) => formatShare(bounceOf(row)) },
  ];
}
