/**
 * Owns: the invariants of what is reported, over random histories, against brute force.
 * Not: the histories (played-history.ts), who is online (histories.ts).
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import type { BruteForce, Range } from "./brute-force.ts";
import { pastOf } from "./past.helpers.ts";
import {
  DAY,
  HOUR,
  STARTS_AT,
  changingStory,
  liveStory,
  play,
  retainedStory,
} from "./played-history.ts";
import type { CreateRuntime } from "./runtime.ts";
import { tell } from "./site.ts";
import type { Site } from "./site.ts";

export function invariants(create: CreateRuntime, { runs }: { runs: number }): void {
  describe("invariants", () => {
    test("I1 I2 I3 I5 I9: whatever browsers and crashes do, every report is what brute force says", () =>
      fc.assert(
        fc.asyncProperty(liveStory, (story) =>
          tell(
            create,
            async (site) => {
              const model = await play(site, story);
              await expectReports(site, model, { hasSources: true });
            },
            STARTS_AT,
          ),
        ),
        { numRuns: runs },
      ));

    test("I2 I5: what retention removes was counted, and totals never shrink; visitors are exact where rows are kept, and said to be at most so many before", () =>
      fc.assert(
        fc.asyncProperty(retainedStory, (story) =>
          tell(
            create,
            async (site) => {
              const model = await play(site, story);
              await expectRetained(site, model);
            },
            STARTS_AT,
          ),
        ),
        { numRuns: runs },
      ));

    test("I5 I6: also when history comes late, days are made anew and the zone changes; and doing it all again changes nothing", () =>
      fc.assert(
        fc.asyncProperty(changingStory, (story) =>
          tell(
            create,
            async (site) => {
              const model = await play(site, story);
              await expectReports(site, model, { hasSources: false });
              await expectIdempotent(site, model);
            },
            STARTS_AT,
          ),
        ),
        { numRuns: runs },
      ));
  });
}

async function expectReports(
  site: Site,
  model: BruteForce,
  { hasSources }: { hasSources: boolean },
): Promise<void> {
  const stats = await site.settled();
  expect(stats.totalPageViews).toBe(model.views.length);
  expect(stats.uniqueVisitors).toBe(model.summary({ from: 0, until: Infinity }).visitors);
  for (const asked of rangesOf(site, model)) {
    const report = await site.runtime.query(api.reports.summary, { range: asked });
    const { from, until } = report;
    expect(from).toBeLessThanOrEqual(asked.from);
    expect(until).toBeGreaterThanOrEqual(asked.until);
    expect(report).toMatchObject(model.summary({ from, until }));
    await expectBreakdowns(site, model, { range: { from, until }, hasSources });
    await expectEvents(site, model, { from, until });
    await expectSeries(site, model, { from, until });
  }
}

async function expectRetained(site: Site, model: BruteForce): Promise<void> {
  const stats = await site.settled();
  const visitors = model.summary({ from: 0, until: Infinity }).visitors;
  expect(stats.totalPageViews).toBe(model.views.length);
  expect(stats.uniqueVisitors).toBeGreaterThanOrEqual(visitors);
  const past = pastOf(site);
  expect((await past.counts({})).views).toBe(model.views.length);
  for (const range of rangesOf(site, model)) {
    const report = await site.runtime.query(api.reports.summary, { range });
    const { newVisitors, visitors: distinct, ...added } = model.summary(report);
    expect(report).toMatchObject(added);
    expect(report.newVisitors).toBeGreaterThanOrEqual(newVisitors);
    if (report.isBeyondRetention) expect(report.visitors).toBeGreaterThanOrEqual(distinct);
    else expect(report.visitors).toBe(distinct);
  }
  const rows = await site.runtime.rows("pageViews");
  // Without a row there is nothing that could be proved.
  if (rows.every(({ timestamp }) => Number(timestamp) < 0)) return;
  expect(await past.verify()).toMatchObject({ drift: 0, found: [] });
}

/** Everything; each day around; a few hours in the middle. */
function rangesOf(site: Site, model: BruteForce): Range[] {
  const first = Math.min(...model.views.map(({ at }) => at), site.runtime.now());
  const now = site.runtime.now() + 1;
  const days = Array.from({ length: 4 }, (_, day) => now - (day + 1) * DAY);
  return [
    { from: Math.max(0, first - DAY), until: now + DAY },
    ...days.map((from) => ({ from, until: from + DAY })),
    { from: now - 7 * HOUR, until: now - 2 * HOUR },
    { from: now - 3 * DAY - 5 * HOUR, until: now },
  ];
}

async function expectBreakdowns(
  site: Site,
  model: BruteForce,
  { range, hasSources }: { range: Range; hasSources: boolean },
): Promise<void> {
  const paths = await site.runtime.query(api.reports.breakdown, { range, dimension: "path" });
  const wanted = model.byPath(range);
  expect(pick(paths.rows, wanted)).toEqual(wanted);
  if (!hasSources) return;
  const dimension = "referrerHost";
  const sources = await site.runtime.query(api.reports.breakdown, { range, dimension });
  const wantedSources = model.bySource(range);
  expect(pick(sources.rows, wantedSources)).toEqual(wantedSources);
}

async function expectEvents(site: Site, model: BruteForce, range: Range): Promise<void> {
  const { rows } = await site.runtime.query(api.reports.events, { range });
  const wanted = model.byEvent(range);
  expect(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(wanted);
  for (const { name, events } of wanted) {
    const report = await site.runtime.query(api.reports.eventProperties, { range, name });
    expect(report.properties.map(({ key, events: sum }) => [key, sum])).toEqual([["who", events]]);
  }
}

/** The rows by value, with the fields that are compared. */
function pick<T extends object>(rows: readonly { value: string }[], like: readonly T[]): unknown[] {
  const fields = Object.keys(like[0] ?? {});
  return rows
    .map((row) =>
      Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field))),
    )
    .sort((a, b) => (String(a["value"]) < String(b["value"]) ? -1 : 1));
}

async function expectSeries(site: Site, model: BruteForce, range: Range): Promise<void> {
  const { points } = await site.runtime.query(api.reports.timeseries, { range, unit: "day" });
  for (const { startsAt, endsAt, ...figures } of points) {
    const clipped = {
      from: Math.max(startsAt, range.from),
      until: Math.min(endsAt, range.until),
    };
    expect(figures).toMatchObject(model.summary(clipped));
  }
}

/** Backfill, proof and repair, all once more: the same rows, and no drift. */
async function expectIdempotent(site: Site, model: BruteForce): Promise<void> {
  if (model.views.length === 0) return;
  const past = pastOf(site);
  // A day that is over and not sealed yet would be sealed meanwhile.
  await past.work();
  const before = await past.snapshot();
  await site.runtime.mutation(internal.stats.backfillAggregates, {});
  await past.work();
  expect(await past.verify()).toMatchObject({ drift: 0, found: [] });
  await past.repair();
  expect(await past.snapshot()).toEqual(before);
  expect((await past.counts({})).views).toBe(model.views.length);
}
