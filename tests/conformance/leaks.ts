/**
 * Owns: that no number of one site depends on another: random histories of sites that share visitors and paths, each
 * compared with the rows of that site alone, gone through the slow way.
 * Not: what is counted within one site (histories.ts, invariants.ts).
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { runs } from "../long.helpers.ts";
import { BruteForce } from "./brute-force.ts";
import { DAY, MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime, Row } from "./runtime.ts";

const SLUGS = ["default", "docs", "shop"] as const;
type Slug = (typeof SLUGS)[number];

/** A site that is removed half-way. */
const REMOVED: Slug = "shop";

type Step =
  | { kind: "view" | "beat" | "event"; slug: Slug; byHost: boolean; who: number; where: number }
  | { kind: "leave"; slug: Slug; byHost: boolean; who: number }
  | { kind: "settle"; slug: Slug }
  | { kind: "pass"; ms: number };

const slug = fc.constantFrom(...SLUGS);
const hit = { slug, byHost: fc.boolean(), who: fc.nat(1), where: fc.nat(1) };

/** Far from the window and the timeout, also many times over. */
const PASSES_MS = [1_100, 31 * MINUTE];

const stepOf: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("view" as const), ...hit }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("beat" as const), ...hit }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("event" as const), ...hit }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("leave" as const), ...hit }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("settle" as const), slug }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(...PASSES_MS) }),
  },
);

const stepsOf = fc.array(stepOf, { minLength: 8, maxLength: 24 });

export function leaks(create: CreateRuntime): void {
  describe("sites that share visitors and paths", () => {
    test("have numbers that are each their own, and lose none when another is removed", () =>
      fc.assert(
        fc.asyncProperty(stepsOf, stepsOf, (before, after) =>
          tell(create, async (site) => {
            await openSites(site);
            const models = new Map(SLUGS.map((name) => [name, new Model()]));
            for (const step of before) await take(site, models, step);
            await expectOwnNumbers(site, models);
            const removal = { site: REMOVED, confirm: REMOVED };
            await site.runtime.mutation(internal.sites.remove, removal);
            await site.runtime.advance(1_100);
            models.delete(REMOVED);
            await expectOwnNumbers(site, models);
            for (const step of after) await take(site, models, step);
            await expectOwnNumbers(site, models);
          }),
        ),
        { numRuns: runs(3, 150) },
      ));
  });
}

/** What one site should have counted, by hits of it alone. */
class Model {
  readonly countedAt = new Map<string, number>();
  readonly online = new Map<string, string>();
  readonly #known = new Set<string>();
  views = 0;
  events = 0;

  view(who: string, path: string, now: number): string {
    const key = JSON.stringify([who, path]);
    const last = this.countedAt.get(key);
    const isCounted = last === undefined || now - last >= 30 * MINUTE;
    if (isCounted) {
      this.countedAt.set(key, now);
      this.views += 1;
    }
    this.online.set(who, path);
    this.#known.add(who);
    return isCounted ? "counted" : "duplicate";
  }

  /** By a view: only then is a heartbeat a sign of life. */
  knows(who: string): boolean {
    return this.#known.has(who);
  }
}

async function openSites({ runtime }: Site): Promise<void> {
  for (const name of SLUGS) {
    const settings = { hosts: [`${name}.example`] };
    if (name === "default") await runtime.mutation(internal.sites.set, settings);
    else await runtime.mutation(internal.sites.add, { slug: name, ...settings });
  }
}

async function take(site: Site, models: Map<Slug, Model>, step: Step): Promise<void> {
  const { runtime } = site;
  if (step.kind === "pass") {
    await runtime.advance(step.ms);
    const isTimeout = step.ms > 2 * MINUTE;
    if (isTimeout) for (const { online } of models.values()) online.clear();
    return;
  }
  const model = models.get(step.slug);
  if (model === undefined) return;
  if (step.kind === "settle") {
    await runtime.mutation(internal.worker.run, { site: step.slug });
    return;
  }
  const sessionId = `s${step.who}`;
  const host = `${step.slug}.example`;
  const from = step.byHost ? { sessionId, host } : { sessionId, host, site: step.slug };
  if (step.kind === "leave") {
    await runtime.mutation(api.stats.leave, from);
    model.online.delete(sessionId);
    return;
  }
  const path = step.where === 0 ? "/a" : "/b";
  if (step.kind === "beat") {
    await runtime.mutation(api.stats.heartbeat, { ...from, currentPath: path });
    if (model.knows(sessionId)) model.online.set(sessionId, path);
    return;
  }
  if (step.kind === "event") {
    const event = { ...from, path, name: "signup" };
    expect(await runtime.mutation(api.stats.recordEvent, event)).toEqual({ outcome: "counted" });
    model.events += 1;
    return;
  }
  const wanted = model.view(sessionId, path, runtime.now());
  const view = { ...from, path, pageType: "page" };
  expect((await runtime.mutation(api.stats.recordPageView, view)).outcome).toBe(wanted);
}

async function expectOwnNumbers(site: Site, models: Map<Slug, Model>): Promise<void> {
  for (const [name, model] of models) await expectNumbersOf(site, name, model);
}

async function expectNumbersOf({ runtime }: Site, name: Slug, model: Model): Promise<void> {
  const rows = (await runtime.rows("pageViews")).filter((row) => row.site === name);
  expect(rows).toHaveLength(model.views);
  const truth = new BruteForce();
  const events = (await runtime.rows("events")).filter((row) => row.site === name);
  expect(events).toHaveLength(model.events);
  for (const row of [...rows, ...events].sort(inOrder)) {
    const seen = { at: Number(row.timestamp), visitor: String(row.sessionId) };
    if (typeof row.name === "string") truth.send({ ...seen, name: row.name, isInteractive: true });
    else truth.add({ ...seen, path: String(row.path), source: "" });
  }
  const range = { from: NOON - DAY, until: NOON + 7 * DAY };
  const wanted = truth.summary(range);

  const instant = await runtime.query(api.stats.getStats, { site: name });
  expect(instant).toMatchObject({
    totalPageViews: model.views,
    uniqueVisitors: wanted.visitors,
    activeVisitors: model.online.size,
  });
  expect(asMap(instant.activeByPath.map(({ path, count }) => [path, count]))).toEqual(
    countsOf([...model.online.values()]),
  );
  const pages = instant.pageStats.map(({ path, views }): [string, number] => [path, views]);
  expect(asMap(pages)).toEqual(countsOf(rows.map(({ path }) => String(path))));

  await runtime.mutation(api.stats.settle, { site: name });
  const asked = { site: name, range };
  expect(await runtime.query(api.reports.summary, asked)).toMatchObject(wanted);
  const { rows: byName } = await runtime.query(api.reports.events, asked);
  expect(byName).toEqual(truth.byEvent(range));
  const byPath = await runtime.query(api.reports.breakdown, { ...asked, dimension: "path" });
  expect(byPath.rows.map((row) => row.value).sort()).toEqual(
    truth.byPath(range).map(({ value }) => value),
  );
  for (const row of truth.byPath(range))
    expect(byPath.rows).toContainEqual(expect.objectContaining(row));
  expect((await runtime.query(api.stats.countViews, { site: name })).views).toBe(model.views);
  expect(await runtime.query(api.stats.countNewVisitors, { site: name })).toBe(wanted.newVisitors);
}

/** As they came. */
function inOrder(one: Row, other: Row): number {
  return Number(one._creationTime) - Number(other._creationTime);
}

function asMap(pairs: readonly (readonly [string, number])[]): Record<string, number> {
  return Object.fromEntries(pairs);
}

function countsOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
