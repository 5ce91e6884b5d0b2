/** Owns: the shapes of what the doors take and give back, as validators; types are inferred from them. Not: tables (schema.ts). */
import { v } from "convex/values";
import type { Infer } from "convex/values";
import { BOT_KINDS } from "../../domain/bots.ts";
import { VISITORS_ARE } from "../../domain/visitor-modes.ts";
import { contentKind, filterReason, quarantinedTable } from "../schema.ts";
import type { hitCriteria } from "../schema.ts";

export type FilterReason = Infer<typeof filterReason>;
export type HitCriteria = Infer<typeof hitCriteria>;

/** What became of a hit: a view or an event; or a beat or leave, which counts when it changed who is online where. */
export const viewOutcome = v.union(
  v.object({ outcome: v.literal("counted") }),
  v.object({ outcome: v.literal("duplicate") }),
  v.object({ outcome: v.literal("filtered"), reason: filterReason }),
);
export type ViewOutcome = Infer<typeof viewOutcome>;

/** Whose a hit is: the site that it names, else that of the host. Both are left out where there is one site. */
export const origin = { site: v.optional(v.string()), host: v.optional(v.string()) };

/** True: the reader asks not to be tracked, by Do Not Track or Global Privacy Control. The view counts as one of nobody. */
const isPrivate = v.optional(v.boolean());

/** What a page says of a view. Of the optional ones domain/dimensions/view.ts says what each is, and nothing of them is kept as it came. */
export const viewFields = {
  path: v.string(),
  pageType: v.string(),
  sessionId: v.string(),
  ...origin,
  title: v.optional(v.string()),
  eventId: v.optional(v.string()),
  referrer: v.optional(v.string()),
  query: v.optional(v.string()),
  screenWidth: v.optional(v.number()),
  language: v.optional(v.string()),
  timeZone: v.optional(v.string()),
  isPrivate,
};

const eventValue = v.union(v.string(), v.number(), v.boolean());

/** What a page says of a custom event (domain/events.ts says what is kept of it). */
export const eventFields = {
  sessionId: v.string(),
  path: v.string(),
  name: v.string(),
  /** By key; or as a list, because a field's name in Convex is ASCII and a property's key may be any text. */
  properties: v.optional(
    v.union(
      v.record(v.string(), eventValue),
      v.array(v.object({ key: v.string(), value: eventValue })),
    ),
  ),
  /** Whether a person did something: then it ends a bounce and extends the visit. True, except of "404", when left out. */
  isInteractive: v.optional(v.boolean()),
  ...origin,
  eventId: v.optional(v.string()),
  isPrivate,
};

export const beatFields = { sessionId: v.string(), currentPath: v.string(), ...origin, isPrivate };

export const leaveFields = {
  sessionId: v.string(),
  path: v.optional(v.string()),
  eventId: v.optional(v.string()),
  ...origin,
  isPrivate,
};

/** domain/visitor-modes.ts says what each means. */
export const visitorsAre = v.union(...VISITORS_ARE.map((label) => v.literal(label)));

export const freshness = v.union(v.literal("instant"), v.literal("settled"));

export const viewCount = v.object({ views: v.number(), isExact: v.boolean() });
export type ViewCount = Infer<typeof viewCount>;

export const pageStat = v.object({
  path: v.string(),
  /** The title of the content that is shown there, else the last that a view brought, else the path. */
  title: v.string(),
  pageType: v.string(),
  views: v.number(),
});
export type PageStat = Infer<typeof pageStat>;

export const backfillState = v.union(
  v.literal("running"),
  v.literal("done"),
  v.literal("failed"),
  v.literal("cancelled"),
);

export const backfillStatus = v.object({
  state: backfillState,
  /** Rows done since the job started. */
  counted: v.number(),
  /** Rows left: exact while few are left, else a lower bound. */
  remainingAtLeast: v.number(),
  startedAt: v.number(),
  finishedAt: v.union(v.number(), v.null()),
  ratePerSecond: v.number(),
  /** Null while it cannot be told. */
  etaMs: v.union(v.number(), v.null()),
  /** Share of the rows that is done, 0..1; estimated by time while too many are left to count them. */
  doneRatio: v.number(),
});
export type BackfillStatus = Infer<typeof backfillStatus>;

/** A re-roll or a proof, as an operator sees it. */
export const pastJob = v.object({
  state: backfillState,
  daysDone: v.number(),
  daysLeft: v.number(),
  startedAt: v.number(),
  finishedAt: v.union(v.number(), v.null()),
  daysPerSecond: v.number(),
  /** Null while it cannot be told. */
  etaMs: v.union(v.number(), v.null()),
  error: v.union(v.string(), v.null()),
});
export type PastJob = Infer<typeof pastJob>;

/** How far the worker is behind. */
export const workerState = v.object({
  /** Epoch ms of the run that is scheduled; null while idle. */
  dueAt: v.union(v.number(), v.null()),
  /** By how much that run is late. */
  lagMs: v.number(),
  /** When the headline was last counted, and the roll-ups; how many settled views these lack. */
  settledAt: v.union(v.number(), v.null()),
  rolledAt: v.union(v.number(), v.null()),
  unrolledViews: v.number(),
});
export type WorkerState = Infer<typeof workerState>;

