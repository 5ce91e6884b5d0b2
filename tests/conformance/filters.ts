/** Owns: what must be true of reports under a filter on every runtime. Not: what a filter is (domain/filters/). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import type { Condition, Filter } from "../../domain/filters/filter.ts";
import { FILTER_FORGOTTEN_AFTER_MS, FILTER_KEPT_UP_MS } from "../../domain/intervals.ts";
import { MAX_KEPT_FILTERS } from "../../domain/limits.ts";
import type { Range } from "./brute-force.ts";
import { pastOf } from "./past.helpers.ts";
import type { CreateRuntime } from "./runtime.ts";
import { DAY, HOUR, MINUTE, tell } from "./site.ts";
import type { Site } from "./site.ts";

const TODAY = { firstDay: "2026-11-30", lastDay: "2026-11-30" };
const ofMadrid: Condition = { dimension: "timeZone", operator: "is", values: ["Europe/Madrid"] };
const ofBlog: Condition = { dimension: "path", operator: "matches", values: ["/blog/*"] };
const MADRID = { timeZone: "Europe/Madrid" };

export function filters(create: CreateRuntime): void {
  describe("filters", () => {
    test("conditions combine: views, visits, visitors and bounces of those that meet them all, in every report", () =>
      tell(create, async (site) => {
        await seed(site);
        expect(await summary(site, [ofMadrid])).toMatchObject({
          views: 0,
          progress: { done: 0, total: 1 },
        });
        await ask(site, [ofMadrid]);
        expect(await summary(site, [ofMadrid])).toMatchObject({
          ...{ views: 5, visits: 2, visitors: 2, bounces: 1 },
          progress: { done: 1, total: 1 },
        });
        await ask(site, [ofBlog, ofMadrid]);
        const both = await summary(site, [ofMadrid, ofBlog]);
        expect(both).toMatchObject({ views: 3, visits: 2, visitors: 2, bounces: 1 });
        expect(Math.round((both.durationMs ?? 0) / MINUTE)).toBe(2);
        const range = TODAY;
        const filter = [ofBlog, ofMadrid];
        const paths = await site.runtime.query(api.reports.breakdown, {
          range,
          filter,
          dimension: "path",
        });
        expect(paths.rows.map(({ value, views, visitors }) => [value, views, visitors])).toEqual([
          ["/blog/a", 2, 2],
          ["/blog/b", 1, 1],
        ]);
        const zones = await site.runtime.query(api.reports.breakdown, {
          range,
          filter,
          dimension: "timeZone",
        });
        expect(zones.rows.map(({ value, views }) => [value, views])).toEqual([
          ["Europe/Madrid", 3],
        ]);
        const { points } = await site.runtime.query(api.reports.timeseries, {
          range,
          filter,
          unit: "hour",
        });
        expect(points.filter(({ views }) => views > 0).map(({ views }) => views)).toEqual([3]);
      }));

    test("today is live: what is rolled up is in the filter's figures a moment later, as long as it is asked for", () =>
      tell(create, async (site) => {
        await seed(site);
        await ask(site, [ofMadrid]);
        await site.view("/late", "s9", MADRID);
        await site.event("signup", "s9", { path: "/late" });
        await rest(site);
        expect(await summary(site, [ofMadrid])).toMatchObject({
          views: 6,
          visitors: 3,
          events: 1,
          bounces: 1,
        });
        await site.runtime.advance(FILTER_KEPT_UP_MS + MINUTE);
        await site.view("/later", "s9", MADRID);
        await rest(site);
        expect(await summary(site, [ofMadrid])).toMatchObject({ views: 6 });
        await ask(site, [ofMadrid]);
        expect(await summary(site, [ofMadrid])).toMatchObject({ views: 7, visitors: 3 });
      }));

    test("a job that dies goes on from where it was when the watchdog looks, and counts nothing twice", () =>
      tell(create, async (site) => {
        await seed(site);
        await site.settleReports();
        await site.runtime.mutation(api.filters.ask, { range: TODAY, filter: [ofMadrid] });
        await site.runtime.dropScheduled();
        expect((await summary(site, [ofMadrid])).progress).toEqual({ done: 0, total: 1 });
        await site.wakeOverdue();
        await site.runtime.advance(2_000);
        expect(await summary(site, [ofMadrid])).toMatchObject({
          views: 5,
          progress: { done: 1, total: 1 },
        });
      }));

    test("a segment is made of the whole log and kept up unasked; sealed days are days, and it answers like any report", () =>
      tell(create, async (site) => {
        await seed(site);
        await site.settleReports();
        const named = {
          name: "Blog of Madrid",
          filter: "timeZone:is:Europe/Madrid;path:matches:/blog/*",
        };
        const segment = await site.runtime.mutation(internal.segments.add, named);
        expect(segment.filter).toEqual([ofBlog, ofMadrid]);
        await site.runtime.advance(DAY);
        await site.view("/blog/c", "s2", MADRID);
        await pastOf(site).work();
        await rest(site);
        const range = { firstDay: "2026-11-29", lastDay: "2026-12-01" };
        expect(await summary(site, segment.filter, range)).toMatchObject({
          ...{ views: 4, visitors: 2, progress: { done: 2, total: 2 } },
        });
        const days = (await site.runtime.rows("filterDays")).map(({ isSealed }) => isSealed);
        expect(days.sort()).toEqual([false, true]);
        expect(await site.runtime.query(api.filters.segments, {})).toEqual([segment]);
        expect(await site.runtime.mutation(internal.segments.remove, { name: named.name })).toBe(
          true,
        );
        expect(await site.runtime.mutation(internal.segments.remove, { name: named.name })).toBe(
          false,
        );
        expect(await site.runtime.query(api.filters.segments, {})).toEqual([]);
      }));

    test("what is no filter, or asks for too much, is refused", () =>
      tell(create, async (site) => {
        const nothing: Condition = { dimension: "path", operator: "contains", values: [""] };
        const many = Array.from({ length: 9 }, (): Condition => ofMadrid);
        for (const filter of [[nothing], many, [{ ...ofMadrid, values: [] }]]) {
          await expect(
            site.runtime.query(api.reports.summary, { range: TODAY, filter }),
          ).rejects.toThrow("invalid_filter");
          await expect(
            site.runtime.mutation(api.filters.ask, { range: TODAY, filter }),
          ).rejects.toThrow("invalid_filter");
        }
        const bad = { name: "x", filter: "hour:is:3" };
        await expect(site.runtime.mutation(internal.segments.add, bad)).rejects.toThrow(
          "invalid_filter",
        );
        for (let asked = 0; asked < 40; asked += 1) await askOnce(site, `/p${asked}`);
        await expect(askOnce(site, "/p40")).rejects.toThrow("too_many_filters");
        const kept = (await site.runtime.rows("filters")).filter(
          ({ goneSince }) => goneSince === undefined,
        );
        expect(kept).toHaveLength(MAX_KEPT_FILTERS);
      }));

    test("a filter that nobody asks for is forgotten, and a removed site leaves nothing of its filters", () =>
      tell(create, async (site) => {
        await seed(site);
        await ask(site, [ofMadrid]);
        await site.runtime.advance(FILTER_FORGOTTEN_AFTER_MS + HOUR);
        await site.wakeOverdue();
        await rest(site);
        expect(await leftovers(site)).toEqual([0, 0, 0]);
        await ask(site, [ofMadrid], { firstDay: "2026-11-30", lastDay: "2026-12-03" });
        expect((await leftovers(site))[0]).toBe(1);
        await site.runtime.mutation(internal.sites.remove, { site: "default", confirm: "default" });
        for (let turn = 0; turn < 60; turn += 1) await site.runtime.advance(1_000);
        expect(await leftovers(site)).toEqual([0, 0, 0]);
        expect(await site.runtime.rows("filterWork")).toEqual([]);
      }));
  });
}

/** Visitors s1 and s2 are of Madrid, s3 is not. */
async function seed(site: Site): Promise<void> {
  await site.view("/blog/a", "s1", MADRID);
  await site.runtime.advance(MINUTE);
  await site.view("/", "s1");
  await site.runtime.advance(MINUTE);
  await site.view("/blog/b", "s1");
  await site.runtime.advance(MINUTE);
  await site.view("/shop", "s1");
  await site.view("/blog/a", "s3", { timeZone: "Asia/Kathmandu" });
  await site.view("/blog/a", "s2", MADRID);
}

