/**
 * Owns: realistic synthetic traffic, the same on every run: visits that arrive by chance and walk through popular
 * pages, visitors who return, campaigns, bots, three time zones.
 * Not: what becomes of it.
 */
import { BROWSERS, BOTS, PLACES, SCREENS, SOURCE_MIX } from "./traffic-mix.ts";
import type { Place, Source } from "./traffic-mix.ts";
import { BenchRandom, Zipf } from "./random.ts";

/** A view as a browser sends it. */
export type Hit = {
  at: number;
  userAgent: string;
  path: string;
  pageType: string;
  title: string;
  sessionId: string;
  eventId: string;
  host: string;
  referrer: string;
  query: string;
  screenWidth: number;
  language: string;
  timeZone: string;
};

export type TrafficOptions = {
  seed: number;
  startsAt: number;
  viewsPerSecond: number;
  /** Busy and quiet hours; else the rate is the same all day. */
  hasDays: boolean;
};

type Visitor = { sessionId: string; userAgent: string; screenWidth: number; place: Place };
type Visit = {
  visitor: Visitor;
  source: Source;
  nextAt: number;
  viewsLeft: number;
  seen: Set<number>;
};

const SITE_HOST = "blog.example.com";
/** As src/tracking/browser.ts makes them. */
const SESSION_ID_DIGITS = 32;
const EVENT_ID_DIGITS = 12;
const PATH_COUNT = 200;
/** Of visits. */
const BOT_RATIO = 0.03;
const NEW_VISITOR_RATIO = 0.55;
const FURTHER_VIEW_RATIO = 0.55;
const MAX_VISIT_VIEWS = 20;
const MEAN_VIEWS_PER_VISIT = 1 / (1 - FURTHER_VIEW_RATIO);
const MEAN_GAP_MS = 45_000;
/** Most who return were here lately. */
const RECENCY = 3;

export class Traffic {
  readonly #options: TrafficOptions;
  readonly #random: BenchRandom;
  readonly #popularity = new Zipf(PATH_COUNT, 0.9);
  readonly #visitors: Visitor[] = [];
  /** By time. */
  readonly #open: Visit[] = [];
  #nextVisitAt: number;

  constructor(options: TrafficOptions) {
    this.#options = options;
    this.#random = new BenchRandom(options.seed);
    this.#nextVisitAt = options.startsAt;
  }

  /** In time order, without end. */
  *hits(): Generator<Hit, never> {
    for (;;) {
      const [next] = this.#open;
      if (next === undefined || this.#nextVisitAt <= next.nextAt) this.#arrive();
      else yield this.#step(next);
    }
  }

  #arrive(): void {
    const { viewsPerSecond, hasDays } = this.#options;
    const visitsPerMs = viewsPerSecond / MEAN_VIEWS_PER_VISIT / 1_000;
    const busyness = hasDays ? busynessAt(this.#nextVisitAt) : 1;
    this.#nextVisitAt += this.#exponential(1 / (visitsPerMs * busyness));
    this.#push({
      visitor: this.#nextVisitor(),
      source: this.#random.pick(SOURCE_MIX),
      nextAt: this.#nextVisitAt,
      viewsLeft: this.#visitLength(),
      seen: new Set(),
    });
  }

  #step(visit: Visit): Hit {
    this.#open.shift();
    const hit = this.#hitOf(visit);
    visit.viewsLeft -= 1;
    visit.nextAt += 1_000 + this.#exponential(MEAN_GAP_MS);
    if (visit.viewsLeft > 0) this.#push(visit);
    return hit;
  }

  #push(visit: Visit): void {
    let place = this.#open.length;
    while (place > 0 && (this.#open[place - 1]?.nextAt ?? 0) > visit.nextAt) place -= 1;
    this.#open.splice(place, 0, visit);
  }

  #hitOf({ visitor, source, nextAt, seen }: Visit): Hit {
    const isFirst = seen.size === 0;
    const page = this.#nextPage(seen);
    const name = String(page).padStart(3, "0");
    const { sessionId, userAgent, screenWidth, place } = visitor;
    return {
      at: Math.floor(nextAt),
      userAgent,
      path: page === 0 ? "/" : `/posts/words-of-a-title-${name}`,
      pageType: page === 0 ? "home" : "post",
      title: page === 0 ? "Home" : `Words of a title ${name}`,
      sessionId,
      eventId: this.#random.hex(EVENT_ID_DIGITS),
      host: SITE_HOST,
      referrer: isFirst ? source.referrer : `https://${SITE_HOST}/`,
      query: isFirst ? source.query : "",
      screenWidth,
      ...place,
    };
  }

  /** A visit seldom sees a page twice; here never. */
  #nextPage(seen: Set<number>): number {
    let page = this.#popularity.pick(this.#random);
    while (seen.has(page)) page = this.#popularity.pick(this.#random);
    seen.add(page);
    return page;
  }

  #nextVisitor(): Visitor {
    const isNew = this.#visitors.length === 0 || this.#random.next() < NEW_VISITOR_RATIO;
    const known = this.#visitors.length;
    const recent = known - 1 - Math.floor(known * this.#random.next() ** RECENCY);
    const returning = isNew ? undefined : this.#visitors[recent];
    if (returning !== undefined) return returning;
    const isBot = this.#random.next() < BOT_RATIO;
    const visitor = {
      sessionId: this.#random.hex(SESSION_ID_DIGITS),
      userAgent: this.#random.pick(isBot ? BOTS : BROWSERS),
      screenWidth: this.#random.pick(SCREENS),
      place: this.#random.pick(PLACES),
    };
    this.#visitors.push(visitor);
    return visitor;
  }

  #visitLength(): number {
    let views = 1;
    while (views < MAX_VISIT_VIEWS && this.#random.next() < FURTHER_VIEW_RATIO) views += 1;
    return views;
  }

  #exponential(mean: number): number {
    return -Math.log(1 - this.#random.next()) * mean;
  }
}

/** Around 1 over a day: nights are quiet. */
function busynessAt(at: number): number {
  const share = (at % 86_400_000) / 86_400_000;
  return 1 + 0.8 * Math.sin((share - 0.375) * 2 * Math.PI);
}
