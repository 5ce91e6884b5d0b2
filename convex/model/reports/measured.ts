/**
 * Owns: the figures of a report as they are given: where nobody was told apart, those of visits and visitors are null,
 * because 0 would be a claim.
 * Not: when that is so (domain/visitor-modes.ts).
 */
import type { VisitorsAre } from "../../../domain/visitor-modes.ts";

/** What is measured of every view and event, whoever made it; all else is of visits and visitors. */
type OfViews = "views" | "events" | "value" | "startsAt" | "endsAt";

export type Measured<F> = { [K in keyof F]: K extends OfViews ? F[K] : F[K] | null };

const OF_VIEWS: ReadonlySet<string> = new Set<OfViews>([
  "views",
  "events",
  "value",
  "startsAt",
  "endsAt",
]);

export function asMeasured<F extends object>(figures: F, label: VisitorsAre): Measured<F> {
  if (label !== "not measured") return figures as Measured<F>;
  const given = Object.entries(figures).map(([name, figure]): [string, unknown] => [
    name,
    OF_VIEWS.has(name) ? figure : null,
  ]);
  return Object.fromEntries(given) as Measured<F>;
}
