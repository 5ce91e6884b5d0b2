/**
 * Owns: how many values a dimension may keep, and folding the tail into "other".
 * Not: the top rows of a report (report.ts).
 */
import { type Cell, addCell, emptyCell } from "./cell.ts";
import { foldedValue, readPropertyValue } from "./property.ts";
import { type Rollup, type Values, cellOf } from "./rollup.ts";

/** Per dimension of an hour. Below it no value is lost. */
export const MAX_HOUR_VALUES = 1_000;

/** Per dimension of a day or month: all that 25 full hours can hold, so that sealing a day loses nothing either. */
export const MAX_SEALED_VALUES = 25 * MAX_HOUR_VALUES;

/** One key of one event keeps this share of the values of a dimension at most, so that a key full of ids leaves the others theirs. */
const KEY_SHARE = 1 / 10;

/** And all of them together this share; the rest is room for what each key folded. */
const KEPT_SHARE = 1 / 2;

/** Keeps the `maxValues` values with the most views in each dimension; the others become one sum. Changes `rollup`. */
export function foldTails(rollup: Rollup, maxValues: number): Rollup {
  for (const [dimension, values] of rollup.dimensions) {
    if (dimension === "eventProperty") foldProperties(values, maxValues);
    foldTail(values, maxValues);
  }
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

/** What does not fit goes to the sum of its key. */
function foldProperties(values: Values, maxValues: number): void {
  const maxOfKey = maxValues * KEY_SHARE;
  if (values.cells.size <= maxOfKey) return;
  const ofKey = new Map<string, number>();
  let kept = 0;
  for (const [text, cell] of [...values.cells].sort(byViews)) {
    const property = readPropertyValue(text);
    if (property.value === null) continue;
    const folded = foldedValue(property);
    const before = ofKey.get(folded) ?? 0;
    if (before < maxOfKey && kept < maxValues * KEPT_SHARE) {
      ofKey.set(folded, before + 1);
      kept += 1;
      continue;
    }
    values.cells.delete(text);
    addCell(cellOf(values, folded), cell);
  }
}

/** Most views first, of events those that came most often; ties in the order of the values, so that the choice does not depend on who came first. */
export function byViews(a: readonly [string, Cell], b: readonly [string, Cell]): number {
  return b[1].views - a[1].views || b[1].events - a[1].events || (a[0] < b[0] ? -1 : 1);
}
