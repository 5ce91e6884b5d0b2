/**
 * Owns: one cell of a roll-up: the metrics of a value (or of the total), and its visitors by when they were active before.
 * Not: which events count into it (view.ts), its bytes (codec.ts).
 */

/**
 * Stored bytes name a metric by its place: only append. All are sums over log rows, so a single bucket may hold
 * negative bounces and exits: they take back what an earlier bucket counted.
 * `visits` counts visits that began; in the cell of a path these are its entries.
 */
export const CELL_METRICS = [
  "views",
  "visits",
  "bounces",
  "exits",
  "durationMs",
  "events",
] as const;

export type Metric = (typeof CELL_METRICS)[number];
export type Counts = Record<Metric, number>;

/** The previous-active bucket of a visitor who was never active before. Smaller than every instant. */
export const NEVER = Number.NEGATIVE_INFINITY;

export interface Cell extends Counts {
  /** When the bucket began in which these visitors were last active before: ascending, distinct, `NEVER` first. */
  previousStarts: number[];
  /** How many visitors, aligned with `previousStarts`. */
  visitors: number[];
}

export function emptyCounts(): Counts {
  return { views: 0, visits: 0, bounces: 0, exits: 0, durationMs: 0, events: 0 };
}

export function emptyCell(): Cell {
  return { ...emptyCounts(), previousStarts: [], visitors: [] };
}

export function copyOf(cell: Cell): Cell {
  return { ...cell, previousStarts: [...cell.previousStarts], visitors: [...cell.visitors] };
}

export function addVisitors(cell: Cell, previousStart: number, count: number): void {
  const starts = cell.previousStarts;
  let index = starts.length;
  while (index > 0 && (starts[index - 1] ?? 0) > previousStart) index--;
  if (index > 0 && starts[index - 1] === previousStart) {
    cell.visitors[index - 1] = (cell.visitors[index - 1] ?? 0) + count;
    return;
  }
  starts.splice(index, 0, previousStart);
  cell.visitors.splice(index, 0, count);
}

export function addCounts(into: Counts, from: Counts): void {
  for (const metric of CELL_METRICS) into[metric] += from[metric];
}

export function addCell(into: Cell, from: Cell): void {
  addCounts(into, from);
  for (let index = 0; index < from.previousStarts.length; index++) {
    addVisitors(into, from.previousStarts[index] ?? NEVER, from.visitors[index] ?? 0);
  }
}

/**
 * Visitors of this cell who were not active between `from` and its bucket. Summed over the buckets of a range that
 * begins at `from`, each visitor is counted once: in the first bucket of the range in which they are active.
 */
export function visitorsSince(cell: Cell, from: number): number {
  let sum = 0;
  for (let index = 0; index < cell.visitors.length; index++) {
    if ((cell.previousStarts[index] ?? NEVER) >= from) break;
    sum += cell.visitors[index] ?? 0;
  }
  return sum;
}

export function newVisitors(cell: Cell): number {
  return cell.previousStarts[0] === NEVER ? (cell.visitors[0] ?? 0) : 0;
}

export function isZero(cell: Cell): boolean {
  return cell.visitors.length === 0 && CELL_METRICS.every((metric) => cell[metric] === 0);
}

export function sameCell(a: Cell, b: Cell): boolean {
  return (
    CELL_METRICS.every((metric) => a[metric] === b[metric]) &&
    sameNumbers(a.previousStarts, b.previousStarts) &&
    sameNumbers(a.visitors, b.visitors)
  );
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
