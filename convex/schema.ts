/* Longer than 300 lines because a schema is one value, and every table says in it who writes, reads and removes its rows. */
/**
 * Owns: which tables exist, and over each: who writes, reads and removes its rows, and why each index is there.
 * Not: the rules (model/).
 *
 * `site` is a site's slug. Fields that the original design does not have are optional on its tables
 * (`pageViews`, `activeSessions`), so that rows of a site that already runs it stay valid; a row without `site`
 * is such an old row and belongs to the default site.
 *
 * Removing a site (model/removal.ts) removes its rows from every table that has rows of sites (model/siteTables.ts);
 * "removed by" says what else does.
 */
import { defineSchema, defineTable } from "convex/server";
import { v } from "convex/values";
import { BOT_KINDS } from "../domain/bots.ts";
import { DIMENSION_GROUPS } from "../domain/rollups/dimension.ts";
import { ACCESS_MODES } from "../domain/access.ts";
import { VISITOR_MODES } from "../domain/visitor-modes.ts";
import { FILTER_DIMENSIONS, FILTER_OPERATORS } from "../domain/filters/filter.ts";

/** Why a hit is not counted. */
export const filterReason = v.union(
  /** Sent by a program that says so. */
  v.literal("bot"),
  /** From a host that no site names. */
  v.literal("unknown site"),
  /** Of a path that its site leaves out. */
  v.literal("excluded path"),
  /** From a host, or by a link from one, that its site blocks. */
  v.literal("blocked host"),
  v.literal("blocked referrer"),
  /** Loaded ahead of a click that may never come. */
  v.literal("prefetch"),
  /** With a user agent that no browser has. */
  v.literal("no browser"),
  /** One of too many of a visitor, or by too many new visitors of one address. */
  v.literal("rate limit"),
  /** Past the views that its site counts in a day. */
  v.literal("daily cap"),
);

/** The logs of the worker: a row of one that cannot be counted is put aside. */
export const quarantinedTable = v.union(
  v.literal("pageViews"),
  v.literal("presenceLog"),
  v.literal("events"),
  v.literal("engagements"),
);
/** Somebody came to a page, moved on to it, or went from it. What is said of them is what the reports say of all. */
export const movement = v.object({
  /** Epoch ms by the server's clock; of somebody who timed out, when that was noticed. */
  at: v.number(),
  kind: v.union(v.literal("came"), v.literal("moved"), v.literal("went")),
  path: v.string(),
  /** Of one who moved: where from. */
  from: v.optional(v.string()),
  /** How many at once, where more than one. */
  sessions: v.optional(v.number()),
  /** Of one who came with a view, as reports name them; missing where unknown. */
  source: v.optional(v.string()),
  country: v.optional(v.string()),
  device: v.optional(v.string()),
});

/** Which hits an operator means; all that is given must fit (model/verdicts/criteria.ts). */
export const hitCriteria = v.object({
  reason: v.optional(filterReason),
  kind: v.optional(v.union(...BOT_KINDS.map((kind) => v.literal(kind)))),
  userAgent: v.optional(v.string()),
  path: v.optional(v.string()),
  host: v.optional(v.string()),
  referrer: v.optional(v.string()),
  browser: v.optional(v.string()),
  system: v.optional(v.string()),
  device: v.optional(v.string()),
  country: v.optional(v.string()),
  sessionId: v.optional(v.string()),
  /** Local days of the site, both included. */
  from: v.optional(v.string()),
  to: v.optional(v.string()),
});

export const contentKind = v.union(v.literal("post"), v.literal("page"));

export const jobKind = v.union(
  v.literal("backfill"),
  v.literal("reroll"),
  v.literal("proof"),
  v.literal("removal"),
);

/**
 * A call of the scheduler that a row announces, as its id. A string and not an id of that table: system tables are not
 * in a snapshot, so in the deployment that imports one, such an id would violate this schema.
 */
const scheduledCall = v.optional(v.string());

export const access = v.union(...ACCESS_MODES.map((mode) => v.literal(mode)));

export const visitorMode = v.union(...VISITOR_MODES.map((mode) => v.literal(mode)));

/** One condition of a filter of the statistics (domain/filters/filter.ts). */
export const condition = v.object({
  dimension: v.union(...FILTER_DIMENSIONS.map((dimension) => v.literal(dimension))),
  operator: v.union(...FILTER_OPERATORS.map((operator) => v.literal(operator))),
  values: v.array(v.string()),
});

/** A day of a filter that is being made from the log. */
export const filterTask = v.object({
  startsAt: v.number(),
  endsAt: v.number(),
  /** Rows of the log at or after this are left to the worker's runs. */
  until: v.number(),
  of: v.union(v.literal("views"), v.literal("events")),
  /** The timestamp through which rows are counted; null at the beginning. */
  after: v.union(v.number(), v.null()),
  /** commitTs through which live rows count; what was rolled up later is added as it comes. */
  upTo: v.int64(),
  eventsUpTo: v.int64(),
});

/** What a site makes of paths (domain/path-rules.ts). */
export const pathRules = v.object({
  keepQuery: v.array(v.string()),
  group: v.array(v.string()),
  exclude: v.array(v.string()),
});

