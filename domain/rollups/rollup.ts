/**
 * Owns: the roll-up of one bucket: its total, and per dimension the cells of its values; merging two of them.
 * Not: counting a view into it (view.ts), making days of hours (seal.ts), bytes (codec.ts).
 */
import { type Cell, addCell, emptyCell, isZero } from "./cell.ts";
import type { DimensionName } from "./dimension.ts";

export type RollupUnit = "hour" | "day" | "month";

export interface Values {
  /** By the value itself; "" is "none" or "unknown". A Map, because values come from visitors. */
  cells: Map<string, Cell>;
  /** What the values that did not fit add up to; null when none was left out. A visitor's literal "(other)" is not this. */
  other: Cell | null;
}

export interface Rollup {
  unit: RollupUnit;
  /** The instant at which the bucket begins, in the site's zone. */
  startsAt: number;
  total: Cell;
  dimensions: Map<DimensionName, Values>;
}

export function emptyRollup(unit: RollupUnit, startsAt: number): Rollup {
  return { unit, startsAt, total: emptyCell(), dimensions: new Map() };
}

export function valuesOf(rollup: Rollup, dimension: DimensionName): Values {
  let values = rollup.dimensions.get(dimension);
  if (values === undefined) {
    values = { cells: new Map(), other: null };
    rollup.dimensions.set(dimension, values);
  }
  return values;
}

export function cellOf(values: Values, value: string): Cell {
  let cell = values.cells.get(value);
  if (cell === undefined) {
    cell = emptyCell();
    values.cells.set(value, cell);
  }
  return cell;
}

/** Roll-ups of parts of one bucket's events, as one. Takes nothing from its arguments but numbers. */
export function merge(parts: readonly Rollup[]): Rollup {
  const [first] = parts;
  if (first === undefined) throw new Error("merge() got no roll-ups; it needs at least one.");
  const merged = emptyRollup(first.unit, first.startsAt);
  for (const part of parts) {
    if (part.unit !== first.unit || part.startsAt !== first.startsAt) {
      throw new Error(
        `merge() got the ${part.unit} ${part.startsAt} and the ${first.unit} ${first.startsAt}; ` +
          "it needs parts of one bucket. Use seal() to make a day of hours.",
      );
    }
    addCell(merged.total, part.total);
    for (const [dimension, values] of part.dimensions) {
      addValues(valuesOf(merged, dimension), values);
    }
  }
  return withoutZeros(merged);
}

export function addValues(into: Values, from: Values): void {
  for (const [value, cell] of from.cells) addCell(cellOf(into, value), cell);
  if (from.other !== null) {
    into.other ??= emptyCell();
    addCell(into.other, from.other);
  }
}

/** Cells whose increments cancelled out say nothing; without them equal contents have equal bytes. */
export function withoutZeros(rollup: Rollup): Rollup {
  for (const [dimension, values] of rollup.dimensions) {
    for (const [value, cell] of values.cells) {
      if (isZero(cell)) values.cells.delete(value);
    }
    if (values.cells.size === 0 && values.other === null) rollup.dimensions.delete(dimension);
  }
  return rollup;
}

/** Nothing was ever counted in it, or all of it cancelled out. */
export function isEmpty({ total, dimensions }: Rollup): boolean {
  return isZero(total) && dimensions.size === 0;
}
