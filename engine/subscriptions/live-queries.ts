/**
 * Owns: the queries that are watched: which results still hold, who hears when one no longer does.
 * Not: running a query (passed in), sending results (sync/).
 *
 * Identical queries share one entry. An evaluation ends inside of a job of the executor in which every one of its
 * results holds, so they all are of one snapshot; no commit can come between a result and the moment its reads are
 * watched. Many queries take several jobs, so that others get their turn (sliced-evaluation.ts).
 */
import type {
  Caller,
  Evaluation,
  FunctionTarget,
  LiveQueries,
  LiveQuery,
  QueryResult,
} from "../application.ts";
import type { Clock } from "../clock.ts";
import type { Commits } from "../transactions/commits.ts";
import type { KeyRange } from "../transactions/read-set.ts";
import { ReadIndex } from "./read-index.ts";
import { RefreshThrottle } from "./refresh-throttle.ts";
import { SlicedEvaluation } from "./sliced-evaluation.ts";

export type WatchedQuery = {
  readonly target: FunctionTarget;
  readonly argsJson: string;
  readonly caller: Caller;
  readonly journal: string | null;
};
export type QueryRun = { readonly result: QueryResult; readonly reads: readonly KeyRange[] };

/** Runs within a job of the executor. */
export type RunQuery = (query: WatchedQuery) => Promise<QueryRun>;

type Entry = {
  readonly key: string;
  /** Its journal moves on with each result, so that a page keeps the end that it was first given. */
  query: WatchedQuery;
  readonly handles: Set<Handle>;
  /** Those who have not been told of anything since they last got the result. */
  readonly unaware: Set<Handle>;
  result: QueryResult | null;
  isFresh: boolean;
};

export class WatchedQueries implements LiveQueries {
  readonly #commits: Commits;
  readonly #run: RunQuery;
  readonly #throttle: RefreshThrottle;
  readonly #entries = new Map<string, Entry>();
  readonly #reads = new ReadIndex<Entry>();

  constructor(commits: Commits, clock: Clock, run: RunQuery) {
    this.#commits = commits;
    this.#run = run;
    this.#throttle = new RefreshThrottle(clock, () => this.#announce());
    commits.onCommit((writtenKeys) => this.#invalidate(this.#reads.readersOf(writtenKeys)));
  }

  open(
    target: FunctionTarget,
    argsJson: string,
    caller: Caller,
    journal: string | null,
  ): LiveQuery {
    // Not by the token: a user's next one is the same user, and no query can see it.
    const key = JSON.stringify([target, argsJson, caller.kind, caller.identity, journal]);
    const entry = this.#entries.get(key) ?? {
      key,
      query: { target, argsJson, caller, journal },
      handles: new Set(),
      unaware: new Set(),
      result: null,
      isFresh: false,
    };
    this.#entries.set(key, entry);
    return new Handle(entry, () => this.#forget(entry));
  }

  async evaluate(queries: readonly LiveQuery[], signal?: AbortSignal): Promise<Evaluation> {
    const handles = queries.map(handleOf);
    const entries = handles.map(({ entry }) => entry);
    const evaluation = new SlicedEvaluation(entries, (entry) => this.#evaluateOne(entry));
    for (;;) {
      signal?.throwIfAborted();
      const evaluated = await this.#commits.runDurably(async () => {
        const startedAt = performance.now();
        const { count, isComplete } = await evaluation.nextSlice();
        if (count > 0) this.#throttle.spend(performance.now() - startedAt);
        if (!isComplete) return null;
        for (const handle of handles) handle.see();
        return { ts: this.#commits.lastTs, results: entries.map(resultOf) };
      });
      if (evaluated !== null) return evaluated;
    }
  }

  /** Code, environment or the past has changed: no result holds any more. */
  invalidateAll(): void {
    this.#invalidate(new Set(this.#entries.values()));
  }

  stop(): void {
    this.#throttle.stop();
  }

  async #evaluateOne(entry: Entry): Promise<void> {
    const { result, reads } = await this.#run(entry.query);
    entry.result = entry.result !== null && isSame(entry.result, result) ? entry.result : result;
    if (result.ok && result.journal !== null) {
      entry.query = { ...entry.query, journal: result.journal };
    }
    entry.isFresh = true;
    if (entry.handles.size > 0) this.#reads.set(entry, reads);
  }

  #invalidate(entries: ReadonlySet<Entry>): void {
    let isAnyNew = false;
    for (const entry of entries) {
      entry.isFresh = false;
      isAnyNew ||= entry.unaware.size > 0;
    }
    if (isAnyNew) this.#throttle.request();
  }

  /** A result that somebody else has had evaluated anew in the meantime is news to all who have the one before. */
  #announce(): void {
    for (const entry of this.#entries.values()) {
      for (const handle of entry.unaware) {
        if (entry.isFresh && handle.seen === entry.result) continue;
        entry.unaware.delete(handle);
        handle.announce();
      }
    }
  }

  #forget(entry: Entry): void {
    if (entry.handles.size > 0) return;
    this.#reads.delete(entry);
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
  }
}

class Handle implements LiveQuery {
  readonly entry: Entry;
  /** The result that its owner was last given. */
  seen: QueryResult | null = null;
  readonly #onReleased: () => void;
  readonly #listeners = new Set<() => void>();

  constructor(entry: Entry, onReleased: () => void) {
    this.entry = entry;
    this.#onReleased = onReleased;
    entry.handles.add(this);
  }

  onStale(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Its owner gets the result as it is now. */
  see(): void {
    this.seen = this.entry.result;
    if (this.entry.handles.has(this)) this.entry.unaware.add(this);
  }

  announce(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  release(): void {
    this.#listeners.clear();
    this.entry.handles.delete(this);
    this.entry.unaware.delete(this);
    this.#onReleased();
  }
}

function handleOf(query: LiveQuery): Handle {
  if (query instanceof Handle) return query;
  throw new Error("evaluate() takes what open() returned.");
}

function resultOf({ result, query }: Entry): QueryResult {
  if (result === null) throw new Error(`${query.target.path} was not evaluated.`);
  return result;
}

/** Log lines carry times, which differ; what they say is compared. */
function isSame(a: QueryResult, b: QueryResult): boolean {
  return comparable(a) === comparable(b);
}

function comparable(result: QueryResult): string {
  const lines = result.logLines.map(({ level, messages }) => [level, messages]);
  return result.ok
    ? JSON.stringify([result.value, result.journal, lines])
    : JSON.stringify([result.message, result.data, lines]);
}
