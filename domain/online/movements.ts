/**
 * Owns: the short list of who came, moved on and went last: its order and its bounds.
 * Not: what of a visitor is in it (convex/model/movements.ts).
 */

export type Movement = {
  readonly at: number;
  readonly path: string;
  readonly from?: string | undefined;
};

/** As many as a reader follows. */
export const MAX_MOVEMENTS = 20;

/** UTF-16 units of their paths together: a flood of long addresses must not make the row, which is written every few seconds, a large one. */
const MAX_PATHS_LENGTH = 4_000;

/** The newest first; of one moment those that were told last. */
export function newestMovements<M extends Movement>(told: readonly M[], before: readonly M[]): M[] {
  const latest = [...told].sort((one, other) => one.at - other.at).reverse();
  const all = [...latest, ...before].slice(0, MAX_MOVEMENTS);
  let length = 0;
  return all.filter(({ path, from = "" }, place) => {
    length += path.length + from.length;
    return place === 0 || length <= MAX_PATHS_LENGTH;
  });
}
