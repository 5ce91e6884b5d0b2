/**
 * Owns: the visit rule, and the facts that follow from a visitor's rows in time order: gaps, place in the visit, previous path.
 * Not: what those facts count (view.ts).
 */

/** A visit ends when its visitor does nothing for longer than this. It does not end at midnight. */
export const VISIT_IDLE_MS = 30 * 60_000;

/** The place of a view of nobody: it is in no visit, and nothing but a view. */
export const IN_NO_VISIT = 0;

/** What a log row keeps of its visitor's past: gaps, not verdicts, so that every bucket and zone follows from them. */
export interface ViewFacts {
  /** When this visitor's view before this one was; null on their first. */
  visitorLastSeenAt: number | null;
  /** When this visitor's view of this path before this one was; null on the first. */
  pathLastSeenAt: number | null;
  /** 1 for the view that begins the visit; IN_NO_VISIT for a view of nobody. */
  visitSequence: number;
  /** The path of the visit's view before this one; null on its first. */
  previousPath: string | null;
}

export interface VisitState {
  lastSeenAt: number;
  lastPath: string;
  visitSequence: number;
}

/** `before` is what the visitor's row says; null on their first view. */
export function isSameVisit(before: VisitState | null, at: number): before is VisitState {
  return before !== null && at - before.lastSeenAt <= VISIT_IDLE_MS;
}

/** The facts of a view at `at`, given the visitor's row and when they last saw this path. */
export function factsOf(
  before: VisitState | null,
  pathLastSeenAt: number | null,
  at: number,
): ViewFacts {
  const continues = isSameVisit(before, at);
  return {
    visitorLastSeenAt: before?.lastSeenAt ?? null,
    pathLastSeenAt,
    visitSequence: continues ? before.visitSequence + 1 : 1,
    previousPath: continues ? before.lastPath : null,
  };
}

/**
 * The facts of all rows of one visitor, given in time order. A row that arrives late changes the facts of its
 * successors: those whose facts differ from what is stored are to be rewritten and their days made anew.
 */
export function factsOfHistory(rows: readonly { at: number; path: string }[]): ViewFacts[] {
  const pathSeen = new Map<string, number>();
  let before: VisitState | null = null;
  return rows.map(({ at, path }) => {
    const facts: ViewFacts = factsOf(before, pathSeen.get(path) ?? null, at);
    before = { lastSeenAt: at, lastPath: path, visitSequence: facts.visitSequence };
    pathSeen.set(path, at);
    return facts;
  });
}
