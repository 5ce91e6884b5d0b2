/**
 * Owns: that filters and segments say what brute force says, over random histories.
 * Not: the histories (played-history.ts), single behaviours (filters.ts).
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import type { Condition, Filter } from "../../domain/filters/filter.ts";
import type { BruteForce, Meets } from "./brute-force.ts";
import { rest, summary } from "./filters.ts";
import { STARTS_AT, changingStory, liveStory, play } from "./played-history.ts";
import type { CreateRuntime } from "./runtime.ts";
import { DAY, HOUR, tell } from "./site.ts";
import type { Site } from "./site.ts";

const ofLive = liveStory.map((story) => ({ story, hasSources: true }));
/** Rows of the original design take the source of the visit that they fall into, which the model does not know. */
const ofChanging = changingStory.map((story) => ({ story, hasSources: false }));

export function filterHistories(create: CreateRuntime, { runs }: { runs: number }): void {
  describe("filters over random histories", () => {
    test("whatever browsers, crashes, late history and time zones do, a filter and a segment say what brute force says", () =>
      fc.assert(
        fc.asyncProperty(fc.oneof(ofLive, ofChanging), ({ story, hasSources }) =>
          tell(
            create,
            async (site) => {
              await site.runtime.mutation(internal.segments.add, {
                name: "page",
                filter: "path:is:/p1",
              });
              const ofSource = { name: "source", filter: "referrerHost:isNot:news.example" };
              await site.runtime.mutation(internal.segments.add, ofSource);
              const model = await play(site, story);
              await expectFiltered(site, model, hasSources);
            },
            STARTS_AT,
          ),
        ),
        { numRuns: runs },
      ));
  });
}

const CASES: readonly [string, Condition[], Meets][] = [
  [
    "a segment of one page",
    [{ dimension: "path", operator: "is", values: ["/p1"] }],
    ({ path }) => path === "/p1",
  ],
  [
    "a segment of sources",
    [{ dimension: "referrerHost", operator: "isNot", values: ["news.example"] }],
    ({ source }) => source !== "news.example",
  ],
  [
    "a filter of pages that is asked for afterwards",
    [{ dimension: "path", operator: "containsNot", values: ["P1"] }],
    ({ path }) => path !== "/p1",
  ],
  [
    "a filter that is asked for afterwards",
    [
      { dimension: "path", operator: "matches", values: ["/p0", "/P2"] },
      { dimension: "referrerHost", operator: "contains", values: [".example"] },
    ],
    ({ path, source }) => (path === "/p0" || path === "/p2") && source !== "",
  ],
];

async function expectFiltered(site: Site, model: BruteForce, hasSources: boolean): Promise<void> {
  const now = site.runtime.now() + 1;
  const all = { from: STARTS_AT - 5 * DAY, until: now };
  await site.wakeOverdue();
  for (const [, filter] of CASES)
    await site.runtime.mutation(api.filters.ask, { range: all, filter });
  await rest(site);
  const ranges = [
    all,
    { from: now - DAY, until: now },
    { from: now - 3 * DAY - 5 * HOUR, until: now - 2 * HOUR },
  ];
  const known = CASES.filter(([, filter]) => hasSources || isOfPages(filter));
  for (const [name, filter, meets] of known) {
    const asked = { meets, isOfPages: isOfPages(filter) };
    for (const range of ranges) {
      const report = await summary(site, filter, range);
      const { from, until, progress } = report;
      expect(progress?.done, name).toBe(progress?.total);
      expect(report, name).toMatchObject(model.filtered({ from, until }, asked, "/a"));
      const series = await site.runtime.query(api.reports.timeseries, {
        range: { from, until },
        filter,
        unit: "day",
      });
      for (const { startsAt, endsAt, ...figures } of series.points) {
        const day = { from: Math.max(startsAt, from), until: Math.min(endsAt, until) };
        expect(figures, name).toMatchObject(model.filtered(day, asked, "/a"));
      }
    }
  }
}

function isOfPages(filter: Filter): boolean {
  return filter.every(({ dimension }) => dimension === "path");
}
