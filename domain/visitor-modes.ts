/**
 * Owns: whom a site may count as one visitor, and what that makes of a number of visitors.
 * Not: the ids (convex/model/identity.ts).
 */
import { utcDayOf } from "./calendar/civil.ts";

export const VISITOR_MODES = ["browser", "daily", "none"] as const;
export type VisitorMode = (typeof VISITOR_MODES)[number];

/** For the operator who chooses. */
export const VISITOR_MODE_MEANINGS: Readonly<Record<VisitorMode, string>> = {
  browser:
    "A visitor is a browser: it keeps a random id in its own storage, and is the same visitor for as long as it does.",
  daily:
    "A visitor is an address with a user agent on one UTC day: nothing is kept in the browser, neither is stored of a person, and visitors of several days are the sum of those of each day.",
  none: "Views only: nothing is kept in the browser, and visitors, visits and who is online are not measured.",
};

/** From `since` on, epoch ms, the site counted in this mode. Before the first change it was "browser". */
export type ModeChange = { readonly since: number; readonly mode: VisitorMode };

export const VISITORS_ARE = ["distinct", "sum of days", "partly measured", "not measured"] as const;

/**
 * What a number of visitors is: each counted once; the sum of those of each UTC day (who comes on two days is in it
 * twice), or of two modes; those of a part of the time alone, as for the rest of it nobody was told apart; or none.
 */
export type VisitorsAre = (typeof VISITORS_ARE)[number];

export function modeAfter(changes: readonly ModeChange[]): VisitorMode {
  return changes.at(-1)?.mode ?? "browser";
}

/** In which it counted at an instant. */
export function modeAt(changes: readonly ModeChange[], at: number): VisitorMode {
  return changes.findLast(({ since }) => since <= at)?.mode ?? "browser";
}

/** Of what is counted in [from, until). */
export function visitorsAre(
  changes: readonly ModeChange[],
  { from, until }: { from: number; until: number },
): VisitorsAre {
  const modes = new Set(modesWithin(changes, { from, until }));
  if (modes.has("none")) return modes.size === 1 ? "not measured" : "partly measured";
  if (!modes.has("daily")) return "distinct";
  const isOneDay = utcDayOf(from) === utcDayOf(until - 1);
  return isOneDay && modes.size === 1 ? "distinct" : "sum of days";
}

/** What several numbers that stand side by side are, in one word: that of the one that says least. */
export function leastOf(labels: Iterable<VisitorsAre>): VisitorsAre {
  const found = new Set(labels);
  if (found.has("not measured")) return found.size === 1 ? "not measured" : "partly measured";
  return VISITORS_ARE.findLast((label) => found.has(label)) ?? "distinct";
}

function modesWithin(
  changes: readonly ModeChange[],
  { from, until }: { from: number; until: number },
): VisitorMode[] {
  const periods: readonly ModeChange[] = [
    { since: Number.NEGATIVE_INFINITY, mode: "browser" },
    ...changes,
  ];
  return periods.flatMap(({ since, mode }, place) => {
    const endsAt = periods[place + 1]?.since ?? Number.POSITIVE_INFINITY;
    return since < until && endsAt > from && since < endsAt ? [mode] : [];
  });
}
