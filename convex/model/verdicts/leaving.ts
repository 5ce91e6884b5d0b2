/**
 * Owns: what a view that leaves the log leaves behind: a filtered hit.
 * Not: its visitor's history (unlinking.ts), or the numbers (uncounting.ts).
 */
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { storeFiltered } from "../filtered.ts";
import type { FilterReason } from "../shapes.ts";

type View = Doc<"pageViews">;

export async function keepAsFiltered(
  ctx: MutationCtx,
  site: string,
  view: View,
  reason: FilterReason,
): Promise<void> {
  const { path, pageType, sessionId, timestamp, eventId, title, dimensions } = view;
  const hit = { path, pageType, sessionId, timestamp, eventId, title, dimensions };
  await storeFiltered(ctx, { ...hit, site, reason });
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
