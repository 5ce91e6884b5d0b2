/**
 * Owns: the roll-ups that a year of traffic leaves behind, and the rows in which they are kept, without running it.
 * Not: whether they are right (tests/conformance, and stats:verify in bench/million.ts).
 */
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { calendarOf } from "../../domain/calendar/calendar.ts";
import type { Calendar } from "../../domain/calendar/calendar.ts";
import { valuesOfFirstView, valuesOfNextView } from "../../domain/dimensions/view.ts";
import type { ViewValues } from "../../domain/dimensions/packed.ts";
import { DEDUP_WINDOW_MS, KEEP_HOURS_MS } from "../../domain/intervals.ts";
import { emptyRollup } from "../../domain/rollups/rollup.ts";
import type { Rollup, RollupUnit } from "../../domain/rollups/rollup.ts";
import { seal } from "../../domain/rollups/seal.ts";
import { shelve } from "../../domain/rollups/shelves.ts";
import type { Holds } from "../../domain/rollups/shelves.ts";
import { addViews } from "../../domain/rollups/view.ts";
import type { LoggedView } from "../../domain/rollups/view.ts";
import { factsOf } from "../../domain/rollups/visit.ts";
import { Traffic } from "../support/traffic.ts";
import type { Hit } from "../support/traffic.ts";

export type RollupRow = {
  site: string;
  unit: RollupUnit;
  holds: Holds;
  startsAt: number;
  part: number;
  bytes: ArrayBuffer;
};

export type Year = {
  views: number;
  startsAt: number;
  /** In the middle of an hour of the last day. */
  now: number;
  rollups: RollupRow[];
  sealing: Record<
    "hoursSince" | "daysUntil" | "monthsUntil" | "publishedUntil" | "rowsSince",
    number
  >;
};

export const YEAR_ENDS_AT = Date.UTC(2026, 10, 30, 18, 30);
const TIME_ZONE = "Europe/Madrid";
export const YEAR_SITE = { slug: "default", name: "A year", timeZone: TIME_ZONE };
const YEAR_MS = 365 * DAY_MS;

export type Visitor = {
  lastSeenAt: number;
  lastPath: string;
  visitSequence: number;
  values: ViewValues;
  paths: Map<string, number>;
};

/** Some `views` views, from a year before YEAR_ENDS_AT until then. */
export function makeYear(views: number): Year {
  const calendar = calendarOf(TIME_ZONE);
  const startsAt = calendar.startOf("day", YEAR_ENDS_AT - YEAR_MS);
  const viewsPerSecond = (views / (YEAR_ENDS_AT - startsAt)) * 1_000;
  const made = new Past(calendar);
  let counted = 0;
  for (const view of viewsFrom({ startsAt, viewsPerSecond })) {
    made.add(view);
    counted += 1;
  }
  const today = calendar.startOf("day", YEAR_ENDS_AT);
  const sealing = {
    hoursSince: calendar.startOf("day", YEAR_ENDS_AT - KEEP_HOURS_MS),
    daysUntil: today,
    monthsUntil: calendar.startOf("month", today),
    publishedUntil: today,
    rowsSince: startsAt,
  };
  return { views: counted, startsAt, now: YEAR_ENDS_AT, rollups: made.rows(sealing), sealing };
}

/** The views that would be counted, with what their log rows would say. */
function* viewsFrom(options: { startsAt: number; viewsPerSecond: number }): Generator<LoggedView> {
  const visitors = new Map<string, Visitor>();
  for (const hit of new Traffic({ seed: 23, hasDays: true, ...options }).hits()) {
    if (hit.at >= YEAR_ENDS_AT) return;
    if (isBot(hit)) continue;
    const view = viewOf(hit, visitors);
    if (view !== null) yield view;
  }
}

export function isBot({ userAgent }: Hit): boolean {
  return /bot/i.test(userAgent);
}

/** What its row in the log would say, given what is known of its visitor; null when it is a duplicate. */
export function viewOf(hit: Hit, visitors: Map<string, Visitor>): LoggedView | null {
  const before = visitors.get(hit.sessionId);
  const pathLastSeenAt = before?.paths.get(hit.path) ?? null;
  if (pathLastSeenAt !== null && hit.at - pathLastSeenAt < DEDUP_WINDOW_MS) return null;
  const facts = factsOf(before ?? null, pathLastSeenAt, hit.at);
  const request = { userAgent: hit.userAgent, countryHeader: null, ownHosts: [] };
  const values =
    before !== undefined && facts.visitSequence > 1
      ? valuesOfNextView(before.values, hit)
      : valuesOfFirstView(hit, request);
  const paths = before?.paths ?? new Map<string, number>();
  paths.set(hit.path, hit.at);
  const { visitSequence } = facts;
  visitors.set(hit.sessionId, {
    lastSeenAt: hit.at,
    lastPath: hit.path,
    visitSequence,
    values,
    paths,
  });
  return { ...facts, at: hit.at, path: hit.path, values: { ...values, pageType: hit.pageType } };
}

/** Hours, and the days and months that they make. */
class Past {
  readonly #calendar: Calendar;
  readonly #rollups: Record<RollupUnit, Map<number, Rollup>> = {
    hour: new Map(),
    day: new Map(),
    month: new Map(),
  };
  #hour: { startsAt: number; views: LoggedView[] } | null = null;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  add(view: LoggedView): void {
    const startsAt = this.#calendar.startOf("hour", view.at);
    if (this.#hour?.startsAt !== startsAt) {
      this.#closeHour();
      this.#hour = { startsAt, views: [] };
    }
    this.#hour.views.push(view);
  }

  #closeHour(): void {
    if (this.#hour === null) return;
    const { startsAt, views } = this.#hour;
    const hour = addViews(emptyRollup("hour", startsAt), views, this.#calendar);
    this.#rollups.hour.set(startsAt, hour);
  }

  rows({ hoursSince, daysUntil, monthsUntil }: Year["sealing"]): RollupRow[] {
    this.#closeHour();
    this.#sealAll("day", "hour", daysUntil);
    this.#sealAll("month", "day", monthsUntil);
    const { hour, day, month } = this.#rollups;
    const hours = [...hour.values()].filter(({ startsAt }) => startsAt >= hoursSince);
    return [...hours, ...day.values(), ...month.values()].flatMap(rowsOf);
  }

  #sealAll(unit: "day" | "month", from: "hour" | "day", until: number): void {
    const parts = new Map<number, Rollup[]>();
    for (const rollup of this.#rollups[from].values()) {
      if (rollup.startsAt >= until) continue;
      const startsAt = this.#calendar.startOf(unit, rollup.startsAt);
      parts.set(startsAt, [...(parts.get(startsAt) ?? []), rollup]);
    }
    for (const [startsAt, rollups] of parts) {
      this.#rollups[unit].set(startsAt, seal(unit, startsAt, rollups, this.#calendar));
    }
  }
}

/** As convex/model/rollups/store.ts keeps them. */
function rowsOf(rollup: Rollup): RollupRow[] {
  const { unit, startsAt } = rollup;
  return [...shelve(rollup)].flatMap(([holds, parts]) =>
    parts.map((bytes, part) => ({ site: YEAR_SITE.slug, unit, holds, startsAt, part, bytes })),
  );
}
