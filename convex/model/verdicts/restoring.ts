/**
 * Owns: filtered hits that become what they are, views and events, as if they had been counted when they came.
 * Not: which hits those are (criteria.ts), or making their days anew (past/work.ts).
 *
 * A hit comes into the log as history that is late: the worker adds it to the totals, its visitor's rows get their
 * facts anew, and its day is made anew. It is gone where a view of its visitor and path lies within the site's dedup
 * window, before or after it, or where its event was counted meanwhile: whoever would have seen both counted once.
 * Views of nobody have no window, and no history.
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { REMEMBERED_EVENT_IDS } from "../../../domain/limits.ts";
import { IN_NO_VISIT } from "../../../domain/rollups/visit.ts";
import { modeAt } from "../../../domain/visitor-modes.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { placeRows } from "../derivation.ts";
import { insertLate, placeLate } from "../events/restore.ts";
import type { LateEvent } from "../events/restore.ts";
import { idOfNobody, isIdOfBrowser, isIdOfNobody } from "../identity.ts";
import { markStale } from "../past/sealing.ts";
import { pathUnderRules } from "../pathRules.ts";
import { findSealing } from "../rollups/sealed.ts";
import type { Site } from "../sites.ts";
import { findVisitor } from "../visitors.ts";
import { wakeWorkerNow } from "../waking.ts";

type Filtered = Doc<"filteredHits">;
type View = Doc<"pageViews">;

type Late = { views: View[]; events: LateEvent[]; instants: number[] };

export type Outcome = { moved: number; duplicates: number; left: number };

/** A visitor's newest views whose events are looked through: more than a browser resends. */
const MAX_KNOWN_EVENTS = 100;

export async function restoreRows(
  ctx: MutationCtx,
  site: Site,
  rows: readonly Filtered[],
): Promise<Outcome> {
  const rowsSince = (await findSealing(ctx, site.slug))?.rowsSince ?? 0;
  const events = new Map<string, Set<string>>();
  const outcome: Outcome = { moved: 0, duplicates: 0, left: 0 };
  const late: Late = { views: [], events: [], instants: [] };
  for (const row of [...rows].sort((a, b) => a.timestamp - b.timestamp)) {
    const path = await pathToCount(ctx, site, row);
    if (path === null || row.isRemainder === true || row.timestamp < rowsSince) {
      outcome.left += row.hits ?? 1;
      continue;
    }
    outcome.left += (row.hits ?? 1) - 1;
    await takeOut(ctx, row);
    const hit = { ...row, path, sessionId: visitorOf(site, row) };
    const isTaken =
      row.event === undefined
        ? await takeView(ctx, site, { hit, late, events })
        : await takeEvent(ctx, site.slug, { hit, event: row.event, late });
    if (isTaken) outcome.moved += 1;
    else outcome.duplicates += 1;
  }
  if (outcome.moved > 0) await place(ctx, site, late);
  return outcome;
}

/** Of a host that was no site's, an id is kept as the browser sent it: where the site told nobody apart by it, it is nobody's. */
function visitorOf({ visitorModes }: Site, { sessionId, eventId, timestamp }: Filtered): string {
  const isOfBrowsers = modeAt(visitorModes, timestamp) === "browser";
  return isIdOfBrowser(sessionId) && !isOfBrowsers ? idOfNobody(eventId) : sessionId;
}

async function takeView(
  ctx: MutationCtx,
  site: Site,
  { hit, late, events }: { hit: Filtered; late: Late; events: Map<string, Set<string>> },
): Promise<boolean> {
  if (await isViewAlready(ctx, site, { hit, events })) return false;
  late.views.push(await insert(ctx, site.slug, hit));
  return true;
}

async function takeEvent(
  ctx: MutationCtx,
  site: string,
  { hit, event, late }: { hit: Filtered; event: NonNullable<Filtered["event"]>; late: Late },
): Promise<boolean> {
  const { sessionId, path, timestamp, eventId } = hit;
  const sent = { site, sessionId, path, timestamp, eventId, ...event };
  const changedAt = await insertLate(ctx, sent);
  if (changedAt === null) return false;
  late.events.push(sent);
  late.instants.push(...changedAt);
  return true;
}

