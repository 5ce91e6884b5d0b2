/**
 * Owns: a histogram: how many by bin, as few numbers as there are bins in use; and its percentiles.
 * Not: which bins there are (vitals.ts, cell.ts).
 */

/** By bin; a bin without anything is not in it. A single bucket may be negative where a row was put aside. */
export type Histogram = Map<number, number>;

export function addToBin(histogram: Histogram, bin: number, count: number): void {
  const sum = (histogram.get(bin) ?? 0) + count;
  if (sum === 0) histogram.delete(bin);
  else histogram.set(bin, sum);
}

export function addHistogram(into: Histogram, from: Histogram): void {
  for (const [bin, count] of from) addToBin(into, bin, count);
}

export function countIn(histogram: Histogram): number {
  let sum = 0;
  for (const count of histogram.values()) sum += count;
  return sum;
}

/** How many lie in the bins from `first` to `last`, both included. */
export function countBetween(histogram: Histogram, first: number, last: number): number {
  let sum = 0;
  for (const [bin, count] of histogram) if (bin >= first && bin <= last) sum += count;
  return sum;
}

/** The bin in which the value of that rank lies (nearest rank: the smallest with at least `ratio` of all at or below it); null when there is none. */
export function percentileBin(histogram: Histogram, ratio: number): number | null {
  const rank = Math.max(1, Math.ceil(ratio * countIn(histogram)));
  let passed = 0;
  for (const [bin, count] of sortedBins(histogram)) {
    passed += count;
    if (passed >= rank) return bin;
  }
  return null;
}

/** In ascending order. */
export function sortedBins(histogram: Histogram): [number, number][] {
  return [...histogram].sort(([a], [b]) => a - b);
}
