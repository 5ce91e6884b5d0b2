/* Longer than 300 lines because every step of a history is played in one place. */
/**
 * Owns: random histories of views, resends, crashes, late history, sealing, repairs and time zones, and playing one
 * against a site while noting what must have been counted.
 * Not: what must be true afterwards (invariants.ts).
 */
import fc from "fast-check";
import { expect } from "vitest";
import { internal } from "../../convex/_generated/api.js";
import { BruteForce, type Seen } from "./brute-force.ts";
import { pastOf } from "./past.helpers.ts";
import { MINUTE } from "./site.ts";
import type { Site } from "./site.ts";

export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const DEDUP_MS = 30 * MINUTE;
export const CLOCK_TOLERANCE_MS = 1_000;

/** The evening before clocks change in New York: its next day has 25 hours. */
export const STARTS_AT = Date.parse("2026-10-31T22:10:00Z");

const ZONES = ["UTC", "Asia/Kathmandu", "America/New_York", "Europe/Madrid"] as const;
const EVENTS = ["signup", "__proto__"] as const;
const SOURCES = ["", "news.example", "blog.example"] as const;

export type Step =
  | { kind: "view"; who: number; where: number; source: number; isPrivate: boolean }
  | { kind: "event"; who: number; what: number; isInteractive: boolean }
  | { kind: "resend" | "resendEvent" }
  | { kind: "old"; who: number; where: number; agoMs: number }
  | { kind: "pass"; ms: number }
  | { kind: "zone"; zone: (typeof ZONES)[number] }
  | { kind: "settle" | "twoRuns" | "crash" | "seal" | "backfill" | "repair" | "verify" | "poison" }
  | { kind: "retain" };

const small = fc.nat(2);
const view = fc.record({
  kind: fc.constant("view" as const),
  who: fc.nat(3),
  where: small,
  source: small,
  isPrivate: fc.nat(4).map((place) => place === 4),
});
const event = fc.record({
  kind: fc.constant("event" as const),
  // One who never views, too.
  who: fc.nat(4),
  what: fc.nat(1),
  isInteractive: fc.boolean(),
});
const pass = fc.record({
  kind: fc.constant("pass" as const),
  ms: fc.constantFrom(MINUTE, 29 * MINUTE, 31 * MINUTE, 3 * HOUR, 11 * HOUR),
});
/** Never near the edge of a window: a runtime may give each call its own millisecond. */
const old = fc.record({
  kind: fc.constant("old" as const),
  who: fc.nat(3),
  where: small,
  agoMs: fc.oneof(fc.nat(120), fc.nat(3 * 24 * 60)).map((minutes) => minutes * MINUTE + 20_000),
});
const live = fc.record({
  kind: fc.constantFrom(
    "settle",
    "twoRuns",
    "crash",
    "seal",
    "resend",
    "resendEvent",
    "repair",
    "verify",
    "poison",
  ),
}) as fc.Arbitrary<Step>;
const zone = fc.record({ kind: fc.constant("zone" as const), zone: fc.constantFrom(...ZONES) });
const backfill = fc.constant<Step>({ kind: "backfill" });

export type Story = { zone: (typeof ZONES)[number]; steps: Step[] };

const zoneFirst = fc.constantFrom(...ZONES);

/** What browsers and the machine do. */
export const liveStory: fc.Arbitrary<Story> = fc.record({
  zone: zoneFirst,
  steps: fc.array(
    fc.oneof(
      { weight: 7, arbitrary: view },
      { weight: 3, arbitrary: event },
      { weight: 4, arbitrary: pass },
      { weight: 3, arbitrary: live },
    ),
    { minLength: 5, maxLength: 30 },
  ),
});

/** The same with a past that comes late and changes. */
export const changingStory: fc.Arbitrary<Story> = fc.record({
  zone: zoneFirst,
  steps: fc.array(
    fc.oneof(
      { weight: 5, arbitrary: view },
      { weight: 3, arbitrary: event },
      { weight: 3, arbitrary: pass },
      { weight: 3, arbitrary: old },
      { weight: 3, arbitrary: live },
      { weight: 1, arbitrary: zone },
      { weight: 1, arbitrary: backfill },
    ),
    { minLength: 5, maxLength: 25 },
  ),
});

/** Days for which rows are kept where a story has retention. */
const RETENTION_DAYS = 2;

