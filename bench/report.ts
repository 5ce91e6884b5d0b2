/**
 * Owns: how measurements are shown: a table for people, with --json one object on the last line for machines.
 * Not: measuring.
 */
export type Row = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The most that `value` may be; null where nothing is promised. */
  readonly target: number | null;
  /** True where the target is the least that `value` may be. */
  readonly isAtLeast?: boolean;
};

/** Prints the rows and returns the exit code: 1 when a row with a target misses it. */
export function report(rows: readonly Row[], asJson: boolean): 0 | 1 {
  const judged = rows.map((row) => ({ ...row, ok: isReached(row) }));
  if (asJson) console.log(JSON.stringify({ rows: judged }));
  else {
    console.table(
      judged.map(({ name, value, unit, target, isAtLeast, ok }) => ({
        name,
        value: `${value} ${unit}`,
        target: target === null ? "" : `${isAtLeast ? "≥" : "≤"} ${target} ${unit}`,
        ok: ok ? "yes" : "NO",
      })),
    );
  }
  return judged.every(({ ok }) => ok) ? 0 : 1;
}

function isReached({ value, target, isAtLeast }: Row): boolean {
  if (target === null) return true;
  return isAtLeast ? value >= target : value <= target;
}

/** The smallest of `values` that at least `share` (0..1) of them do not exceed (nearest rank). NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.max(Math.ceil(share * ascending.length) - 1, 0)] ?? NaN;
}