/** Null where the hit would have been left out anyway: then that is its reason from now on. */
async function pathToCount(ctx: MutationCtx, site: Site, row: Filtered): Promise<string | null> {
  const { path, isExcluded } = pathUnderRules(site, row);
  if (!isExcluded || row.reason === "excluded path") return path;
  await ctx.db.patch("filteredHits", row._id, { reason: "excluded path" });
  return null;
}

/** Of many hits that one row stands for, one is kept; the others stay as their number. */
async function takeOut(ctx: MutationCtx, row: Filtered): Promise<void> {
  const others = (row.hits ?? 1) - 1;
  if (others === 0) await ctx.db.delete("filteredHits", row._id);
  else await ctx.db.patch("filteredHits", row._id, { hits: others, isRemainder: true });
}

async function isViewAlready(
  ctx: QueryCtx,
  { slug, dedupWindowMs }: Site,
  { hit, events }: { hit: Filtered; events: Map<string, Set<string>> },
): Promise<boolean> {
  const { sessionId, path, eventId, timestamp } = hit;
  if (eventId !== undefined) {
    const known = events.get(sessionId) ?? (await knownEvents(ctx, slug, sessionId));
    events.set(sessionId, known);
    if (known.has(eventId)) return true;
    known.add(eventId);
  }
  if (dedupWindowMs === 0 || isIdOfNobody(sessionId)) return false;
  const near = await ctx.db
    .query("pageViews")
    .withIndex("by_session_path", (q) =>
      q
        .eq("sessionId", sessionId)
        .eq("path", path)
        .eq("site", slug)
        .gt("timestamp", timestamp - dedupWindowMs)
        .lt("timestamp", timestamp + dedupWindowMs),
    )
    .first();
  return near !== null;
}

/** Not those that the visitor's row remembers: among them are events of views that were withdrawn. */
async function knownEvents(ctx: QueryCtx, site: string, sessionId: string): Promise<Set<string>> {
  const views = await ctx.db
    .query("pageViews")
    .withIndex("by_session_time", (q) => q.eq("site", site).eq("sessionId", sessionId))
    .order("desc")
    .take(MAX_KNOWN_EVENTS);
  return new Set(views.flatMap(({ eventId }) => eventId ?? []));
}

async function insert(ctx: MutationCtx, site: string, hit: Filtered): Promise<View> {
  const { path, pageType, sessionId, timestamp, eventId, title, dimensions } = hit;
  const id = await ctx.db.insert("pageViews", {
    ...{ site, path, pageType, sessionId, timestamp, eventId, title, dimensions },
    commitTs: ctx.db.vars.commitTs,
    backfilled: true,
    ...(isIdOfNobody(sessionId) ? { visitSequence: IN_NO_VISIT } : {}),
  });
  const view = await ctx.db.get("pageViews", id);
  if (view === null) throw new Error(`View ${id} is gone right after its insert.`);
  return view;
}

async function place(ctx: MutationCtx, site: Site, late: Late): Promise<void> {
  const { slug, timeZone } = site;
  const views = late.views.filter(({ sessionId }) => !isIdOfNobody(sessionId));
  const instants = [...late.instants, ...late.views.map(({ timestamp }) => timestamp)];
  instants.push(...(await placeRows(ctx, slug, views)));
  instants.push(...(await placeLate(ctx, slug, late.events)));
  await markStale(ctx, slug, { instants, calendar: calendarOf(timeZone) });
  for (const sessionId of new Set(views.map((view) => view.sessionId))) {
    await rememberEvents(
      ctx,
      slug,
      views.filter((view) => view.sessionId === sessionId),
    );
  }
  await wakeWorkerNow(ctx, slug, Date.now());
}

/** Sent again, a hit stays a duplicate; events that are more recent push those of restored ones out. */
async function rememberEvents(
  ctx: MutationCtx,
  site: string,
  views: readonly View[],
): Promise<void> {
  const [first] = views;
  const restored = views.flatMap(({ eventId }) => eventId ?? []);
  if (first === undefined || restored.length === 0) return;
  const visitor = await findVisitor(ctx, site, first.sessionId);
  if (visitor === null) return;
  const recentEventIds = [...restored, ...visitor.recentEventIds].slice(-REMEMBERED_EVENT_IDS);
  await ctx.db.patch("visitors", visitor._id, { recentEventIds });
}
