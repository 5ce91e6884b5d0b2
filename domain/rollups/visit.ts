/**
 * Owns: the visit rule, and the facts that follow from a visitor's views and interactive events in time order: gaps,
 * place in the visit, previous path.
 * Not: what those facts count (view.ts, event.ts).
 *
 * A visit begins with a view. An interactive event goes on with an open visit; where none is open it counts under its
 * name alone, and neither begins a visit nor makes a visitor.
 */

/** A visit ends when its visitor does nothing for longer than this. It does not end at midnight. */
export const VISIT_IDLE_MS = 30 * 60_000;

/** The place of a view of nobody: it is in no visit, and nothing but a view. */
export const IN_NO_VISIT = 0;

/** What a log row keeps of its visitor's past: gaps, not verdicts, so that every bucket and zone follows from them. */
export interface ViewFacts {
  /** When this visitor's view before this one was; null on their first. */
  visitorLastSeenAt: number | null;
  /** When the visit's last interactive event was, where it came after the view before; null when none did. */
  lastEventAt: number | null;
  /** When this visitor's view of this path before this one was; null on the first. */
  pathLastSeenAt: number | null;
  /** 1 for the view that begins the visit; its views and interactive events are one sequence. IN_NO_VISIT for a view of nobody. */
  visitSequence: number;
  /** The path of the visit's view before this one; null on its first. */
  previousPath: string | null;
}

/** The same of an interactive event that came while a visit was open. */
export interface EventFacts {
  /** At least 2. */
  visitSequence: number;
  /** When the view or interactive event of the visit before this one was. */
  lastActiveAt: number;
  /** The path of the visit's last view. */
  previousPath: string;
}

export interface VisitState {
  /** When the visitor's last view was. */
  lastSeenAt: number;
  /** When the visit's last interactive event was, where it came after that view. */
  lastEventAt?: number | undefined;
  lastPath: string;
  visitSequence: number;
}

/** When the visitor's last view or interactive event was. */
export function lastActiveAtOf({
  lastSeenAt,
  lastEventAt,
}: Pick<VisitState, "lastSeenAt" | "lastEventAt">): number {
  return Math.max(lastSeenAt, lastEventAt ?? lastSeenAt);
}

/** `before` is what the visitor's row says; null on their first view. */
export function isSameVisit(before: VisitState | null, at: number): before is VisitState {
  return before !== null && at - lastActiveAtOf(before) <= VISIT_IDLE_MS;
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
    lastEventAt: continues ? (before.lastEventAt ?? null) : null,
    pathLastSeenAt,
    visitSequence: continues ? before.visitSequence + 1 : 1,
    previousPath: continues ? before.lastPath : null,
  };
}

/** The facts of an interactive event at `at`; null where no visit is open. */
export function factsOfEvent(before: VisitState | null, at: number): EventFacts | null {
  if (!isSameVisit(before, at)) return null;
  return {
    visitSequence: before.visitSequence + 1,
    lastActiveAt: lastActiveAtOf(before),
    previousPath: before.lastPath,
  };
}

export type Action = { kind: "view" | "event"; at: number; path: string };

export type Placed =
  { kind: "view"; facts: ViewFacts } | { kind: "event"; facts: EventFacts | null };

/**
 * The facts of all views and interactive events of one visitor, given in time order. A row that arrives late changes
 * the facts of its successors: those whose facts differ from what is stored are to be rewritten and their days made
 * anew.
 */
export function factsOfHistory(actions: readonly Action[]): Placed[] {
  const pathSeen = new Map<string, number>();
  let before: VisitState | null = null;
  return actions.map(({ kind, at, path }): Placed => {
    if (kind === "event") {
      const facts: EventFacts | null = factsOfEvent(before, at);
      if (before !== null && facts !== null) {
        before = { ...before, lastEventAt: at, visitSequence: facts.visitSequence };
      }
      return { kind, facts };
    }
    const facts: ViewFacts = factsOf(before, pathSeen.get(path) ?? null, at);
    before = { lastSeenAt: at, lastPath: path, visitSequence: facts.visitSequence };
    pathSeen.set(path, at);
    return { kind, facts };
  });
}
