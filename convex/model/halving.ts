/**
 * Owns: finding among rows those that cannot be counted, by halving what fails until one stands alone.
 * Not: what is done with them (recovery.ts, engagement/recovery.ts).
 */

/** When a batch of more rows than this has none that can be counted, the fault is ours, not theirs: nothing is put aside then. */
export const MAX_ALL_POISON = 8;

export type Poison<T> = { row: T; error: string };

/** Does `attempt` for all rows that it can be done for; gives back those that throw when they are alone. Throws when none of many can. */
export async function countAllBut<T>(
  site: string,
  rows: readonly T[],
  attempt: (rows: readonly T[]) => Promise<void>,
): Promise<Poison<T>[]> {
  const poison = await halve(rows, attempt);
  if (poison.length > MAX_ALL_POISON && poison.length === rows.length) {
    throw new Error(
      `None of the next ${rows.length} rows of site "${site}" can be counted, so none is put aside. First error: ${poison[0]?.error ?? ""}`,
    );
  }
  return poison;
}

async function halve<T>(
  rows: readonly T[],
  attempt: (rows: readonly T[]) => Promise<void>,
): Promise<Poison<T>[]> {
  if (rows.length === 0) return [];
  const error = await messageOf(() => attempt(rows));
  if (error === null) return [];
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return [{ row: only, error }];
  const middle = Math.ceil(rows.length / 2);
  const first = await halve(rows.slice(0, middle), attempt);
  return [...first, ...(await halve(rows.slice(middle), attempt))];
}

async function messageOf(attempt: () => Promise<void>): Promise<string | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
