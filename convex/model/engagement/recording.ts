/**
 * Owns: what becomes of a report of a view's engagement, and the one row that it writes.
 * Not: the sums, which are the worker's (roll.ts), or which figures can be (domain/engagement/reported.ts).
 *
 * It writes nothing that another visitor reads, and nothing of its own visitor: no visit gets longer and nobody comes
 * online by it. A report of no view that counted is left, and nothing of it is kept: the view itself is kept with
 * its reason, where there was one.
 */
import {
  acceptReported,
  engagedWithin,
  highest,
  packReported,
  unpackReported,
} from "../../../domain/engagement/reported.ts";
import type { Reported } from "../../../domain/engagement/reported.ts";
import { REMEMBERED_EVENT_IDS } from "../../../domain/limits.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { acceptId, acceptSessionId } from "../arguments.ts";
import { isBotRequest } from "../bots.ts";
import { identify, idOfNobody } from "../identity.ts";
import { mayReport } from "../limits.ts";
import { countedPath } from "../pathRules.ts";
import { routeHit } from "../routing.ts";
import type { Origin } from "../routing.ts";
import { wakeWorker } from "../waking.ts";
import type { EngagementRow } from "./log.ts";
import type { EngagementOutcome } from "./shapes.ts";
import { findReportedView } from "./views.ts";

type Said = Parameters<typeof acceptReported>[0];

/** What a view had reported, what each further load of its page has added, and the last claim that could not be. */
type State = { reported: Reported | null; loads: Loads; sequence: number; clamped?: Load };
type Load = { viewId: string; engagedMs: number };
type Loads = readonly Load[];

const UNREPORTED: Reported = { engagedMs: 0, scrollPercent: 0, vitals: {} };

export async function recordEngagement(
  ctx: MutationCtx,
  args: Origin & Said & { sessionId: string; path: string; viewId: string; isPrivate?: boolean },
): Promise<EngagementOutcome> {
  const sessionId = acceptSessionId(args.sessionId);
  const viewId = acceptId("viewId", args.viewId);
  const routed = await routeHit(ctx, args);
  if (!routed.isKnown) return { outcome: "filtered", reason: "unknown site" };
  if (await isBotRequest(ctx)) return { outcome: "filtered", reason: "bot" };
  const { slug } = routed.site;
  const path = countedPath(routed.site, args);
  if (path === null) return { outcome: "filtered", reason: "excluded path" };
  const { isPrivate } = args;
  const visitorId = await identify(ctx, routed.site, { sessionId, isPrivate, eventId: viewId });
  const known = { sessionId: visitorId ?? idOfNobody(viewId), path, viewId };
  const view = await findReportedView(ctx, slug, known);
  if (view === null) return { outcome: "filtered", reason: "unknown view" };
  const now = Date.now();
  const before = stateOf(await readNewest(ctx, view));
  const after = raise(before, acceptReported(args), { view, viewId, now });
  if (after === null) return { outcome: "duplicate" };
  if (!mayReport(before.sequence, view, now)) return { outcome: "filtered", reason: "rate limit" };
  await ctx.db.insert("engagements", {
    ...{ site: slug, view: view._id, path: view.path, viewAt: view.timestamp },
    commitTs: ctx.db.vars.commitTs,
    ...after,
  });
  await wakeWorker(ctx, slug, now);
  return { outcome: "counted" };
}

async function readNewest(ctx: QueryCtx, view: Doc<"pageViews">): Promise<EngagementRow | null> {
  return await ctx.db
    .query("engagements")
    .withIndex("by_view", (q) => q.eq("view", view._id))
    .order("desc")
    .first();
}

function stateOf(row: EngagementRow | null): State {
  if (row === null) return { reported: null, loads: [], sequence: 0 };
  const { after, loads = [], sequence, clamped } = row;
  return { reported: unpackReported(after), loads, sequence, ...(clamped && { clamped }) };
}

/** What the view has reported with this; null when it says nothing new. */
function raise(
  { reported, loads, sequence, clamped }: State,
  said: Reported,
  { view, viewId, now }: { view: Doc<"pageViews">; viewId: string; now: number },
): Pick<EngagementRow, "before" | "after" | "loads" | "clamped" | "sequence"> | null {
  const before = reported ?? UNREPORTED;
  const isRepeat = view.eventId !== viewId;
  const ofLoad = engagedBy(before, loads, isRepeat ? viewId : null);
  if (isRepeat && ofLoad === null && loads.length >= REMEMBERED_EVENT_IDS) return null;
  // A claim that could not be is no truer when it comes again: else each resend would count what has passed meanwhile.
  const isAgain = clamped?.viewId === viewId && clamped.engagedMs === said.engagedMs;
  const claimed = isAgain ? 0 : said.engagedMs;
  // What the other loads have, and of this one the highest that it said, within what can be.
  const total = before.engagedMs - (ofLoad ?? 0) + Math.max(ofLoad ?? 0, claimed);
  const within = engagedWithin(total, now - view.timestamp);
  const engagedMs = Math.max(before.engagedMs, within);
  const packed = packReported({ ...highest(before, said), engagedMs });
  if (reported !== null && packed === packReported(reported)) return null;
  const added = (ofLoad ?? 0) + engagedMs - before.engagedMs;
  const remembered = total > engagedMs ? { viewId, engagedMs: claimed } : clamped;
  return {
    ...(reported === null ? {} : { before: packReported(reported) }),
    after: packed,
    sequence: sequence + 1,
    ...loadsWith(loads, isRepeat ? { viewId, engagedMs: added } : null),
    ...(remembered === undefined ? {} : { clamped: remembered }),
  };
}

/** Of the engaged time that which a load has added; of the view's own, for which null stands, what the others have not. Null for a load that has not reported. */
function engagedBy({ engagedMs }: Reported, loads: Loads, viewId: string | null): number | null {
  if (viewId !== null) return loads.find((load) => load.viewId === viewId)?.engagedMs ?? null;
  return loads.reduce((own, load) => own - load.engagedMs, engagedMs);
}

function loadsWith(loads: Loads, changed: Load | null): { loads?: Load[] } {
  const others = loads.filter(({ viewId }) => viewId !== changed?.viewId);
  const all = changed === null ? [...loads] : [...others, changed];
  return all.length === 0 ? {} : { loads: all };
}
