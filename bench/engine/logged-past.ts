/**
 * Owns: the rows that recordPageView would have left behind for a stream of hits, as a snapshot holds them.
 * Not: what is counted from them: the worker does that.
 */
import type { JSONValue } from "convex/values";
import { convexToJson } from "convex/values";
import type { Value } from "convex/values";
import { packValues } from "../../domain/dimensions/packed.ts";
import type { ViewValues } from "../../domain/dimensions/packed.ts";
import { valuesOfFirstView, valuesOfNextView } from "../../domain/dimensions/view.ts";
import { DEDUP_WINDOW_MS } from "../../domain/intervals.ts";
import { REMEMBERED_EVENT_IDS } from "../../domain/limits.ts";
import { factsOf } from "../../domain/rollups/visit.ts";
import type { JsonDocument } from "../../engine/data-moves.ts";
import type { Hit } from "../support/traffic.ts";
import { hitsOf } from "./hits.ts";

const LOGGED_SITE = "default";
const NS_OF_A_MS = 1_000_000n;

type Visitor = {
  firstSeenAt: number;
  lastSeenAt: number;
  lastPath: string;
  visitSequence: number;
  values: ViewValues;
  eventIds: string[];
  paths: Map<string, number>;
};

export class LoggedPast {
  readonly #visitors = new Map<string, Visitor>();
  #lastCommitTs = 0n;

  /** Of `count` hits; those that are duplicates leave no row. */
  *views(count: number, startsAt: number): Generator<JsonDocument> {
    let left = count;
    for (const hit of hitsOf(startsAt)) {
      if (left-- === 0) return;
      const row = this.#viewOf(hit);
      if (row !== null) yield documentOf(row);
    }
  }

  /** As the views have left them. */
  *visitors(): Generator<JsonDocument> {
    for (const [sessionId, visitor] of this.#visitors) {
      const { firstSeenAt, lastSeenAt, lastPath, visitSequence, values, eventIds } = visitor;
      const seen = { firstSeenAt, lastSeenAt, lastPath, visitSequence };
      const dimensions = packValues(values);
      yield documentOf({
        site: LOGGED_SITE,
        sessionId,
        ...seen,
        dimensions,
        recentEventIds: eventIds,
      });
    }
  }

  #viewOf(hit: Hit): Record<string, Value | undefined> | null {
    const { at, path, pageType, title, sessionId, eventId } = hit;
    const before = this.#visitors.get(sessionId);
    const pathLastSeenAt = before?.paths.get(path);
    if (pathLastSeenAt !== undefined && at - pathLastSeenAt < DEDUP_WINDOW_MS) return null;
    const { visitSequence } = factsOf(before ?? null, pathLastSeenAt ?? null, at);
    const request = { userAgent: hit.userAgent, countryHeader: null, ownHosts: [] };
    const values =
      before !== undefined && visitSequence > 1
        ? valuesOfNextView(before.values, hit)
        : valuesOfFirstView(hit, request);
    const paths = before?.paths ?? new Map<string, number>();
    paths.set(path, at);
    this.#visitors.set(sessionId, {
      firstSeenAt: before?.firstSeenAt ?? at,
      lastSeenAt: at,
      lastPath: path,
      visitSequence,
      values,
      eventIds: [...(before?.eventIds ?? []), eventId].slice(-REMEMBERED_EVENT_IDS),
      paths,
    });
    return {
      ...{ path, pageType, title, sessionId, eventId, timestamp: at, site: LOGGED_SITE },
      ...{ visitSequence, dimensions: packValues(values), commitTs: this.#nextCommitTs(at) },
      visitorLastSeenAt: before?.lastSeenAt,
      previousPath: before?.lastPath,
      pathLastSeenAt,
      createdVisitor: before === undefined ? true : undefined,
    };
  }

  #nextCommitTs(at: number): bigint {
    const ts = BigInt(at) * NS_OF_A_MS;
    this.#lastCommitTs = ts > this.#lastCommitTs ? ts : this.#lastCommitTs + 1n;
    return this.#lastCommitTs;
  }
}

function documentOf(fields: Record<string, Value | undefined>): JsonDocument {
  const present = Object.entries(fields).filter(
    (field): field is [string, Value] => field[1] !== undefined,
  );
  return convexToJson(Object.fromEntries(present)) as Record<string, JSONValue>;
}
