/**
 * Owns: a site in the last minutes of an hour that has been as busy all along: what the worker has counted, who is
 * online, and what the visitors who come next left behind; and the views that come next.
 * Not: what they cost (figures.ts).
 */
import { calendarOf } from "../../domain/calendar/calendar.ts";
import { packCounts } from "../../domain/counts.ts";
import { packValues } from "../../domain/dimensions/packed.ts";
import { SESSION_TIMEOUT_MS } from "../../domain/intervals.ts";
import { LISTED_ACTIVE_PATHS, REMEMBERED_EVENT_IDS } from "../../domain/limits.ts";
import { MINUTE_MS } from "../../domain/minutes.ts";
import { compareRanked } from "../../domain/ranking.ts";
import { encode } from "../../domain/rollups/codec.ts";
import { emptyRollup } from "../../domain/rollups/rollup.ts";
import type { Rollup } from "../../domain/rollups/rollup.ts";
import { addViews } from "../../domain/rollups/view.ts";
import type { LoggedView } from "../../domain/rollups/view.ts";
import { NEW_DEFAULT_SITE } from "../../convex/model/sites.ts";
import { runIn } from "../support/deployment.ts";
import type { InsertRows } from "../support/deployment.ts";
import { STARTS_AT } from "../support/starts-at.ts";
import { Traffic } from "../support/traffic.ts";
import type { Hit } from "../support/traffic.ts";
import { FootfallSite } from "./site.ts";
import { isBot, viewOf } from "./year.ts";
import type { Visitor } from "./year.ts";

/** Of the hour: what is left of it is enough to measure in. */
const PAST_MS = 50 * MINUTE_MS;

const BUSY_SITE = NEW_DEFAULT_SITE.slug;
const UTC = calendarOf(NEW_DEFAULT_SITE.timeZone);

/** Views that are added to the hour at once. */
const BATCH_VIEWS = 1_000;

type Seen = { hit: Hit; view: LoggedView };
type Known = {
  visitor: Visitor;
  byPath: Map<string, Seen>;
  first: Seen;
  last: Seen;
  ids: string[];
};

export type BusySite = { site: FootfallSite; hits: readonly Hit[]; endsAt: number };

/** `hits`: those of the next `ms`. Nothing is unsettled, nobody watches, the sweep has just been there. */
export async function openBusySite(viewsPerSecond: number, ms: number): Promise<BusySite> {
  const now = STARTS_AT + PAST_MS;
  const endsAt = now + ms;
  const options = { seed: 3, startsAt: STARTS_AT, viewsPerSecond, hasDays: false };
  const past = new Past();
  const hits: Hit[] = [];
  for (const hit of new Traffic(options).hits()) {
    if (hit.at >= endsAt) break;
    if (hit.at >= now) hits.push(hit);
    else past.add(hit);
  }
  const site = await FootfallSite.open(now);
  await runIn(site.deployment, "", (db) => past.put(db, now, hits));
  return { site, hits, endsAt };
}

class Past {
  readonly #visitors = new Map<string, Visitor>();
  readonly #known = new Map<string, Known>();
  readonly #pages = new Map<string, { hit: Hit; views: number }>();
  #hour: Rollup = emptyRollup("hour", STARTS_AT);
  #batch: LoggedView[] = [];
  #views = 0;
  readonly #minutes: number[] = [];

  add(hit: Hit): void {
    const view = isBot(hit) ? null : viewOf(hit, this.#visitors);
    const visitor = this.#visitors.get(hit.sessionId);
    if (view === null || visitor === undefined) return;
    const seen = { hit, view };
    const known = this.#known.get(hit.sessionId) ?? {
      byPath: new Map<string, Seen>(),
      first: seen,
    };
    known.byPath.set(hit.path, seen);
    const ids = "ids" in known ? known.ids : [];
    ids.push(hit.eventId);
    this.#known.set(hit.sessionId, { ...known, visitor, last: seen, ids });
    this.#pages.set(hit.path, { hit, views: (this.#pages.get(hit.path)?.views ?? 0) + 1 });
    const minute = Math.floor((hit.at - STARTS_AT) / MINUTE_MS);
    this.#minutes[minute] = (this.#minutes[minute] ?? 0) + 1;
    this.#views += 1;
    this.#batch.push(view);
    if (this.#batch.length >= BATCH_VIEWS) this.#flush();
  }

  #flush(): void {
    this.#hour = addViews(this.#hour, this.#batch, UTC);
    this.#batch = [];
  }

