/** Owns: what must be true of the reports and of the roll-ups under them on every runtime. Not: what a visit or a value is (visits.ts). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function reports(create: CreateRuntime): void {
  describe("reports", () => {
    test("C50: visitors A, B, C on one day and B, C, D on the next are 4 over both", () =>
      tell(create, async (site) => {
        for (const visitor of ["A", "B", "C"]) await site.view("/a", visitor);
        await site.runtime.advance(DAY);
        for (const visitor of ["B", "C", "D"]) await site.view("/a", visitor);
        await site.settleReports();
        const both = { firstDay: "2026-11-30", lastDay: "2026-12-01" };
        expect(await visitorsIn(site, both)).toEqual([4, 4]);
        expect(await visitorsIn(site, { ...both, firstDay: "2026-12-01" })).toEqual([3, 1]);
        expect(await visitorsIn(site, { ...both, lastDay: "2026-11-30" })).toEqual([3, 3]);
        const only = { dimension: "path", value: "/a" } as const;
        expect((await summary(site, both, only)).visitors).toBe(4);
      }));

    test("C60: a day of 23 hours in Madrid and one of 25 in New York have as many buckets, and their totals are the day's", async () => {
      const views = ["2020-03-29T00:30:00Z", "2020-03-29T01:30:00Z", "2020-03-29T12:00:00Z"];
      const madrid = { timeZone: "Europe/Madrid", day: "2020-03-29", views };
      const spring = await hoursOfDay(create, madrid);
      expect(spring).toHaveLength(23);
      expect(spring.filter((hour) => hour > 0)).toEqual([1, 1, 1]);

      const fold = ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"];
      const newYork = { timeZone: "America/New_York", day: "2026-11-01", views: fold };
      const autumn = await hoursOfDay(create, newYork);
      expect(autumn).toHaveLength(25);
      expect(autumn.slice(0, 4)).toEqual([0, 1, 1, 0]);
    });

    test("while somebody watches, a view is in the reports within 5 seconds", () =>
      tell(create, async (site) => {
        await site.watchFor(30_000);
        for (let views = 1; views <= 12; views += 1) {
          await site.view(`/p${views}`, "s1");
          await site.runtime.advance(700);
        }
        expect((await summary(site, TODAY)).views).toBeGreaterThanOrEqual(12 - 7);
        await site.runtime.advance(5_300);
        expect((await summary(site, TODAY)).views).toBe(12);
      }));

    test("while nobody watches, a view is in the reports within 5 minutes, and at once for who begins to watch or settles", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.runtime.advance(5 * MINUTE + 1_000);
        expect((await summary(site, TODAY)).views).toBe(1);
        await site.view("/b", "s1");
        await site.watch();
        await site.runtime.advance(2_000);
        await site.runtime.advance(4_000);
        expect((await summary(site, TODAY)).views).toBe(2);
        await site.runtime.advance(10 * MINUTE);
        await site.view("/c", "s1");
        expect((await summary(site, TODAY)).views).toBe(2);
        await site.settleReports();
        expect((await summary(site, TODAY)).views).toBe(3);
      }));

    test("settling twice, or beside the worker, adds nothing", () =>
      tell(create, async (site) => {
        for (let view = 0; view < 20; view += 1) await site.view(`/p${view}`, `s${view % 3}`);
        await Promise.all([site.settleReports(), site.settleReports()]);
        const before = await site.runtime.rows("rollups");
        await site.settleReports();
        await site.settle();
        expect((await site.runtime.rows("rollups")).map(withoutIds)).toEqual(
          before.map(withoutIds),
        );
        expect(await summary(site, TODAY)).toMatchObject({ views: 20, visits: 3, visitors: 3 });
      }));

    test("I3: the rows of every dimension add up to the total, listed or not", () =>
      tell(create, async (site) => {
        for (let view = 0; view < 30; view += 1) {
          const referrer = `https://r${view % 7}.example/${view}`;
          const timeZone = ["Europe/Madrid", "Asia/Kathmandu"][view % 2] ?? "";
          await site.view(`/p${view % 9}`, `s${view % 11}`, { referrer, timeZone });
          await site.runtime.advance(7 * MINUTE);
        }
        await site.settleReports();
        const total = await summary(site, TODAY);
        for (const dimension of [
          "path",
          "referrerHost",
          "country",
          "hour",
          "weekdayHour",
        ] as const) {
          for (const limit of [2, 100]) {
            const report = await breakdown(site, { dimension, limit });
            const all = [...report.rows, ...(report.rest === null ? [] : [report.rest])];
            expect(sumOf(all, "views")).toBe(total.views);
            expect(sumOf(all, "visits")).toBe(total.visits);
            expect(report.complete).toBe(true);
            expect(report.countryBy).toBe(dimension === "country" ? "timeZone" : null);
            const hasRest = report.valuesTotal > limit;
            expect(report.rest !== null).toBe(hasRest);
            if (dimension !== "path") expect(sumOf(all, "visitors")).toBe(total.visitors);
          }
        }
      }));

    test("rows are ranked by the figure that is asked for", () =>
      tell(create, async (site) => {
        for (const visitor of ["s1", "s2"]) await site.view("/visitors", visitor);
        for (let view = 0; view < 3; view += 1) {
          await site.view("/views", "s3");
          await site.runtime.advance(31 * MINUTE);
        }
        await site.settleReports();
        const byViews = await breakdown(site, { dimension: "path" });
        const byVisitors = await breakdown(site, { dimension: "path", rankBy: "visitors" });
        expect(byViews.rows.map(({ value }) => value)).toEqual(["/views", "/visitors"]);
        expect(byVisitors.rows.map(({ value }) => value)).toEqual(["/visitors", "/views"]);
        expect(byVisitors).toMatchObject({ visitorsBy: "page", valuesTotal: 2, rest: null });
      }));

    test("a series has a point for every bucket of its range, also for those without views", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.settleReports();
        const week = { firstDay: "2026-11-28", lastDay: "2026-12-04" };
        const ask = (unit?: "hour" | "day" | "week" | "month") =>
          site.runtime.query(api.reports.timeseries, {
            range: week,
            ...(unit === undefined ? {} : { unit }),
          });
        for (const [unit, length] of [
          ["hour", 7 * 24],
          ["day", 7],
          ["week", 2],
          ["month", 2],
        ] as const) {
          const { points, ...report } = await ask(unit);
          expect(report.unit).toBe(unit);
          expect(points).toHaveLength(length);
          expect(sumOf(points, "views")).toBe(1);
          expect(points.every(({ startsAt, endsAt }) => startsAt < endsAt)).toBe(true);
        }
        expect((await ask()).unit).toBe("day");
      }));

    test("hours are not given for a month: the next larger unit is, and the report says so", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.settleReports();
        const range = { firstDay: "2026-11-01", lastDay: "2026-11-30" };
        const report = await site.runtime.query(api.reports.timeseries, { range, unit: "hour" });
        expect(report.unit).toBe("day");
        expect(report.points).toHaveLength(30);
        expect(sumOf(report.points, "views")).toBe(1);
      }));

    test.each([
      ["an empty range", { from: 5, until: 5 }],
      ["a range that ends before it begins", { firstDay: "2026-11-30", lastDay: "2026-11-29" }],
      ["a day that does not exist", { firstDay: "2026-02-30", lastDay: "2026-03-01" }],
      ["a century", { from: 0, until: NOON + 60 * 365 * DAY }],
      ["a year that no clock reaches", { from: 8.63e15, until: 8.64e15 }],
      ["no instant at all", { from: Number.NaN, until: NOON }],
    ])("%s is a coded error", (_name, range) =>
      tell(create, async (site) => {
        const data = { code: "invalid_range" };
        await expect(summary(site, range)).rejects.toMatchObject({ data });
        const series = site.runtime.query(api.reports.timeseries, { range });
        await expect(series).rejects.toMatchObject({ data });
      }),
    );

    test("an unknown site is a coded error", () =>
      tell(create, async (site) => {
        const asked = site.runtime.query(api.reports.summary, { site: "shop", range: TODAY });
        await expect(asked).rejects.toMatchObject({ data: { code: "unknown_site" } });
        const settled = site.runtime.mutation(api.stats.settle, { site: "shop" });
        await expect(settled).rejects.toMatchObject({ data: { code: "unknown_site" } });
      }));

    test("a view that brings all it knows writes at most 3 documents and reads at most 6 ranges, and a report reads at most 6", () =>
      tell(create, async (site) => {
        await site.view("/a", "s0");
        const facts = { referrer: "https://news.example/", query: "?utm_source=x", language: "en" };
        const view = await site.runtime.footprint(api.stats.recordPageView, {
          ...{ path: "/b", pageType: "page", sessionId: "s1", host: "site.example" },
          ...{ ...facts, screenWidth: 800, timeZone: "Europe/Madrid" },
        });
        expect(view.documentsWritten).toBeLessThanOrEqual(3);
        expect(view.ranges).toBeLessThanOrEqual(6);
        await site.settleReports();
        const range = { firstDay: "2025-12-01", lastDay: "2026-11-30" };
        for (const [report, args] of [
          [api.reports.summary, { range }],
          [api.reports.timeseries, { range }],
          [api.reports.breakdown, { range, dimension: "path" as const }],
        ] as const) {
          expect((await site.runtime.footprint(report, args)).ranges).toBeLessThanOrEqual(6);
        }
      }));
  });
}

const TODAY = { from: NOON - (NOON % DAY), until: NOON - (NOON % DAY) + 2 * DAY };

type Range = { from: number; until: number } | { firstDay: string; lastDay: string };
type Only = { dimension: "path" | "country"; value: string };

function summary(site: Site, range: Range, only?: Only) {
  const focus = only === undefined ? {} : { only };
  return site.runtime.query(api.reports.summary, { range, ...focus });
}

async function visitorsIn(site: Site, range: Range): Promise<[number | null, number | null]> {
  const { visitors, newVisitors } = await summary(site, range);
  return [visitors, newVisitors];
}

function breakdown(
  site: Site,
  asked: {
    dimension: typeof api.reports.breakdown._args.dimension;
    limit?: number;
    rankBy?: "visitors";
  },
) {
  return site.runtime.query(api.reports.breakdown, { range: TODAY, ...asked });
}

function sumOf<Name extends string>(
  rows: readonly Record<Name, number | null>[],
  name: Name,
): number {
  return rows.reduce((sum, row) => sum + (row[name] ?? NaN), 0);
}

/** Views of each hour of a local day. */
async function hoursOfDay(
  create: CreateRuntime,
  { timeZone, day, views }: { timeZone: string; day: string; views: string[] },
): Promise<number[]> {
  const hours: number[] = [];
  await tell(
    create,
    async (site) => {
      await site.runtime.mutation(internal.sites.ensureDefault, { timeZone });
      for (const [place, time] of views.entries()) {
        await site.runtime.advance(Date.parse(time) - site.runtime.now());
        await site.view("/a", `s${place}`);
      }
      await site.settleReports();
      const range = { firstDay: day, lastDay: day };
      const { points } = await site.runtime.query(api.reports.timeseries, { range });
      hours.push(...points.map((point) => point.views));
      expect((await summary(site, range)).views).toBe(sumOf(points, "views"));
      const whole = await site.runtime.query(api.reports.timeseries, { range, unit: "day" });
      expect(whole.points.map((point) => point.views)).toEqual([views.length]);
    },
    Date.parse(views[0] ?? ""),
  );
  return hours;
}

function withoutIds({ _id, _creationTime, bytes, ...row }: Record<string, unknown>) {
  return { ...row, bytes: bytes instanceof ArrayBuffer ? [...new Uint8Array(bytes)] : null };
}