/** What browsers and the machine do over days of which the first are removed. */
export const retainedStory: fc.Arbitrary<Story> = fc.record({
  zone: zoneFirst,
  steps: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: view },
      { weight: 2, arbitrary: event },
      { weight: 3, arbitrary: pass },
      { weight: 2, arbitrary: fc.constant<Step>({ kind: "pass", ms: DAY + 3 * HOUR }) },
      { weight: 2, arbitrary: live },
      { weight: 2, arbitrary: fc.constant<Step>({ kind: "retain" }) },
    ),
    { minLength: 8, maxLength: 30 },
  ),
});

/** Takes every step, then lets everything come to rest. Returns what was accepted. */
export async function play(site: Site, story: Story): Promise<BruteForce> {
  const history = new History(site);
  await site.runtime.mutation(internal.sites.ensureDefault, { timeZone: story.zone });
  for (const step of story.steps) await history.take(step);
  await site.runtime.mutation(internal.stats.backfillAggregates, {});
  await pastOf(site).work();
  return history.model;
}

type EventStep = { who: number; what: number; isInteractive: boolean };

/** Plays steps against the site, and notes what must have been counted. */
class History {
  readonly model = new BruteForce();
  readonly #site: Site;
  readonly #sources = new Map<string, { at: number; source: string }>();
  /** Views that came as rows of the original design. */
  readonly #late = new Set<Seen>();
  #last: { path: string; visitor: string; eventId: string } | null = null;
  #lastEvent: { name: string; visitor: string; eventId: string } | null = null;
  #events = 0;

  constructor(site: Site) {
    this.#site = site;
  }