/** One day at work: sealed, made anew, or only recounted; and how far that is. */
export const dayTask = v.object({
  purpose: v.union(v.literal("seal"), v.literal("reroll"), v.literal("prove")),
  startsAt: v.number(),
  endsAt: v.number(),
  phase: v.union(
    // Reading the day's rows into staged hours.
    v.literal("scan"),
    // The same with what the day's views reported.
    v.literal("engagement"),
    // Adding what was rolled up meanwhile; then putting the hours in place, or comparing them.
    v.literal("finish"),
    // The day's rows for the aggregates, a batch of paths at a time.
    v.literal("publish"),
    // The month, some days at a time.
    v.literal("month"),
  ),
  /** Where the phase goes on: a page of rows, a path, or nothing at its beginning. */
  cursor: v.union(v.string(), v.null()),
  /** commitTs through which live rows are in the staged hours; the same of `events`, read after the views, and of `engagements`. */
  upTo: v.int64(),
  eventsUpTo: v.optional(v.int64()),
  isAtEvents: v.optional(v.boolean()),
  engagedUpTo: v.optional(v.int64()),
  rows: v.number(),
  isForced: v.boolean(),
});

/** A proof or repair under way. */
export const proofTask = v.object({
  isRepair: v.boolean(),
  from: v.string(),
  to: v.string(),
  /** The next day that is recounted, and the end. */
  next: v.number(),
  until: v.number(),
  phase: v.union(v.literal("days"), v.literal("totals"), v.literal("paths")),
  /** The last path that was compared. */
  cursor: v.union(v.string(), v.null()),
  pages: v.number(),
  days: v.number(),
  rows: v.number(),
  drift: v.number(),
  found: v.array(v.string()),
});

