/** Owns: the rows of the period's lists: of a breakdown, of engaged paths, of events, of what is left out. Not: drawing them. */
import { formatCount, formatShare } from "../formats.ts";
import { texts } from "../texts.ts";
import { shareOf } from "../viewModel.ts";
import type { ViewDimension } from "./address.ts";
import type { EngagedPaths } from "./engagement.ts";
import { moreColumns } from "./columns.ts";
import type { FiguresOfRow } from "./columns.ts";
import { formatMeasured, formatSpent } from "./figures.ts";
import type { Breakdown, EventsReport, LeftOut, RankBy } from "./panels.ts";
import type { ListRow } from "./listRow.ts";
import { valueLabel } from "./values.ts";

/** All that is not listed, in one row. */
export type Rest = {
  label: string;
  title?: string;
  strong: string;
  quiet: string;
  more?: readonly string[];
};

export type List = { readonly rows: readonly ListRow[]; readonly rest: Rest | null };

/** Of values that are not listed; where only their views are known, by no number of them. */
function restLabel(values: number, isComplete: boolean): Pick<Rest, "label" | "title"> {
  const label = values > 0 ? texts.period.rest(values) : texts.period.restOther;
  return isComplete ? { label } : { label, title: texts.period.restIncomplete };
}

const FIGURES_THAT_ADD = [
  "views",
  "visits",
  "bounces",
  "exits",
  "durationMs",
  "events",
  "visitors",
  "newVisitors",
] as const;

type Sums = NonNullable<Breakdown["rest"]>;

/** The same as if `limit` rows had been asked for: of values whose figures add up, such as countries. */
export function firstOf(breakdown: Breakdown, limit: number): Breakdown {
  const left = [
    ...breakdown.rows.slice(limit),
    ...(breakdown.rest === null ? [] : [breakdown.rest]),
  ];
  const [one, ...others] = left;
  if (one === undefined || breakdown.rows.length <= limit) return breakdown;
  const rest = others.reduce<Sums>((sum, figures) => added(sum, figures), one);
  return { ...breakdown, rows: breakdown.rows.slice(0, limit), rest };
}

function added(some: Sums, others: Sums): Sums {
  const sum = { ...some };
  for (const name of FIGURES_THAT_ADD) {
    const [one, other] = [some[name], others[name]];
    Object.assign(sum, { [name]: one === null || other === null ? null : one + other });
  }
  return sum;
}

export function breakdownList(
  { rows, rest, valuesTotal, complete }: Breakdown,
  { dimension, rankBy }: { dimension: ViewDimension; rankBy: RankBy },
): List {
  const whole = rows.reduce((sum, row) => sum + (row[rankBy] ?? 0), rest?.[rankBy] ?? 0);
  const more = moreColumns(dimension, rankBy);
  const numbers = (figures: FiguresOfRow) => ({
    strong: formatMeasured(figures[rankBy]),
    quiet: formatShare(shareOf(figures[rankBy] ?? 0, whole)),
    more: more.map(({ write }) => write(figures)),
  });
  return {
    rows: rows.map((row) => ({
      key: row.value,
      label: valueLabel(dimension, row.value),
      size: row[rankBy] ?? 0,
      ...numbers(row),
    })),
    rest:
      rest === null
        ? null
        : { ...restLabel(valuesTotal - rows.length, complete), ...numbers(rest) },
  };
}

/** By the time that was spent in all, and beside it how long a view was. */
export function engagedList({ rows, rest, pathsTotal, complete }: EngagedPaths): List {
  const numbers = (figures: { engagedMs: number; averageEngagedMs: number }) => ({
    strong: formatSpent(figures.engagedMs),
    quiet: formatSpent(figures.averageEngagedMs),
  });
  return {
    rows: rows.map((row) => ({
      key: row.path,
      label: row.path,
      size: row.engagedMs,
      ...numbers(row),
    })),
    rest:
      rest === null ? null : { ...restLabel(pathsTotal - rows.length, complete), ...numbers(rest) },
  };
}

export function eventList({ rows, rest, namesTotal, complete }: EventsReport): List {
  return {
    rows: rows.map(({ name, events, visitors }) => ({
      key: name,
      label: name,
      size: events,
      strong: formatCount(events),
      quiet: formatMeasured(visitors),
    })),
    // One visitor may be in several names: their sum is no number of visitors.
    rest:
      rest === null
        ? null
        : {
            ...restLabel(namesTotal - rows.length, complete),
            strong: formatCount(rest.events),
            quiet: "",
          },
  };
}

export function leftOutList({ count, reasons }: LeftOut): List {
  const { kinds, reasons: words } = texts.period.leftOut;
  return {
    rows: reasons.map(({ reason, kind, hits }) => ({
      key: `${reason} ${kind ?? ""}`.trim(),
      label: kind === null ? words[reason] : kinds[kind],
      size: hits,
      strong: formatCount(hits),
      quiet: formatShare(shareOf(hits, count)),
    })),
    rest: null,
  };
}
