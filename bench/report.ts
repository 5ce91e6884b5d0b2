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
};

/** Prints the rows and returns the exit code: 1 when a row with a target misses it. */
export function report(rows: readonly Row[], asJson: boolean): 0 | 1 {
  const judged = rows.map((row) => ({
    ...row,
    ok: row.target === null || row.value <= row.target,
  }));
  if (asJson) console.log(JSON.stringify({ rows: judged }));
  else {
    console.table(
      judged.map(({ name, value, unit, target, ok }) => ({
        name,
        value: `${value} ${unit}`,
        target: target === null ? "" : `≤ ${target} ${unit}`,
        ok: ok ? "yes" : "NO",
      })),
    );
  }
  return judged.every(({ ok }) => ok) ? 0 : 1;
}

/** The smallest of `values` that at least `share` (0..1) of them do not exceed (nearest rank). NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.max(Math.ceil(share * ascending.length) - 1, 0)] ?? NaN;
}
