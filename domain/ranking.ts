/**
 * Owns: keeping a list of the largest counts right while counts change.
 * Not: where the counts are stored.
 */

export type Ranked = { readonly path: string; readonly count: number };

/** The largest first; equal ones by path, so that the same counts give the same list everywhere. */
export function compareRanked(a: Ranked, b: Ranked): number {
  if (a.count !== b.count) return b.count - a.count;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/**
 * The list after `counts` (the new count of each path that changed) is applied, or null when only a look at all paths
 * could tell: paths outside the list exist, and a listed one fell below what they may have.
 */
export function updateTop(
  top: readonly Ranked[],
  counts: ReadonlyMap<string, number>,
  options: { readonly limit: number; readonly totalPaths: number },
): Ranked[] | null {
  const floor = top.length < options.limit ? 0 : (top.at(-1)?.count ?? 0);
  const kept = top.filter((entry) => !counts.has(entry.path));
  const changed = [...counts].flatMap(([path, count]) => (count > 0 ? [{ path, count }] : []));
  const merged = [...kept, ...changed].sort(compareRanked).slice(0, options.limit);
  if (merged.length === Math.min(options.limit, options.totalPaths)) {
    const isListComplete = options.totalPaths <= options.limit;
    if (isListComplete || merged.every((entry) => entry.count >= floor)) return merged;
  }
  return null;
}
