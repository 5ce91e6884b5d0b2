/**
 * Owns: what a row of the log says to a roll-up.
 * Not: what a roll-up makes of it (domain/rollups/view.ts).
 */
import { unpackValues } from "../../../domain/dimensions/packed.ts";
import type { LoggedView } from "../../../domain/rollups/view.ts";
import type { Doc } from "../../_generated/dataModel.js";

export type CountedRow = Pick<
  Doc<"pageViews">,
  | "_id"
  | "timestamp"
  | "path"
  | "pageType"
  | "dimensions"
  | "visitSequence"
  | "previousPath"
  | "visitorLastSeenAt"
  | "lastEventAt"
  | "pathLastSeenAt"
>;

/** True when the row is in the sums: it has its place in a visit, and it is not put aside. */
export function isInSums(row: Doc<"pageViews">): boolean {
  return row.visitSequence !== undefined && row.quarantined !== true;
}

/** Throws when the row's visit is not derived yet. */
export function loggedViewOf(row: CountedRow): LoggedView {
  const { timestamp, path, pageType, visitSequence } = row;
  if (visitSequence === undefined) {
    throw new Error(`View ${row._id} has no place in a visit yet; a re-roll derives it.`);
  }
  return {
    at: timestamp,
    path,
    values: { ...unpackValues(row.dimensions ?? ""), pageType },
    visitSequence,
    previousPath: visitSequence > 1 ? (row.previousPath ?? null) : null,
    visitorLastSeenAt: row.visitorLastSeenAt ?? null,
    lastEventAt: row.lastEventAt ?? null,
    pathLastSeenAt: row.pathLastSeenAt ?? null,
  };
}