/** The machine itself: what it does, when its numbers were last proved. */
export const health = v.object({
  /** Days that end by this are sealed, and summed for countViews. */
  sealedUntil: v.union(v.number(), v.null()),
  lastCheck: v.union(
    v.object({
      /** Local days, both included. */
      from: v.string(),
      to: v.string(),
      finishedAt: v.number(),
      days: v.number(),
      rows: v.number(),
      /** Figures that were not what the log says. */
      drift: v.number(),
      found: v.array(v.string()),
      isRepair: v.boolean(),
    }),
    v.null(),
  ),
  reroll: v.union(pastJob, v.null()),
  proof: v.union(pastJob, v.null()),
  /** Rows that could not be counted, up to 100. */
  quarantined: v.number(),
});
export type Health = Infer<typeof health>;

export const quarantinedRow = v.object({
  id: v.id("quarantine"),
  table: quarantinedTable,
  /** The row as JSON text, as it was. */
  row: v.string(),
  error: v.string(),
  quarantinedAt: v.number(),
});
export type QuarantinedRow = Infer<typeof quarantinedRow>;

const headline = {
  /** Null on a site that counts views only: nobody is told apart there. */
  activeVisitors: v.union(v.number(), v.null()),
  totalPageViews: v.number(),
  /** Null when it always did. */
  uniqueVisitors: v.union(v.number(), v.null()),
  /** What `uniqueVisitors` is, over all time. */
  visitorsAre,
  publishedPosts: v.number(),
  publishedPages: v.number(),
  /** Epoch ms of the first view; null before it. */
  trackingSince: v.union(v.number(), v.null()),
  viewsToday: v.number(),
  minutes: v.array(v.object({ startedAt: v.number(), views: v.number() })),
  /** True when more is unsettled than one query may add up: the numbers are lower bounds. */
  atLeast: v.boolean(),
  settledAt: v.union(v.number(), v.null()),
  site: v.object({ slug: v.string(), name: v.string(), timeZone: v.string() }),
  backfill: v.union(backfillStatus, v.null()),
};
export const headlineResult = v.object(headline);
export type HeadlineResult = Infer<typeof headlineResult>;

const panels = {
  activeByPath: v.array(v.object({ path: v.string(), count: v.number() })),
  activePathsTotal: v.number(),
  pageStats: v.array(pageStat),
  pagesTotal: v.number(),
  /** As above. */
  atLeast: v.boolean(),
};
export const panelsResult = v.object(panels);
export type PanelsResult = Infer<typeof panelsResult>;

export const statsResult = v.object({ ...panels, ...headline });
export type StatsResult = Infer<typeof statsResult>;

export const postSummary = v.object({
  slug: v.string(),
  path: v.string(),
  title: v.string(),
  description: v.string(),
  /** ISO day, e.g. 2026-11-30. */
  date: v.string(),
  readMinutes: v.number(),
});
export const pageSummary = v.object({
  slug: v.string(),
  path: v.string(),
  title: v.string(),
  description: v.string(),
});

/** A post as `content:sync` takes it. `path` is where the site shows it: statistics of that path carry its title. */
export const postInput = v.object({
  ...postSummary.fields,
  readMinutes: v.optional(v.number()),
  published: v.optional(v.boolean()),
  body: v.string(),
});
export type PostInput = Infer<typeof postInput>;

/** A page as `content:sync` takes it; its place in the list is its order. */
export const pageInput = v.object({
  ...pageSummary.fields,
  published: v.optional(v.boolean()),
  body: v.string(),
});
export type PageInput = Infer<typeof pageInput>;

export const contentDocument = v.object({
  kind: contentKind,
  slug: v.string(),
  path: v.string(),
  title: v.string(),
  description: v.string(),
  /** ISO day of a post; null for a page. */
  date: v.union(v.string(), v.null()),
  readMinutes: v.number(),
  /** Markdown. */
  body: v.string(),
});
export type ContentDocument = Infer<typeof contentDocument>;

export const botKind = v.union(...BOT_KINDS.map((kind) => v.literal(kind)));

/** Hits of the last 30 days that were not counted. */
export const filteredCount = v.object({
  count: v.number(),
  /** True when there are more. */
  atLeast: v.boolean(),
  newestAt: v.union(v.number(), v.null()),
  /** By reason, and bots by their kind; the most hits first. */
  reasons: v.array(
    v.object({ reason: filterReason, kind: v.union(botKind, v.null()), hits: v.number() }),
  ),
});
export type FilteredCount = Infer<typeof filteredCount>;

/** A host that hits of the last 30 days came from and that is no site's, or not that of the site that they named. */
export const unknownHost = v.object({
  /** "" when the hits said none. */
  host: v.string(),
  /** The site that the hits named; null when they named none. */
  named: v.union(v.string(), v.null()),
  hits: v.number(),
  /** False when there are more, or when of many hits only a sample was kept. */
  isExact: v.boolean(),
  newestAt: v.number(),
  /** What makes them count from then on. */
  command: v.string(),
});
export type UnknownHost = Infer<typeof unknownHost>;

/** What `content:sync` did. */
export const contentSynced = v.object({
  written: v.number(),
  removed: v.number(),
  unchanged: v.number(),
  publishedPosts: v.number(),
  publishedPages: v.number(),
});
export type ContentSynced = Infer<typeof contentSynced>;
