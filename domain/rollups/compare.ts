/**
 * Owns: where two roll-ups of one bucket differ, figure by figure.
 * Not: which of them is right (convex/).
 */
import { type Cell, CELL_METRICS, emptyCell } from "./cell.ts";
import { DIMENSION_NAMES, type DimensionName } from "./dimension.ts";
import { foldedValue, readPropertyValue } from "./property.ts";
import { type Rollup, type Values, addValues, cellOf } from "./rollup.ts";

/** A figure that the log does not confirm. */
export interface Difference {
  /** Null: the total of the bucket. */
  dimension: DimensionName | null;
  /** Null: the total, or the sum of a dimension whose tail was folded. */
  value: string | null;
  /** A metric, or how many visitors were active before. */
  figure: string;
  stored: number;
  counted: number;
}

/** Empty when they say the same. Null stands for a roll-up in which nothing was counted. */
export function differences(stored: Rollup | null, counted: Rollup | null): Difference[] {
  const found: Difference[] = [];
  const total = (rollup: Rollup | null) => rollup?.total ?? emptyCell();
  addCellDifferences(found, { dimension: null, value: null }, total(stored), total(counted));
  for (const dimension of DIMENSION_NAMES) {
    const before = stored?.dimensions.get(dimension) ?? noValues();
    const after = counted?.dimensions.get(dimension) ?? noValues();
    const folded = dimension === "eventProperty" ? foldedIn(before, after) : NOTHING;
    addValueDifferences(found, dimension, foldAs(before, folded), foldAs(after, folded));
  }
  return found;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Keys of events of which either has folded values: which ones those were depends on the order in which they came. */
function foldedIn(...both: Values[]): ReadonlySet<string> {
  const values = both.flatMap(({ cells }) => [...cells.keys()]);
  return new Set(values.filter((value) => readPropertyValue(value).value === null));
}

/** The same with all values of these keys as one sum each. */
function foldAs(values: Values, folded: ReadonlySet<string>): Values {
  if (folded.size === 0) return values;
  const sums: Values = { cells: new Map(), other: values.other };
  for (const [value, cell] of values.cells) {
    const sum = foldedValue(readPropertyValue(value));
    const cells = new Map([[folded.has(sum) ? sum : value, cell]]);
    addValues(sums, { cells, other: null });
  }
  return sums;
}

/** Which values made it past the tail depends on the order in which they came, so a folded dimension is compared by its sum. */
function addValueDifferences(
  found: Difference[],
  dimension: DimensionName,
  stored: Values,
  counted: Values,
): void {
  if (stored.other !== null || counted.other !== null) {
    const place = { dimension, value: null };
    addCellDifferences(found, place, sumOf(stored), sumOf(counted));
    return;
  }
  for (const value of new Set([...stored.cells.keys(), ...counted.cells.keys()])) {
    const before = stored.cells.get(value) ?? emptyCell();
    const after = counted.cells.get(value) ?? emptyCell();
    addCellDifferences(found, { dimension, value }, before, after);
  }
}

function addCellDifferences(
  found: Difference[],
  place: Pick<Difference, "dimension" | "value">,
  stored: Cell,
  counted: Cell,
): void {
  for (const metric of CELL_METRICS) {
    if (stored[metric] === counted[metric]) continue;
    found.push({ ...place, figure: metric, stored: stored[metric], counted: counted[metric] });
  }
  for (const start of new Set([...stored.previousStarts, ...counted.previousStarts])) {
    const before = visitorsFrom(stored, start);
    const after = visitorsFrom(counted, start);
    if (before === after) continue;
    const figure = Number.isFinite(start)
      ? `visitors last active ${new Date(start).toISOString()}`
      : "new visitors";
    found.push({ ...place, figure, stored: before, counted: after });
  }
}

function visitorsFrom(cell: Cell, start: number): number {
  const place = cell.previousStarts.indexOf(start);
  return place < 0 ? 0 : (cell.visitors[place] ?? 0);
}

function sumOf(values: Values): Cell {
  const all: Values = { cells: new Map(), other: null };
  const sum = cellOf(all, "");
  for (const cell of [...values.cells.values(), ...(values.other === null ? [] : [values.other])]) {
    addValues(all, { cells: new Map([["", cell]]), other: null });
  }
  return sum;
}

function noValues(): Values {
  return { cells: new Map(), other: null };
}
