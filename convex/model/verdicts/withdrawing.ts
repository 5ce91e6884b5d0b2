/**
 * Owns: counted views that become filtered hits, as if the rule had held when they came.
 * Not: which views those are (criteria.ts), or making their days anew (past/work.ts).
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { ensureSealing, markStale } from "../past/sealing.ts";
import type { FilterReason } from "../shapes.ts";
import type { Site } from "../sites.ts";
import { asFiltered, byVisitor } from "./leaving.ts";
import { uncount } from "./uncounting.ts";
import { unlink } from "./unlinking.ts";

type View = Doc<"pageViews">;

/** Views that are settled and rolled up, all of them. */
export async function withdrawRows(
  ctx: MutationCtx,
  site: Site,
  { views, reason }: { views: readonly View[]; reason: FilterReason },
): Promise<void> {
  if (views.length === 0) return;
  const calendar = calendarOf(site.timeZone);
  // While there are rows: of an empty log no day could be made anew, and these may be all.
  await ensureSealing(ctx, site.slug, calendar);
  const instants = views.map(({ timestamp }) => timestamp);
  let visitors = 0;
  for (const ofVisitor of byVisitor(views)) {
    const { changedAt, isForgotten } = await unlink(ctx, ofVisitor);
    instants.push(...changedAt);
    if (isForgotten) visitors += 1;
  }
  // Every one of them, however many: what an operator takes out can be put back.
  for (const view of views) {
    await ctx.db.insert("filteredHits", asFiltered(site.slug, view, reason));
  }
  await uncount(ctx, site.slug, { views, visitors });
  await markStale(ctx, site.slug, { instants, calendar });
}
