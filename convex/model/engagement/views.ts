/**
 * Owns: which counted view a report is about.
 * Not: what becomes of the report (recording.ts).
 *
 * It is the view with that event id. A load within the dedup window is no view of its own: its visitor's row remembers
 * its event id, and what it reports belongs to the view that it repeats.
 */
import type { Doc } from "../../_generated/dataModel.js";
import type { QueryCtx } from "../../_generated/server.js";
import { meantPath } from "../pathRules.ts";
import { findVisitor } from "../visitors.ts";

type View = Doc<"pageViews">;

/** Views of the path, and then of its visitor, that are looked at, the newest first. Another tab may have been open for long, but not for this many pages. */
const MAX_OF_PATH = 4;
const MAX_OF_VISITOR = 32;

export async function findReportedView(
  ctx: QueryCtx,
  site: string,
  said: { sessionId: string; path: string; viewId: string },
): Promise<View | null> {
  const { sessionId, path, viewId } = said;
  const ofPath = await ctx.db
    .query("pageViews")
    .withIndex("by_session_path", (q) =>
      q.eq("sessionId", sessionId).eq("path", path).eq("site", site),
    )
    .order("desc")
    .take(MAX_OF_PATH);
  const found = ofPath.find(({ eventId }) => eventId === viewId);
  if (found !== undefined) return counted(found);
  // A site may count the page under another path than the page calls itself: with its query, or by new rules.
  const recent = await ctx.db
    .query("pageViews")
    .withIndex("by_session_time", (q) => q.eq("site", site).eq("sessionId", sessionId))
    .order("desc")
    .take(MAX_OF_VISITOR);
  const elsewhere = recent.find(({ eventId }) => eventId === viewId);
  if (elsewhere !== undefined) return counted(elsewhere);
  const repeated = ofPath[0] ?? recent.find((view) => meantPath(path, view.path) === view.path);
  if (repeated === undefined) return null;
  const isRepeat = await isRememberedLoad(ctx, { site, sessionId, viewId, view: repeated });
  return isRepeat ? counted(repeated) : null;
}

function counted(view: View): View | null {
  return view.quarantined === true ? null : view;
}

/** The visitor's row remembers the last few; a load that has reported before is kept with what it reported. */
async function isRememberedLoad(
  ctx: QueryCtx,
  load: { site: string; sessionId: string; viewId: string; view: View },
): Promise<boolean> {
  const visitor = await findVisitor(ctx, load.site, load.sessionId);
  if (visitor?.recentEventIds.includes(load.viewId) === true) return true;
  const newest = await ctx.db
    .query("engagements")
    .withIndex("by_view", (q) => q.eq("view", load.view._id))
    .order("desc")
    .first();
  return newest?.loads?.some(({ viewId }) => viewId === load.viewId) ?? false;
}
