/**
 * Owns: how many values a dimension may keep, and folding the tail into "other".
 * Not: the top rows of a report (report.ts).
 */
import { type Cell, addCell, emptyCell } from "./cell.ts";
import type { Rollup, Values } from "./rollup.ts";

/** Per dimension of an hour. Below it no value is lost. */
export const MAX_HOUR_VALUES = 1_000;

/** Per dimension of a day or month: all that 25 full hours can hold, so that sealing a day loses nothing either. */
export const MAX_SEALED_VALUES = 25 * MAX_HOUR_VALUES;

/** Keeps the `maxValues` values with the most views in each dimension; the others become one sum. Changes `rollup`. */
export function foldTails(rollup: Rollup, maxValues: number): Rollup {
  for (const values of rollup.dimensions.values()) foldTail(values, maxValues);
  return rollup;
}

function foldTail(values: Values, maxValues: number): void {
  if (values.cells.size <= maxValues) return;
  const ranked = [...values.cells].sort(byViews);
  values.other ??= emptyCell();
  for (const [value, cell] of ranked.slice(maxValues)) {
    addCell(values.other, cell);
    values.cells.delete(value);
  }
}

/** Most views first; ties in the order of the values, so that the choice does not depend on who came first. */
export function byViews(a: readonly [string, Cell], b: readonly [string, Cell]): number {
  return b[1].views - a[1].views || (a[0] < b[0] ? -1 : 1);
}