  async put(db: InsertRows, now: number, next: readonly Hit[]): Promise<void> {
    this.#flush();
    const cursor = BigInt(this.#views);
    await db.insert("sites", NEW_DEFAULT_SITE);
    const workedAt = { lastRunAt: now, rolledAt: now, watchedUntil: 0 };
    await db.insert("workers", {
      site: BUSY_SITE,
      viewCursor: cursor,
      rollupCursor: cursor,
      ...workedAt,
    });
    await db.insert("wake", { site: BUSY_SITE });
    const hour = { site: BUSY_SITE, unit: "hour", holds: "all", startsAt: STARTS_AT, part: 0 };
    await db.insert("rollups", { ...hour, bytes: encode(this.#hour) });
    await this.#putVisitors(db, new Set(next.map(({ sessionId }) => sessionId)));
    const online = await this.#putSessions(db, now);
    await this.#putPages(db, online);
    await db.insert("live", {
      ...{ site: BUSY_SITE, totalViews: this.#views, uniqueVisitors: this.#known.size },
      online: [...online.values()].reduce((sum, count) => sum + count, 0),
      today: { ...UTC.bucketAt("day", now), views: this.#views },
      minutes: {
        newestAt: now - (now % MINUTE_MS),
        views: packCounts([...this.#minutes.slice(-29), 0]),
      },
      ...{ trackingSince: STARTS_AT, settledAt: now },
    });
  }

  /** Those who come again, and their newest view of each page. */
  async #putVisitors(db: InsertRows, sessionIds: ReadonlySet<string>): Promise<void> {
    for (const sessionId of sessionIds) {
      const known = this.#known.get(sessionId);
      if (known === undefined) continue;
      const { visitor, first, ids } = known;
      await db.insert("visitors", {
        ...{ site: BUSY_SITE, sessionId, firstSeenAt: first.view.at },
        ...{ lastSeenAt: visitor.lastSeenAt, lastPath: visitor.lastPath },
        ...{
          visitSequence: visitor.visitSequence,
          dimensions: packValues({ ...visitor.values, host: "" }),
        },
        recentEventIds: ids.slice(-REMEMBERED_EVENT_IDS),
      });
      for (const { hit, view } of known.byPath.values()) {
        await db.insert("pageViews", logRow(hit, view));
      }
    }
  }

  async #putSessions(db: InsertRows, now: number): Promise<Map<string, number>> {
    const online = new Map<string, number>();
    for (const [sessionId, { last }] of this.#known) {
      const { path: currentPath, at: lastSeen, eventId } = last.hit;
      if (lastSeen <= now - SESSION_TIMEOUT_MS) continue;
      await db.insert("activeSessions", {
        site: BUSY_SITE,
        sessionId,
        currentPath,
        lastSeen,
        eventId,
      });
      online.set(currentPath, (online.get(currentPath) ?? 0) + 1);
    }
    return online;
  }

  async #putPages(db: InsertRows, online: ReadonlyMap<string, number>): Promise<void> {
    for (const [path, { hit, views }] of this.#pages) {
      const { pageType, title } = hit;
      const counts = { views, online: online.get(path) ?? 0 };
      await db.insert("paths", { site: BUSY_SITE, path, pageType, title, ...counts });
    }
    const busiest = [...online]
      .map(([path, count]) => ({ path, count }))
      .sort(compareRanked)
      .slice(0, LISTED_ACTIVE_PATHS);
    await db.insert("panels", {
      ...{ site: BUSY_SITE, pagesTotal: this.#pages.size, onlinePaths: online.size },
      busiest: busiest.map(({ path }) => path),
      sessions: packCounts(busiest.map(({ count }) => count)),
    });
  }
}

/** As recordPageView keeps it. */
function logRow({ eventId, title, sessionId }: Hit, view: LoggedView) {
  const { pageType = "", ...values } = view.values;
  const { at: timestamp, path, visitSequence, previousPath } = view;
  const gaps = { visitorLastSeenAt: view.visitorLastSeenAt, pathLastSeenAt: view.pathLastSeenAt };
  const known = Object.entries({ ...gaps, previousPath, movedFrom: previousPath && true });
  return {
    ...{ site: BUSY_SITE, path, pageType, sessionId, timestamp, eventId, title, visitSequence },
    commitTs: 1n,
    dimensions: packValues(values),
    ...Object.fromEntries(
      known.filter((entry): entry is [string, string | number | true] => entry[1] !== null),
    ),
  };
}
