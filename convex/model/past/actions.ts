/**
 * Owns: a visitor's views and interactive events as one run in time order, and what is known of them right before it.
 * Not: the facts of each (lineage.ts).
 */
import { packValues, unpackValues } from "../../../domain/dimensions/packed.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { QueryCtx } from "../../_generated/server.js";

type View = Doc<"pageViews">;
type Event = Doc<"events">;

/** Of two rows of one moment the one that was written first comes first, and a view before an event. */
export type Action = { kind: "view"; row: View } | { kind: "event"; row: Event };

/** Whose rows, from which moment on. */
export type Run = { site: string; sessionId: string; from: number };

/** What is known of a visitor right before a row. */
export type Before = {
  /** When and where the last view was; the time is missing where retention removed it. */
  timestamp: number | undefined;
  path: string;
  visitSequence: number | undefined;
  dimensions: string | undefined;
  /** When the visit's last interactive event was, where it came after that view. */
  lastEventAt: number | undefined;
};

/** Null: nothing is known of the visitor before. */
export async function readBefore(ctx: QueryCtx, run: Run): Promise<Before | null> {
  const view = await readLastView(ctx, run);
  const event = await readLastEvent(ctx, run, view);
  const before = view === null ? null : afterView(view, view);
  return event === null ? before : afterEvent(before, event, event);
}

export function afterView(
  { timestamp, path }: View,
  { visitSequence, dimensions }: Pick<View, "visitSequence" | "dimensions">,
): Before {
  return { timestamp, path, visitSequence, dimensions, lastEventAt: undefined };
}

/** An event that is in no visit changes nothing. */
export function afterEvent(
  before: Before | null,
  { timestamp }: Event,
  {
    visitSequence,
    previousPath,
    dimensions,
  }: Pick<Event, "visitSequence" | "previousPath" | "dimensions">,
): Before | null {
  if (visitSequence === undefined) return before;
  const path = before?.path ?? previousPath ?? "";
  const lastView = { timestamp: before?.timestamp, path };
  return { ...lastView, visitSequence, dimensions, lastEventAt: timestamp };
}

/** The open visit's values without the host, which is each view's own. */
export function valuesOfVisit(dimensions: string | undefined): string | undefined {
  return packValues({ ...unpackValues(dimensions ?? ""), host: "" }) || undefined;
}

/** What a visitor's row says after their last row; nothing where retention has removed the last view: then it knows best when that was. */
export function visitorAfter({ timestamp, path, visitSequence, dimensions, lastEventAt }: Before) {
  if (timestamp === undefined) return {};
  const ofVisit = { visitSequence, dimensions: valuesOfVisit(dimensions), lastEventAt };
  return { lastSeenAt: timestamp, lastPath: path, ...ofVisit };
}

/** Both logs, each row in its place. */
export async function* actionsFrom(ctx: QueryCtx, run: Run): AsyncGenerator<Action> {
  const views = viewsFrom(ctx, run)[Symbol.asyncIterator]();
  const events = eventsFrom(ctx, run)[Symbol.asyncIterator]();
  let view = await nextOf(views);
  let event = await nextInteractive(events);
  while (view !== null || event !== null) {
    if (view !== null && (event === null || isFirst(view, event))) {
      yield { kind: "view", row: view };
      view = await nextOf(views);
    } else if (event !== null) {
      yield { kind: "event", row: event };
      event = await nextInteractive(events);
    }
  }
}

export function viewsFrom(ctx: QueryCtx, { site, sessionId, from }: Run) {
  return ctx.db
    .query("pageViews")
    .withIndex("by_session_time", (q) =>
      q.eq("site", site).eq("sessionId", sessionId).gte("timestamp", from),
    );
}

function eventsFrom(ctx: QueryCtx, { site, sessionId, from }: Run) {
  return ctx.db
    .query("events")
    .withIndex("by_session_time", (q) =>
      q.eq("site", site).eq("sessionId", sessionId).gte("timestamp", from),
    );
}

async function nextOf<T>(rows: AsyncIterator<T>): Promise<T | null> {
  const next = await rows.next();
  return next.done === true ? null : next.value;
}

async function nextInteractive(events: AsyncIterator<Event>): Promise<Event | null> {
  let event = await nextOf(events);
  while (event?.isPassive === true) event = await nextOf(events);
  return event;
}

function isFirst(view: View, event: Event): boolean {
  if (view.timestamp !== event.timestamp) return view.timestamp < event.timestamp;
  return view._creationTime <= event._creationTime;
}

async function readLastView(ctx: QueryCtx, { site, sessionId, from }: Run): Promise<View | null> {
  return await ctx.db
    .query("pageViews")
    .withIndex("by_session_time", (q) =>
      q.eq("site", site).eq("sessionId", sessionId).gte("timestamp", 0).lt("timestamp", from),
    )
    .order("desc")
    .first();
}

/** The last event after `view` that is in its visit. */
async function readLastEvent(
  ctx: QueryCtx,
  { site, sessionId, from }: Run,
  view: View | null,
): Promise<Event | null> {
  const newest = ctx.db
    .query("events")
    .withIndex("by_session_time", (q) =>
      q
        .eq("site", site)
        .eq("sessionId", sessionId)
        .gte("timestamp", view?.timestamp ?? 0)
        .lt("timestamp", from),
    )
    .order("desc");
  for await (const event of newest) {
    if (view !== null && !isFirst(view, event)) return null;
    if (event.visitSequence !== undefined) return event;
  }
  return null;
}