  async take(step: Step): Promise<void> {
    const { runtime } = this.#site;
    const past = pastOf(this.#site);
    switch (step.kind) {
      case "view":
        return step.isPrivate ? await this.#viewOfNobody(step) : await this.#view(step);
      case "event":
        return await this.#event(step);
      case "resend":
        return await this.#resend();
      case "resendEvent":
        return await this.#resendEvent();
      case "old":
        return await this.#old(step);
      case "pass":
        return await runtime.advance(step.ms);
      case "zone":
        await runtime.mutation(internal.sites.ensureDefault, { timeZone: step.zone });
        return;
      case "settle":
        return await this.#site.settleReports();
      case "twoRuns": {
        const run = () => runtime.mutation(internal.worker.run, { site: "default" });
        await Promise.all([run(), run()]);
        return;
      }
      case "crash":
        return await runtime.dropScheduled();
      case "seal":
        return await past.work();
      case "backfill":
        await runtime.mutation(internal.stats.backfillAggregates, {});
        return;
      case "repair":
      case "verify":
        await runtime.mutation(internal.stats[step.kind], {});
        return;
      case "poison":
        return await this.#poison();
      case "retain":
        await runtime.mutation(internal.sites.ensureDefault, { retentionDays: RETENTION_DAYS });
        await runtime.mutation(internal.past.startRetention, {});
        return await runtime.advance(5_000);
      default:
        step satisfies never;
    }
  }

  async #view({
    who,
    where,
    source,
  }: {
    who: number;
    where: number;
    source: number;
  }): Promise<void> {
    const at = this.#site.runtime.now();
    const [visitor, path, host] = [`s${who}`, `/p${where}`, SOURCES[source] ?? ""];
    const eventId = `e${(this.#events += 1)}`;
    const same = this.model.views.filter((seen) => seen.visitor === visitor && seen.path === path);
    const sinceOf = (views: readonly Seen[]) => views.map((seen) => at - seen.at);
    const sinceSame = sinceOf(same.filter((seen) => !this.#late.has(seen)));
    const sinceLate = sinceOf(same.filter((seen) => this.#late.has(seen)));
    const referrer = host === "" ? "" : `https://${host}/`;
    const { outcome } = await this.#site.view(path, visitor, { eventId, referrer });
    // A runtime's clock moves between two calls: at the very edge of the window either answer is right.
    const isAtEdge = sinceSame.some((ms) => Math.abs(ms - DEDUP_MS) < CLOCK_TOLERANCE_MS);
    const isDuplicate = sinceSame.some((ms) => ms < DEDUP_MS);
    // The door sees an old row once the backfill has handed it over, which it does in its own time.
    const mayBeEither = isAtEdge || sinceLate.some((ms) => ms < DEDUP_MS + CLOCK_TOLERANCE_MS);
    if (isDuplicate && !isAtEdge) expect(outcome).toBe("duplicate");
    else if (!mayBeEither) expect(outcome).toBe("counted");
    this.#last = { path, visitor, eventId };
    if (outcome === "duplicate") return;
    const countedAt = await this.#countedAt(eventId);
    expect(Math.abs(countedAt - at)).toBeLessThan(CLOCK_TOLERANCE_MS);
    const cameFrom = this.#sourceOfVisit(visitor, countedAt, host);
    this.model.add({ at: countedAt, visitor, path, source: cameFrom });
  }

  async #event({ who, what, isInteractive }: EventStep): Promise<void> {
    const at = this.#site.runtime.now();
    const [visitor, name] = [`s${who}`, EVENTS[what] ?? ""];
    const eventId = `e${(this.#events += 1)}`;
    const more = { eventId, isInteractive, properties: { who } };
    expect(await this.#site.event(name, visitor, more)).toEqual({ outcome: "counted" });
    this.#lastEvent = { name, visitor, eventId };
    const countedAt = await this.#countedAt(eventId, "events");
    expect(Math.abs(countedAt - at)).toBeLessThan(CLOCK_TOLERANCE_MS);
    this.model.send({ at: countedAt, visitor, name, isInteractive });
    const open = this.#sources.get(visitor);
    const isOpen = open !== undefined && countedAt - open.at <= 30 * MINUTE;
    if (isInteractive && isOpen) this.#sources.set(visitor, { ...open, at: countedAt });
  }

  async #resendEvent(): Promise<void> {
    if (this.#lastEvent === null) return;
    const { name, visitor, eventId } = this.#lastEvent;
    expect(await this.#site.event(name, visitor, { eventId })).toEqual({ outcome: "duplicate" });
  }

  async #viewOfNobody({ who, where, source }: { who: number; where: number; source: number }) {
    const [path, host] = [`/p${where}`, SOURCES[source] ?? ""];
    const eventId = `e${(this.#events += 1)}`;
    const referrer = host === "" ? "" : `https://${host}/`;
    const hit = { eventId, referrer, isPrivate: true };
    expect(await this.#site.view(path, `s${who}`, hit)).toEqual({ outcome: "counted" });
    expect(await this.#site.view(path, `s${who}`, hit)).toEqual({ outcome: "duplicate" });
    const at = await this.#countedAt(eventId);
    this.model.add({ at, visitor: null, path, source: host });
  }

  /** To the millisecond; a runtime's clock may move between two calls. */
  async #countedAt(eventId: string, table = "pageViews"): Promise<number> {
    const rows = await this.#site.runtime.rows(table);
    const [row, ...others] = rows.filter((logged) => logged["eventId"] === eventId);
    expect(others).toEqual([]);
    return Number(row?.["timestamp"]);
  }

  /** A visit keeps the source with which it began. */
  #sourceOfVisit(visitor: string, at: number, source: string): string {
    const open = this.#sources.get(visitor);
    const kept = open !== undefined && at - open.at <= 30 * MINUTE ? open.source : source;
    this.#sources.set(visitor, { at, source: kept });
    return kept;
  }

  async #resend(): Promise<void> {
    if (this.#last === null) return;
    const { path, visitor, eventId } = this.#last;
    expect(await this.#site.view(path, visitor, { eventId })).toEqual({ outcome: "duplicate" });
  }

  /** A row of the original design, as its owner's deployment had it. */
  async #old({ who, where, agoMs }: { who: number; where: number; agoMs: number }): Promise<void> {
    const at = this.#site.runtime.now() - agoMs;
    const [visitor, path] = [`s${who}`, `/p${where}`];
    const known = [...this.model.views, ...this.model.events];
    const isAtOnce = known.some((row) => row.visitor === visitor && row.at === at);
    if (isAtOnce) return;
    const row = { path, pageType: "page", sessionId: visitor, timestamp: at };
    await this.#site.runtime.insert("pageViews", [row]);
    const seen = { at, visitor, path, source: "" };
    this.#late.add(seen);
    this.model.add(seen);
  }

  /** Log rows that no door would write: they are put aside and in no number. */
  async #poison(): Promise<void> {
    const poison = { name: "poison", path: "/", sessionId: "poison", timestamp: -1 };
    await this.#site.runtime.insertLogged("events", [{ ...poison, site: "default" }]);
    const row = { path: "/poison", pageType: "page", sessionId: "poison", timestamp: -1 };
    const logged = { ...row, site: "default", movedFrom: "/poison" };
    await this.#site.runtime.insertLogged("pageViews", [logged]);
  }
}
