/**
 * Owns: how many watched queries are evaluated in one job of the executor before others get their turn.
 * Not: how one is evaluated, and which commits make its result stale (live-queries.ts).
 *
 * A result that no commit has touched since is as good as one of this moment. So the queries are evaluated slice by
 * slice, and the evaluation is complete with the slice at whose end all results hold. Queries that commits made stale
 * in between come last; where that becomes most of them, waiting only costs, and the rest is evaluated in one go.
 */
type Watched = { readonly isFresh: boolean };

/** A page has a few dozen queries, and gets them in one slice. */
const MAX_SLICE_QUERIES = 100;
/** What a mutation may have to wait for slow ones, give or take one. */
const MAX_SLICE_MS = 20;
/** So many must have been evaluated before their going stale says anything. */
const MIN_SAMPLE = 2 * MAX_SLICE_QUERIES;

export class SlicedEvaluation<Entry extends Watched> {
  readonly #entries: ReadonlySet<Entry>;
  readonly #evaluate: (entry: Entry) => Promise<void>;
  readonly #evaluated = new Set<Entry>();

  constructor(entries: readonly Entry[], evaluate: (entry: Entry) => Promise<void>) {
    this.#entries = new Set(entries);
    this.#evaluate = evaluate;
  }

  /** To be called inside of a job, and again in another one until it is complete: then every result holds. */
  async nextSlice(): Promise<{ readonly count: number; readonly isComplete: boolean }> {
    const stale = [...this.#entries].filter((entry) => !entry.isFresh);
    const again = stale.filter((entry) => this.#evaluated.has(entry));
    const firstTime = stale.filter((entry) => !this.#evaluated.has(entry));
    const mayYield = firstTime.length > 0 && !this.#isFutile(again.length);
    const startedAt = performance.now();
    let count = 0;
    for (const entry of [...firstTime, ...again]) {
      const isOver = count >= MAX_SLICE_QUERIES || performance.now() - startedAt >= MAX_SLICE_MS;
      if (mayYield && isOver && count > 0) break;
      await this.#evaluate(entry);
      this.#evaluated.add(entry);
      count++;
    }
    return { count, isComplete: count === stale.length };
  }

  #isFutile(staleAgain: number): boolean {
    return this.#evaluated.size >= MIN_SAMPLE && staleAgain * 2 > this.#evaluated.size;
  }
}
