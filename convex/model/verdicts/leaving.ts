/**
 * Owns: what a view that leaves the log leaves behind: the row of a filtered hit.
 * Not: its visitor's history (unlinking.ts), the numbers (uncounting.ts), or how many such rows are kept.
 */
import type { Doc } from "../../_generated/dataModel.js";
import type { Filtered } from "../filtered.ts";
import type { FilterReason } from "../shapes.ts";

type View = Doc<"pageViews">;

export function asFiltered(site: string, view: View, reason: FilterReason): Filtered {
  const { path, pageType, sessionId, timestamp, eventId, title, dimensions } = view;
  return { path, pageType, sessionId, timestamp, eventId, title, dimensions, site, reason };
}

export function byVisitor(views: readonly View[]): View[][] {
  const visitors = new Map<string, View[]>();
  for (const view of views) {
    const known = visitors.get(view.sessionId);
    if (known === undefined) visitors.set(view.sessionId, [view]);
    else known.push(view);
  }
  return [...visitors.values()];
}