async function askOnce(site: Site, path: string): Promise<null> {
  const filter: Filter = [{ dimension: "path", operator: "is", values: [path] }];
  return await site.runtime.mutation(api.filters.ask, { range: TODAY, filter: [...filter] });
}

async function ask(site: Site, filter: Condition[], range: Asked = TODAY): Promise<void> {
  await site.settleReports();
  await site.runtime.mutation(api.filters.ask, { range, filter });
  await rest(site);
}

/** Lets the worker and the filters' work run until nothing is left. */
export async function rest(site: Site): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) {
    await site.settleReports();
    await site.runtime.advance(1_000);
    const [work] = await site.runtime.rows("filterWork");
    if (work?.["nextStep"] === undefined) return;
  }
  throw new Error("The work on the filters does not end.");
}

export type Asked = { firstDay: string; lastDay: string } | Range;

export async function summary(site: Site, filter: Condition[], range: Asked = TODAY) {
  return await site.runtime.query(api.reports.summary, { range, filter });
}

/** Filters, their days and their roll-ups. */
async function leftovers(site: Site): Promise<number[]> {
  const owned = (await site.runtime.rows("rollups")).filter((row) =>
    String(row["site"]).includes("/"),
  );
  const rows = await Promise.all([site.runtime.rows("filters"), site.runtime.rows("filterDays")]);
  return [...rows.map(({ length }) => length), owned.length];
}
