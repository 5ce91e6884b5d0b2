/** Owns: what must hold of the rows of each visitor in time order. Not: how they came there. */
import { expect } from "vitest";
import { factsOfHistory } from "../../domain/rollups/visit.ts";
import type { Site } from "./site.ts";

/** The facts that each row holds are those that follow from its visitor's rows in time order. */
export async function expectHistories(site: Site): Promise<void> {
  const rows = await site.runtime.rows("pageViews");
  const visitors = new Set(rows.map(({ sessionId }) => sessionId));
  for (const visitor of visitors) {
    const history = rows
      .filter(({ sessionId }) => sessionId === visitor)
      .sort(
        (a, b) =>
          Number(a.timestamp) - Number(b.timestamp) ||
          Number(a._creationTime) - Number(b._creationTime),
      );
    const facts = factsOfHistory(
      history.map((row) => ({ at: Number(row.timestamp), path: String(row.path) })),
    );
    const stored = history.map((row) => ({
      visitorLastSeenAt: row.visitorLastSeenAt ?? null,
      pathLastSeenAt: row.pathLastSeenAt ?? null,
      visitSequence: Math.min(3, Number(row.visitSequence)),
      previousPath: Number(row.visitSequence) > 1 ? row.previousPath : null,
    }));
    expect(stored).toEqual(
      facts.map((fact) => ({ ...fact, visitSequence: Math.min(3, fact.visitSequence) })),
    );
  }
}
