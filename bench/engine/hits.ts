/** Owns: the one stream of hits that seeds every folder and goes on as load. Not: what becomes of them. */
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { Traffic } from "../support/traffic.ts";
import type { Hit } from "../support/traffic.ts";

/** About what a site has that reaches a million views within the time for which raw rows are kept. */
const VIEWS_PER_DAY = 12_500;
const TRAFFIC_SEED = 41;

/** Days that `views` views fill. */
export function daysOf(views: number): number {
  return views / VIEWS_PER_DAY;
}

/** In time order, without end; bots left out, who would not be counted. */
export function* hitsOf(startsAt: number): Generator<Hit, never> {
  const viewsPerSecond = VIEWS_PER_DAY / (DAY_MS / 1_000);
  const traffic = new Traffic({ seed: TRAFFIC_SEED, startsAt, viewsPerSecond, hasDays: true });
  for (const hit of traffic.hits()) if (!/bot/i.test(hit.userAgent)) yield hit;
  throw new Error("Traffic ended.");
}

/** What comes after the first `views` hits: mostly visitors who are known already come back, as on a site. */
export function hitsAfter(views: number, startsAt: number): Generator<Hit, never> {
  const hits = hitsOf(startsAt);
  for (let skipped = 0; skipped < views; skipped += 1) hits.next();
  return hits;
}
