/** Owns: what must hold of the rows of each visitor in time order. Not: how they came there. */
import { expect } from "vitest";
import { factsOfHistory } from "../../domain/rollups/visit.ts";
import type { Action } from "../../domain/rollups/visit.ts";
import type { Row } from "./runtime.ts";
import type { Site } from "./site.ts";

type Logged = { kind: Action["kind"]; row: Row };

/** The facts that each view and interactive event holds are those that follow from its visitor's rows in time order. Nobody has no history. */
export async function expectHistories(site: Site): Promise<void> {
  const views = (await site.runtime.rows("pageViews")).map(asLogged("view"));
  const events = (await site.runtime.rows("events")).map(asLogged("event"));
  const acts = [...views, ...events.filter(({ row }) => row.isPassive !== true)];
  const rows = acts.filter(({ row }) => !String(row.sessionId).startsWith("v "));
  const visitors = new Set(rows.map(({ row }) => row.sessionId));
  for (const visitor of visitors) {
    const history = rows.filter(({ row }) => row.sessionId === visitor).sort(inTime);
    const wanted = factsOfHistory(
      history.map(({ kind, row }) => ({
        kind,
        at: Number(row.timestamp),
        path: String(row.path),
      })),
    );
    expect(history.map(storedFacts)).toEqual(
      wanted.map(({ kind, facts }) => ({
        kind,
        facts: facts && { ...facts, visitSequence: Math.min(3, facts.visitSequence) },
      })),
    );
  }
}

function asLogged(kind: Action["kind"]) {
  return (row: Row): Logged => ({ kind, row });
}

function inTime(one: Logged, other: Logged): number {
  const byTime = Number(one.row.timestamp) - Number(other.row.timestamp);
  return byTime || Number(one.row._creationTime) - Number(other.row._creationTime);
}

/** From the third on a sequence counts on and nothing else. */
function storedFacts({ kind, row }: Logged) {
  const { visitorLastSeenAt, lastEventAt, lastActiveAt, pathLastSeenAt, previousPath } = row;
  if (kind === "event" && row.visitSequence === undefined) return { kind, facts: null };
  const visitSequence = Math.min(3, Number(row.visitSequence));
  if (kind === "event") return { kind, facts: { visitSequence, lastActiveAt, previousPath } };
  const facts = {
    visitorLastSeenAt: visitorLastSeenAt ?? null,
    lastEventAt: lastEventAt ?? null,
    pathLastSeenAt: pathLastSeenAt ?? null,
    visitSequence,
    previousPath: visitSequence > 1 ? previousPath : null,
  };
  return { kind, facts };
}