export default defineSchema({
  // A site. Written by: operator (sites:add, sites:set, sites:ensureDefault), the worker's first run. Read by:
  // everything; no view ever writes it. Removed by: site deletion, with the last of its rows.
  sites: defineTable({
    slug: v.string(),
    name: v.string(),
    /** IANA name; buckets are local hours and days of it. */
    timeZone: v.string(),
    /** Overrides DEDUP_WINDOW_MS; 0 counts every view. */
    dedupWindowMs: v.optional(v.number()),
    /**
     * Hosts that are this site, in their one form (domain/dimensions/host.ts): a hit that names the site comes from one
     * of them or is filtered, and a referrer from one of them is internal. None: hits may come from anywhere.
     */
    hosts: v.optional(v.array(v.string())),
    /** Of the default site alone: whether a hit is its when it names no site and its host is no site's. True when missing; false once a site has hosts. */
    takesUnknownHosts: v.optional(v.boolean()),
    /** The header in which the CDN in front states a visitor's country, of COUNTRY_HEADERS; none is believed when missing. */
    countryHeader: v.optional(v.string()),
    /** Days for which raw rows are kept; DEFAULT_RETENTION_DAYS when missing. */
    retentionDays: v.optional(v.number()),
    pathRules: v.optional(pathRules),
    /** Each change of whom it counts as one visitor, the oldest first (domain/visitor-modes.ts): what a figure of the past is called follows from all of them. */
    visitorModes: v.optional(v.array(v.object({ since: v.number(), mode: visitorMode }))),
    /** Who may read its statistics; everybody when missing. */
    access: v.optional(access),
    /** Hosts of pages, and of links to them, from which nothing is counted; `*` stands for any run of characters. */
    blockedHosts: v.optional(v.array(v.string())),
    blockedReferrers: v.optional(v.array(v.string())),
    /** Views of a local day that are counted at most; no limit when missing. */
    dailyCap: v.optional(v.number()),
    /** Whether GET /badge/<slug>.svg shows its numbers; not when missing. */
    badge: v.optional(v.boolean()),
    /** Set while the site is being removed: it takes no hit and answers no question. */
    removingSince: v.optional(v.number()),
  })
    // Finds a site by the name that callers use.
    .index("by_slug", ["slug"]),

  // Which site a host belongs to: what `hosts` of the sites say, so that one read finds it. Written by: operator
  // (sites:add, sites:set). Read by: hits that name no site. Removed by: operator, site deletion.
  siteHosts: defineTable({ host: v.string(), site: v.string() })
    // Finds a host's site.
    .index("by_host", ["host"])
    // A site's, when they change or go.
    .index("by_site", ["site"]),

  // A key with which a server sends hits of a site, or a token with which somebody reads its statistics. Written by:
  // operator (keys:create, tokens:create). Read by: POST /v1/events, readers of a site that wants a token, operators.
  // Removed by: operator (keys:revoke, tokens:revoke), site deletion.
  apiKeys: defineTable({
    site: v.string(),
    /** The part of the key that is no secret: finds the row. */
    keyId: v.string(),
    /** SHA-256 of the part that is, in hex. */
    secretHash: v.string(),
    name: v.string(),
    createdAt: v.number(),
    /** What it opens; missing on one that sends. */
    opens: v.optional(v.literal("reading")),
    /** Of a token: from then on it opens nothing. */
    expiresAt: v.optional(v.number()),
    /** Of a token that wants one (model/passwords.ts): alone it opens nothing, and with it another that does. */
    password: v.optional(v.string()),
    /** Of a token that shows one segment alone: the segment's name. */
    segment: v.optional(v.string()),
  })
    // Finds a key.
    .index("by_keyId", ["keyId"])
    // Lists a site's.
    .index("by_site", ["site"]),

  // A token that somebody got for a token and its password. Written by: tokens:unlock. Read by: readers of a site that
  // wants a token. Removed by: tokens:unlock, when it is over or there are many; operator (tokens:revoke, of the token
  // that it was got for); site deletion.
  unlockedTokens: defineTable({
    site: v.string(),
    keyId: v.string(),
    secretHash: v.string(),
    /** The id of the token that it was got for. */
    gotFor: v.string(),
    expiresAt: v.number(),
  })
    // Finds one.
    .index("by_keyId", ["keyId"])
    // Those of a token, the first that end first.
    .index("by_gotFor", ["gotFor", "expiresAt"])
    // A site's, when it goes.
    .index("by_site", ["site"]),

  // A line that an operator wrote beside the numbers of a day or a moment. Written by: operator (annotations:add). Read
  // by: reports:annotations, operators. Removed by: operator (annotations:remove), site deletion.
  annotations: defineTable({
    site: v.string(),
    /** Epoch ms; of a day how it began when it was written. */
    at: v.number(),
    /** The local day, where no time was said. */
    day: v.optional(v.string()),
    text: v.string(),
  })
    // A site's, in the order of time.
    .index("by_site_at", ["site", "at"]),

  // The secret of a UTC day, with which addresses become the ids of daily visitors, and the keys of limits. Written by: an
  // action, a day ahead, or when a hit finds none. Read by: hits of sites that count by day, and those that are limited by
  // address. Removed by: an hourly cron, once the day after it is over; then nobody can tell any more which address an id
  // or a key was of.
  salts: defineTable({
    /** When the UTC day begins, epoch ms. */
    startsAt: v.number(),
    /** Random, in hex. */
    salt: v.string(),
  })
    // Finds a day's, and those that have served their time.
    .index("by_startsAt", ["startsAt"]),

  // A counted view. Written by: recordPageView; the backfill and history that arrives late fill in gaps.
  // Read by: the worker, dedup, getStats (its unsettled tail). Removed by: retention.
  pageViews: defineTable({
    path: v.string(),
    pageType: v.string(),
    sessionId: v.string(),
    /** Epoch ms by the server's clock. */
    timestamp: v.number(),
    site: v.optional(v.string()),
    /** When the worker may count it; missing on rows of the original design until the backfill reaches them. */
    commitTs: v.optional(v.commitTs()),
    eventId: v.optional(v.string()),
    title: v.optional(v.string()),
    /** Gap: when this visitor's event before this one was; missing on their first. */
    visitorLastSeenAt: v.optional(v.number()),
    /** When the visit's last interactive event was, where it came after the view before. */
    lastEventAt: v.optional(v.number()),
    /** Gap: when this visitor's view of this path before this one was. */
    pathLastSeenAt: v.optional(v.number()),
    /** The path of this visitor's view before this one. */
    previousPath: v.optional(v.string()),
    /** 1 for the view that begins a visit; interactive events count on. 0 for a view of nobody, whose `sessionId` stands for itself (model/nobody.ts). Missing on rows of the original design until a re-roll derives it. */
    visitSequence: v.optional(v.number()),
    /** The visit's dimensions and the view's own, packed (domain/dimensions/packed.ts): every byte of a row is billed. */
    dimensions: v.optional(v.string()),
    /** True on a row that cannot be counted: it lies in `quarantine` and is in no number. */
    quarantined: v.optional(v.boolean()),
    /** True on the one row whose transaction created the visitor's row: all-time visitors are the sum of these, in whatever order history arrives. */
    createdVisitor: v.optional(v.boolean()),
    /** Where the session was online right before: true stands for `previousPath`, which is nearly always there; missing when it was not online. */
    movedFrom: v.optional(v.union(v.string(), v.literal(true))),
    /** True on rows that the backfill handed to the worker: they do not touch who is online. */
    backfilled: v.optional(v.boolean()),
  })
    // The worker walks a site's log in commit order; the tail of getStats; rows of the original design are the
    // range (no site, no commitTs), which `timestamp` puts in time order for the backfill.
    .index("by_site_commitTs", ["site", "commitTs", "timestamp"])
    // Dedup and the gap of a path: this visitor's newest view of this path. `site` comes late so that one range also
    // finds a row of the original design.
    .index("by_session_path", ["sessionId", "path", "site", "timestamp"])
    // The neighbours of a row that is put into a visitor's history after the fact.
    .index("by_session_time", ["site", "sessionId", "timestamp"])
    // A re-roll walks the rows of a day, whenever they were committed; retention takes the oldest.
    .index("by_site_time", ["site", "timestamp"]),

  // A custom event. Written by: recordEvent; history that arrives late changes its place in a visit. Read by: the worker,
  // re-roll, recordEvent. Removed by: retention.
  events: defineTable({
    site: v.string(),
    sessionId: v.string(),
    name: v.string(),
    /** The page that sent it. */
    path: v.string(),
    /** Epoch ms by the server's clock. */
    timestamp: v.number(),
    commitTs: v.commitTs(),
    eventId: v.optional(v.string()),
    /** Its properties as text (domain/events.ts); missing when there are none. */
    properties: v.optional(v.string()),
    /** True where nobody did anything: it is in no visit, and it is counted under its name alone. */
    isPassive: v.optional(v.boolean()),
    /** Gap: when this visitor's event of this name before this one was; missing on the first. */
    nameLastSeenAt: v.optional(v.number()),
    /** Its place in the visit that was open, at least 2; missing where none was, as the three below. */
    visitSequence: v.optional(v.number()),
    /** Gap: when the visit's view or interactive event before this one was. */
    lastActiveAt: v.optional(v.number()),
    /** The path of the visit's last view. */
    previousPath: v.optional(v.string()),
    /** The visit's dimensions, packed as those of a view; missing also where they are all unknown. */
    dimensions: v.optional(v.string()),
    /** True on a row that cannot be counted: it lies in `quarantine` and is in no number. */
    quarantined: v.optional(v.boolean()),
  })
    // The worker walks a site's events in commit order.
    .index("by_site_commitTs", ["site", "commitTs"])
    // A resend is recognised however late it comes.
    .index("by_session_event", ["site", "sessionId", "eventId"])
    // The gap of a name: this visitor's newest event of it.
    .index("by_session_name", ["site", "sessionId", "name", "timestamp"])
    // A visitor's events among their views, when views come into the history after the fact.
    .index("by_session_time", ["site", "sessionId", "timestamp"])
    // A re-roll walks the rows of a day; retention takes the oldest.
    .index("by_site_time", ["site", "timestamp"]),

  // A browser on a site. Written by: recordPageView, recordEvent (the open visit alone), backfill. Read by: the same.
  // Removed by: retention, counted from last seen.
  visitors: defineTable({
    site: v.string(),
    sessionId: v.string(),
    /** Epoch ms of the first and the last view. */
    firstSeenAt: v.number(),
    lastSeenAt: v.number(),
    /** Epoch ms of the open visit's last interactive event, where it came after that view. */
    lastEventAt: v.optional(v.number()),
    lastPath: v.string(),
    /** The open visit: the sequence of its last view or interactive event, and its dimensions as its first view brought them. */
    visitSequence: v.optional(v.number()),
    dimensions: v.optional(v.string()),
    /** Views and events that the rate limit leaves them after the last of them; all when missing (model/limits.ts). */
    hitsLeft: v.optional(v.number()),
    /** Newest last, at most REMEMBERED_EVENT_IDS: a resent event is recognised by it. */
    recentEventIds: v.array(v.string()),
  })
    // Finds a visitor.
    .index("by_sessionId", ["site", "sessionId"]),

  // A session that is online now. Written by: views, heartbeats. Read by: the same, the sweep, getStats (how many have
  // timed out). Removed by: leave, sweep.
  activeSessions: defineTable({
    sessionId: v.string(),
    currentPath: v.string(),
    /** Epoch ms of the last sign of life. */
    lastSeen: v.number(),
    site: v.optional(v.string()),
    /** The last view's event: a leave that names an older one comes from a page that is long gone. */
    eventId: v.optional(v.string()),
  })
    // Finds a session.
    .index("by_sessionId", ["site", "sessionId"])
    // The sweep walks those that have timed out, and finds the next deadline.
    .index("by_lastSeen", ["site", "lastSeen"]),

  // Sessions that moved, came or went without a view. Written by: heartbeats, leaves, duplicates that change the path,
  // the sweep. Read by: the worker, getStats (its unsettled tail). Removed by: the worker, once it is in `paths`.
  presenceLog: defineTable({
    site: v.string(),
    commitTs: v.commitTs(),
    /** Where they were; missing when they came. */
    from: v.optional(v.string()),
    /** Where they are; missing when they went. */
    to: v.optional(v.string()),
    /** How many made this move; missing when `left` says so. */
    sessions: v.optional(v.number()),
    /** Sessions that a sweep took offline: where they were, and how many there. One row, because each costs as much as many names. */
    left: v.optional(v.object({ paths: v.array(v.string()), sessions: v.array(v.number()) })),
  })
    // The worker walks it in commit order, once for the headline and once for the paths.
    .index("by_site_commitTs", ["site", "commitTs"]),

  // What a page reported of a counted view beyond what it had reported before: the log of engaged time, scroll depth and
  // Web Vitals. Written by: recordEngagement. Read by: the same (the view's newest), the worker, re-roll and proof.
  // Removed by: retention, with the views of its day.
  engagements: defineTable({
    site: v.string(),
    view: v.id("pageViews"),
    /** Of the view: they say in which roll-up this lies. */
    path: v.string(),
    viewAt: v.number(),
    /** 1 for the view's first report. */
    sequence: v.number(),
    commitTs: v.commitTs(),
    /** All that the view has reported by then, packed (domain/engagement/reported.ts); `before` is missing on the first. */
    before: v.optional(v.string()),
    after: v.string(),
    /** Loads of the page within the dedup window of its view, by their event ids: what each has added to the engaged time. */
    loads: v.optional(v.array(v.object({ viewId: v.string(), engagedMs: v.number() }))),
    /** The last engaged time that a load claimed though it could not be, by the clock: it is known when it comes again. */
    clamped: v.optional(v.object({ viewId: v.string(), engagedMs: v.number() })),
    /** True on a row that cannot be counted: it lies in `quarantine` and is in no number. */
    quarantined: v.optional(v.boolean()),
  })
    // The worker walks a site's log in commit order.
    .index("by_site_commitTs", ["site", "commitTs"])
    // The newest of a view: what it has reported so far.
    .index("by_view", ["view", "sequence"])
    // A re-roll walks the reports of the views of a day; retention takes the oldest.
    .index("by_site_viewAt", ["site", "viewAt"]),

  // Per site: how far its log is counted, and until when somebody watches. Written by: the worker, watch beats, the
  // sweep. Read by: the same, getStats (where the unsettled tail begins), the one view that wakes the worker.
  // Removed by: site deletion.
  workers: defineTable({
    site: v.string(),
    /** commitTs of the last log row that is counted; 0 before the first. */
    viewCursor: v.int64(),
    /** The same of `presenceLog`; missing before the first. */
    moveCursor: v.optional(v.int64()),
    /** commitTs of the last log row that is in the roll-ups and in `paths`, never past `viewCursor`; missing before the first. */
    rollupCursor: v.optional(v.int64()),
    /** commitTs of the last event that is in the roll-ups; missing before the first. */
    eventCursor: v.optional(v.int64()),
    /** Epoch ms of the last run that rolled up. */
    rolledAt: v.optional(v.number()),
    /** Views between the two cursors, and moves that are in the headline and still in `presenceLog`. */
    unrolledViews: v.optional(v.number()),
    unrolledMoves: v.optional(v.number()),
    /** At least so many events are not in the roll-ups; missing when the last run saw none. */
    unrolledEvents: v.optional(v.number()),
    /** True once somebody came or went while nobody watched: what `movements` has is older, and goes when the next is noted. */
    hasUnnoted: v.optional(v.boolean()),
    /** When a job rolls up what the last run left; missing when none is scheduled. */
    rollDueAt: v.optional(v.number()),
    rollRun: scheduledCall,
    /** commitTs of the last row of `engagements` that is in its roll-ups, and when a run last put some there; missing before the first. */
    engagementCursor: v.optional(v.int64()),
    engagementRolledAt: v.optional(v.number()),
    /** When a job puts there what the last run left; missing when none is scheduled. */
    engagementDueAt: v.optional(v.number()),
    /** Epoch ms. */
    lastRunAt: v.number(),
    watchedUntil: v.number(),
    /** Of a site with a daily cap: live views that were counted of its last days, by when each begins. */
    cappedDays: v.optional(v.array(v.object({ startsAt: v.number(), views: v.number() }))),
    /** When the next sweep is due; missing when none is scheduled. */
    sweepDueAt: v.optional(v.number()),
    sweepRun: scheduledCall,
    /** Until when what is rolled up is also held against the site's filters; missing where none was ever asked. */
    filtersUntil: v.optional(v.number()),
  })
    // Finds a site's worker.
    .index("by_site", ["site"]),

  // Per site: whether a worker run is due. A row of its own that changes only between idle and due, so that views do
  // not conflict with the worker's cursor. Written by: views (idle to due), the worker, watch beats. Read by: views.
  // Removed by: site deletion.
  wake: defineTable({
    site: v.string(),
    /** Epoch ms of the run that is scheduled; missing while idle. */
    dueAt: v.optional(v.number()),
    /** The run itself, so that one that will not come any more is told from one that is late. */
    run: scheduledCall,
  })
    // Finds a site's flag.
    .index("by_site", ["site"]),

  // Per site: the headline that /stats subscribes to. Written by: the worker alone. Read by: getStats. Removed by: site
  // deletion.
  live: defineTable({
    site: v.string(),
    totalViews: v.number(),
    uniqueVisitors: v.number(),
    online: v.number(),
    /** The site's local day, [startsAt, endsAt) in epoch ms. */
    today: v.object({ startsAt: v.number(), endsAt: v.number(), views: v.number() }),
    /** The last LISTED_MINUTES minutes, the newest, which begins at `newestAt`, last; packed (domain/counts.ts). */
    minutes: v.object({ newestAt: v.number(), views: v.string() }),
    /** The five minutes under way (domain/online/slots.ts): the most online so far, and what `onlineDays` has of it. */
    slot: v.optional(v.object({ startsAt: v.number(), most: v.number(), kept: v.number() })),
    /** Epoch ms of the first view ever; kept here so that retention does not move it. */
    trackingSince: v.optional(v.number()),
    settledAt: v.number(),
  })
    // Finds a site's headline.
    .index("by_site", ["site"]),

  // How many were online at most in each five minutes of a site's local day. Written by: the worker, where it settles
  // anyhow: when five minutes with somebody online are over, or nobody is any more. Read by: the same, now:onlineByTime.
  // Removed by: the worker, when a day begins, after four weeks; a change of time zone replaces them.
  onlineDays: defineTable({
    site: v.string(),
    /** When the local day begins, epoch ms. */
    startsAt: v.number(),
    /** From the first slot on, up to the last with somebody; packed (domain/counts.ts). */
    peaks: v.string(),
  })
    // A day; the oldest.
    .index("by_site_startsAt", ["site", "startsAt"]),

  // Per site: who came, moved on and went last, and where, while somebody watched. Written by: the worker's roll-ups
  // while somebody watches. Read by: the same, now:movements. Removed by: site deletion.
  movements: defineTable({
    site: v.string(),
    /** The newest first; bounded (domain/online/movements.ts). */
    newest: v.array(movement),
  })
    // Finds a site's row.
    .index("by_site", ["site"]),

  // Per site: what the panels of /stats show besides the rows of `paths`. Apart from the headline, because it is large
  // and changes less often. Written by: the worker's roll-ups alone. Read by: getStats, getPanels. Removed by: site
  // deletion.
  panels: defineTable({
    site: v.string(),
    /** Paths with at least one view. */
    pagesTotal: v.number(),
    /** Where the most sessions are online, the busiest first, at most LISTED_ACTIVE_PATHS; and how many are there, packed. */
    busiest: v.array(v.string()),
    sessions: v.string(),
    /** Paths with somebody on them, listed or not. */
    onlinePaths: v.number(),
  })
    // Finds a site's row.
    .index("by_site", ["site"]),

  // A path of a site. Written by: the worker; content sync (contentTitle). Read by: getStats, listPages. Removed by:
  // site deletion.
  paths: defineTable({
    site: v.string(),
    path: v.string(),
    pageType: v.string(),
    /** The last title that a view brought. */
    title: v.optional(v.string()),
    /** The title of the post or page that is shown there; wins over `title`. */
    contentTitle: v.optional(v.string()),
    /** All-time views. */
    views: v.number(),
    /** Sessions online there. */
    online: v.number(),
  })
    // The worker and the tail of getStats look a path up.
    .index("by_site_path", ["site", "path"])
    // The ranking is a read of the last rows.
    .index("by_site_views", ["site", "views"])
    // The busiest paths, when the list in `live` has to be made anew.
    .index("by_site_online", ["site", "online"]),

  // The roll-up of a site's local hour, day or month, packed into bytes. Written by: the worker (hours), sealing (days,
  // months), re-roll. Read by: the same, reports. Removed by: retention (hours after 60 days).
  rollups: defineTable({
    /** Whose it is: a site's slug, or the owner of a filter of it. */
    site: v.string(),
    unit: v.union(v.literal("hour"), v.literal("day"), v.literal("month")),
    /**
     * Of an hour "all": every dimension. Of a day or month a group of them (domain/rollups/dimension.ts), so that a
     * report about one dimension reads no more; or "total": none, so that a year of days is a short read. Each in as
     * many parts as it takes.
     */
    holds: v.union(
      v.literal("all"),
      v.literal("total"),
      ...DIMENSION_GROUPS.map((group) => v.literal(group)),
    ),
    /** The instant at which the bucket begins, in epoch ms. */
    startsAt: v.number(),
    /** 0, 1, …; each can be read alone (domain/rollups/parts.ts). */
    part: v.number(),
    /** domain/rollups/codec.ts */
    bytes: v.bytes(),
  })
    // A bucket, or the buckets of a range, in time order.
    .index("by_bucket", ["site", "unit", "holds", "startsAt", "part"]),

  // A filter of the statistics that somebody asked for, or that is kept as a segment. Its roll-ups are in `rollups`,
  // under its owner (model/filters/owner.ts). Written by: readers who ask (filters:ask), operators (segments:add), its
  // work. Read by: the same, reports under a filter. Removed by: its work, some days after it was last asked for, or
  // where a site has too many; operators (segments:remove); site deletion.
  filters: defineTable({
    site: v.string(),
    /** Equal for filters that ask for the same. */
    key: v.string(),
    filter: v.array(condition),
    /** Of a segment alone: it is kept, and kept up whether anybody looks or not. */
    name: v.optional(v.string()),
    /** Epoch ms at which it was last asked for, within a minute. */
    askedAt: v.number(),
    /** The first local day that is wanted, epoch ms. */
    wantedFrom: v.number(),
    /** commitTs of the last rows that its days of now hold. */
    upTo: v.int64(),
    eventsUpTo: v.int64(),
    task: v.optional(filterTask),
    /** Set when it goes: it is in no answer, and its roll-ups are removed piece by piece. */
    goneSince: v.optional(v.number()),
  })
    // Finds a filter.
    .index("by_site_key", ["site", "key"])
    // Finds a segment.
    .index("by_site_name", ["site", "name"])
    // A site's, those first that were asked for longest ago.
    .index("by_site_askedAt", ["site", "askedAt"]),

  // A local day of a filter that is made: its hours are in `rollups`, and, where it is sealed, the day itself. Written
  // by: the filter's work. Read by: the same, reports under a filter. Removed by: whatever makes that day or one before
  // it anew; the filter's work; site deletion.
  filterDays: defineTable({
    site: v.string(),
    filter: v.id("filters"),
    startsAt: v.number(),
    isSealed: v.boolean(),
  })
    // The days of a filter in order.
    .index("by_filter", ["filter", "startsAt"])
    // All of a site from a day on.
    .index("by_site_startsAt", ["site", "startsAt"]),

  // Per site: the step of the work on its filters that is scheduled. Written and read by: that work. Removed by: site
  // deletion.
  filterWork: defineTable({ site: v.string(), chain: v.number(), nextStep: scheduledCall })
    // Finds a site's work.
    .index("by_site", ["site"]),

  // The roll-up of the engagement of a site's local hour, day or month: apart from `rollups`, so that neither costs where
  // the other is read or written. Written by: the worker (hours; what comes late also into sealed days and months),
  // sealing, re-roll. Read by: the same, reports. Removed by: retention (hours, as those of `rollups`).
  engagementRollups: defineTable({
    site: v.string(),
    unit: v.union(v.literal("hour"), v.literal("day"), v.literal("month")),
    /** Of an hour "all". Of a day or month "paths", with the total; and "total" alone, so that a year of it is a short read. */
    holds: v.union(v.literal("all"), v.literal("total"), v.literal("paths")),
    startsAt: v.number(),
    part: v.number(),
    /** domain/engagement/codec.ts */
    bytes: v.bytes(),
  })
    // A bucket, or the buckets of a range, in time order.
    .index("by_bucket", ["site", "unit", "holds", "startsAt", "part"]),

  // Per site: which roll-ups are closed. A row of its own, which changes once a day, so that a report does not re-run
  // with every run of the worker. Written by: sealing, re-roll. Read by: reports. Removed by: site deletion.
  sealing: defineTable({
    site: v.string(),
    /** Hours that begin before this are gone; only whole days are left. */
    hoursSince: v.number(),
    /** Days that end by this are sealed. */
    daysUntil: v.number(),
    /** Months that end by this are sealed. */
    monthsUntil: v.number(),
    /** Sealed days that end by this are in `siteDays`, `pathDays` and their aggregates. */
    publishedUntil: v.number(),
    /** Rows of the log before this may be gone, and their days can no longer be made anew. */
    rowsSince: v.number(),
    /** True once an hour had more paths than are kept by name: sums of days by path are lower bounds then. */
    hasFoldedPaths: v.optional(v.boolean()),
  })
    // Finds a site's row.
    .index("by_site", ["site"]),

  // A sealed day of a site: what the aggregates `totalPageViews` and `uniqueVisitors` stand on. Written by: sealing,
  // re-roll. Read by: countViews, countNewVisitors (through the aggregates), proofs. Removed by: never; a change of
  // time zone replaces it.
  siteDays: defineTable({
    site: v.string(),
    /** When the local day begins, epoch ms. */
    startsAt: v.number(),
    views: v.number(),
    /** Visitors who were never seen before. */
    newVisitors: v.number(),
  })
    // The row of a day, or those that a change of zone left behind in it.
    .index("by_site_startsAt", ["site", "startsAt"]),

  // A sealed day of a path: what the aggregate `pageViewsByPath` stands on. Written, read and removed as `siteDays`.
  pathDays: defineTable({
    site: v.string(),
    startsAt: v.number(),
    path: v.string(),
    views: v.number(),
    /** Visitors who never saw this page before. */
    newVisitors: v.number(),
  })
    // The rows of a day, in the order of paths.
    .index("by_site_startsAt", ["site", "startsAt", "path"]),

  // A day that has to be made anew from the log. Written by: whoever changes the past (the backfill, an operator's
  // re-roll or repair, a changed time zone, a view that came after its day was sealed). Read and removed by: the
  // re-roll, when it begins with that day; so a further change meanwhile marks it again.
  staleDays: defineTable({
    site: v.string(),
    startsAt: v.number(),
    /** Also what looks unchanged is written again: for repairs. */
    isForced: v.boolean(),
  })
    // The next day of a site.
    .index("by_site_startsAt", ["site", "startsAt"]),

  // The roll-ups that a re-roll, a recount or the sealing of a month builds, chunk by chunk, beside those that readers
  // see. Written, read and removed by: that work alone (model/past/).
  stagedRollups: defineTable({
    site: v.string(),
    unit: v.union(
      v.literal("hour"),
      v.literal("month"),
      // Of engagement: the same of the other roll-ups.
      v.literal("engagedHour"),
      v.literal("engagedMonth"),
    ),
    startsAt: v.number(),
    part: v.number(),
    bytes: v.bytes(),
  })
    // A bucket, or all of a unit, in time order.
    .index("by_bucket", ["site", "unit", "startsAt", "part"]),

  // Per site: what is being done to its past, one small step after the other (model/past/work.ts). Written and read by:
  // that work. Removed by: site deletion.
  pastWork: defineTable({
    site: v.string(),
    /** Which chain of steps owns the work; a step of an older chain stops. */
    chain: v.number(),
    /** The step that is scheduled: tells whether the chain is alive. */
    nextStep: scheduledCall,
    /** The day at hand; missing between two. */
    task: v.optional(dayTask),
    /** The proof or repair that is under way. */
    proof: v.optional(proofTask),
  })
    // Finds a site's work.
    .index("by_site", ["site"]),

  // The result of a proof: what the log gave, compared with what is stored. Written by: verify, repair. Read by:
  // getStats, operators. Removed by: retention.
  checks: defineTable({
    site: v.string(),
    /** Local days, `2026-11-30`, both included. */
    from: v.string(),
    to: v.string(),
    finishedAt: v.number(),
    /** Days recounted, and rows of the log in them. */
    days: v.number(),
    rows: v.number(),
    /** Figures that were not what the log gives; 0 is a proof. */
    drift: v.number(),
    /** The first of them, in words. */
    found: v.array(v.string()),
    /** True when this was a repair: the figures were put right. */
    isRepair: v.boolean(),
  })
    // A site's newest.
    .index("by_site", ["site"]),

  // A hit that was not counted, and why, with all that it takes to count it after all. Written by: the door; the worker
  // (daily cap); filterCounted. Read by: operators, restoreFiltered. Removed by: restoreFiltered, when it counts; a cron,
  // after 30 days; site deletion.
  filteredHits: defineTable({
    /** "" where it is no site's: it named none, and neither did its host. */
    site: v.string(),
    path: v.string(),
    pageType: v.string(),
    sessionId: v.string(),
    timestamp: v.number(),
    reason: filterReason,
    /** The one place where a user agent is kept as it came: without it nobody could judge whether the filter was right. */
    userAgent: v.optional(v.string()),
    eventId: v.optional(v.string()),
    title: v.optional(v.string()),
    /** Of a custom event alone: it is no view. */
    event: v.optional(
      v.object({
        name: v.string(),
        properties: v.optional(v.string()),
        isPassive: v.optional(v.boolean()),
      }),
    ),
    /** As a view that begins a visit would have them, packed (domain/dimensions/packed.ts); of one that was counted, as it had them. */
    dimensions: v.optional(v.string()),
    /** Of an unknown site alone: the host in its one form, "" when the hit said none. */
    host: v.optional(v.string()),
    /** How many hits this row stands for, where not each is kept (model/strangers.ts); 1 when missing. */
    hits: v.optional(v.number()),
    /** True when it stands for hits of which none is kept: there is nothing to count after all. */
    isRemainder: v.optional(v.boolean()),
  })
    // Counts a site's, and walks them in the order in which they were filtered.
    .index("by_site", ["site"])
    // Tells a hit that is sent again from a new one.
    .index("by_event", ["eventId", "site"])
    // Lists unknown hosts, and tells how many rows one has of this hour.
    .index("by_host", ["host"]),

  // How many hits of a UTC day are kept one by one in filteredHits, and how many came beyond: so a flood fills no table
  // and no count is lost. In shards, so that hits of one moment rarely wait for each other. Written by: whoever filters.
  // Read by: the same, operators. Removed by: a cron, after 30 days; site deletion.
  filteredTallies: defineTable({
    site: v.string(),
    reason: filterReason,
    startsAt: v.number(),
    shard: v.number(),
    kept: v.number(),
    beyond: v.number(),
  })
    // The shard of a day; a site's.
    .index("by_shard", ["site", "reason", "startsAt", "shard"]),

  // Verdicts of the door that are being changed afterwards: filtered hits that become views, or views that leave the
  // log. Written and read by: that job, operators. Removed by: the job, the oldest of many; site deletion.
  verdictJobs: defineTable({
    site: v.string(),
    change: v.union(v.literal("restore"), v.literal("withdraw")),
    criteria: hitCriteria,
    /** With what reason views are withdrawn. */
    reason: v.optional(filterReason),
    isDryRun: v.boolean(),
    state: v.union(
      v.literal("running"),
      v.literal("done"),
      v.literal("failed"),
      v.literal("cancelled"),
    ),
    /** Rows are walked from where it is; those that came after `until` are not looked at. */
    place: v.object({ of: v.string(), at: v.number(), createdAt: v.number() }),
    until: v.number(),
    /** Which step is next; one of another number does nothing. */
    step: v.number(),
    nextStep: scheduledCall,
    looked: v.number(),
    matching: v.number(),
    moved: v.number(),
    /** Hits that were views already, or within the dedup window of one: gone. */
    duplicates: v.number(),
    /** Hits that match and stay: their day is closed, another rule holds, or only their number is known. */
    left: v.number(),
    startedAt: v.number(),
    updatedAt: v.number(),
    finishedAt: v.optional(v.number()),
    error: v.optional(v.string()),
  })
    // A site's, and those that run.
    .index("by_site_state", ["site", "state"]),

  // Progress and result of a long job. Written by: the job. Read by: getStats, operators. Removed by: site deletion.
  jobs: defineTable({
    site: v.string(),
    kind: jobKind,
    state: v.union(
      v.literal("running"),
      v.literal("done"),
      v.literal("failed"),
      v.literal("cancelled"),
    ),
    /** Rows (of a re-roll, repair or proof: days) done so far. */
    counted: v.number(),
    startedAt: v.number(),
    /** When this chain began, and what was done before it: the rate is of this chain. */
    resumedAt: v.number(),
    countedBefore: v.number(),
    updatedAt: v.number(),
    finishedAt: v.optional(v.number()),
    /** Timestamps of the oldest and newest row there were at the start, and of the last one done: progress while too many are left to count them. */
    firstAt: v.optional(v.number()),
    lastAt: v.optional(v.number()),
    reachedAt: v.optional(v.number()),
    /** Which chain of chunks owns the job; a chunk of an older chain stops. */
    chain: v.number(),
    /** The chunk that is scheduled: tells whether the chain is alive. */
    nextChunk: scheduledCall,
    error: v.optional(v.string()),
  })
    // A site's newest job of a kind.
    .index("by_site_kind", ["site", "kind"]),

  // A log row that could not be counted, with its error. Written by: the worker. Read by: operators. Removed by: site
  // deletion.
  quarantine: defineTable({
    site: v.string(),
    table: quarantinedTable,
    /** The row as JSON text, as it was. */
    row: v.string(),
    error: v.string(),
    quarantinedAt: v.number(),
  })
    // A site's, the oldest first.
    .index("by_site", ["site"]),

  // A post, without its body. Written by and removed by: content sync. Read by: the site's pages.
  posts: defineTable({
    slug: v.string(),
    path: v.string(),
    title: v.string(),
    description: v.string(),
    /** ISO day, e.g. 2026-11-30. */
    date: v.string(),
    readMinutes: v.number(),
    published: v.boolean(),
  })
    .index("by_slug", ["slug"])
    // The published ones, newest first.
    .index("by_published_date", ["published", "date"]),

  // A page, without its body. Written by and removed by: content sync. Read by: the site's pages.
  pages: defineTable({
    slug: v.string(),
    path: v.string(),
    title: v.string(),
    description: v.string(),
    /** Place among the pages, the lowest first. */
    order: v.number(),
    published: v.boolean(),
  })
    .index("by_slug", ["slug"])
    // The published ones in their order.
    .index("by_published_order", ["published", "order"]),

  // The Markdown of a post or page: apart, so that no list and no figure reads it. Written by and removed by: content
  // sync. Read by: getDocument.
  bodies: defineTable({ kind: contentKind, slug: v.string(), body: v.string() })
    // Finds a body.
    .index("by_kind_slug", ["kind", "slug"]),

  // One row: how many posts and pages are published. Written by: content sync. Read by: getStats. Removed by: never.
  contentCounts: defineTable({ posts: v.number(), pages: v.number() }),
});
