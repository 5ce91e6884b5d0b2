/** Owns: what must be true of visits and of the dimensions of a view, as a reader of the reports sees them. Not: the reports themselves (reports.ts). */
import { describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api.js";
import { MINUTE, NOON, tell } from "./site.ts";
import type { Hit, Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const AROUND_NOON = { from: NOON - 2 * DAY, until: NOON + 2 * DAY };

export function visits(create: CreateRuntime): void {
  describe("visits", () => {
    test("C46: two views 4 minutes apart across the hour are a visit without bounce, two 50 minutes apart are two visits", () =>
      tell(
        create,
        async (site) => {
          const start = site.runtime.now();
          await at(site, start + 5 * MINUTE, () => site.view("/a", "other"));
          await at(site, start + 55 * MINUTE, () => site.view("/b", "other"));
          await at(site, start + 58 * MINUTE, () => site.view("/a", "one"));
          await at(site, start + 62 * MINUTE, () => site.view("/b", "one"));
          await site.settleReports();
          const range = { from: start, until: start + 2 * HOUR };
          expect(await summary(site, range)).toMatchObject({
            views: 4,
            visits: 3,
            bounces: 2,
            visitors: 2,
            durationMs: about(4 * MINUTE),
          });
          const { points } = await site.runtime.query(api.reports.timeseries, { range });
          expect(points.map(({ visits, bounces }) => [visits, bounces])).toEqual([
            [3, 3],
            [0, -1],
          ]);
        },
        Date.parse("2026-11-30T10:00:00Z"),
      ));

    test("C48: a visit over midnight is one visit, active on both days, of one visitor", () =>
      tell(
        create,
        async (site) => {
          await site.view("/a", "s1");
          await at(site, Date.parse("2026-12-01T00:25:24Z"), () => site.view("/b", "s1"));
          await site.settleReports();
          const range = { firstDay: "2026-11-30", lastDay: "2026-12-01" };
          expect(await summary(site, range)).toMatchObject({
            views: 2,
            visits: 1,
            bounces: 0,
            visitors: 1,
            newVisitors: 1,
            durationMs: about(25 * MINUTE + 38_000),
          });
          const series = await site.runtime.query(api.reports.timeseries, { range, unit: "day" });
          expect(
            series.points.map(({ views, visits, visitors }) => [views, visits, visitors]),
          ).toEqual([
            [1, 1, 1],
            [1, 0, 1],
          ]);
        },
        Date.parse("2026-11-30T23:59:46Z"),
      ));

    test("a visit goes on for 30 minutes without a view and no longer, and a duplicate is no view", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.runtime.advance(30 * MINUTE);
        await site.view("/b", "s1");
        await site.runtime.advance(20 * MINUTE);
        expect(await site.view("/b", "s1")).toEqual({ outcome: "duplicate" });
        await site.runtime.advance(20 * MINUTE);
        await site.view("/c", "s1");
        const rows = await site.runtime.rows("pageViews");
        expect(rows.map(({ visitSequence }) => visitSequence)).toEqual([1, 2, 1]);
        await site.settleReports();
        expect(await summary(site, AROUND_NOON)).toMatchObject({ visits: 2, bounces: 1 });
      }));

    test("C18: whatever a browser's clock says, a view is at the server's time", () =>
      tell(create, async (site) => {
        const claimed = { timestamp: 0 };
        await expect(site.view("/a", "s1", claimed as Partial<Hit>)).rejects.toThrow();
        await site.view("/a", "s1", { eventId: `${Date.parse("1970-01-01T00:00:01Z")}` });
        const [row] = await site.runtime.rows("pageViews");
        expect(row?.timestamp).toEqual(about(NOON));
        await site.settleReports();
        const hour = await summary(site, { from: NOON, until: NOON + 1 });
        expect(hour).toMatchObject({ from: NOON, until: NOON + HOUR, views: 1, visits: 1 });
      }));

    test("entries, exits and time belong to the page that they happened on", () =>
      tell(create, async (site) => {
        await site.view("/in", "s1");
        await site.runtime.advance(2 * MINUTE);
        await site.view("/out", "s1");
        await site.view("/out", "s2");
        const pages = await rowsOf(site, "path");
        expect(pages).toMatchObject([
          { value: "/out", views: 2, visits: 1, bounces: 1, exits: 2, durationMs: 0, visitors: 2 },
          {
            value: "/in",
            views: 1,
            visits: 1,
            bounces: 0,
            exits: 0,
            durationMs: about(2 * MINUTE),
          },
        ]);
      }));
  });

  describe("dimensions", () => {
    test("C29: 20 routes after an entry from news.example are one visit from there, and the own host is no source", () =>
      tell(create, async (site) => {
        const host = "www.site.example";
        await site.view("/", "s1", { host, referrer: "https://news.example/story?id=1" });
        for (let route = 1; route <= 20; route += 1) {
          await site.view(`/p${route}`, "s1", { host, referrer: "https://site.example/" });
        }
        expect(await visitsBy(site, "referrerHost")).toEqual([["news.example", 1]]);
        expect(await visitsBy(site, "source")).toEqual([["news.example", 1]]);
        expect(await visitsBy(site, "referrer")).toEqual([["news.example/story", 1]]);
        await site.runtime.advance(2 * HOUR);
        await site.view("/later", "s1", { host, referrer: "https://site.example/" });
        expect(await visitsBy(site, "channel")).toEqual([
          ["referral", 1],
          ["internal", 1],
        ]);
        expect(await visitsBy(site, "referrerHost")).toEqual([
          ["news.example", 1],
          ["", 1],
        ]);
      }));

    test("a referrer from one of the site's own hosts is internal", () =>
      tell(create, async (site) => {
        await site.runtime.insert("sites", [
          { slug: "default", name: "Shop", timeZone: "UTC", hosts: ["pay.shop.example"] },
        ]);
        await site.view("/", "s1", {
          host: "shop.example",
          referrer: "https://pay.shop.example/done",
        });
        expect(await visitsBy(site, "channel")).toEqual([["internal", 1]]);
      }));

    test("C31: an Android app is the service behind it", () =>
      tell(create, async (site) => {
        await site.view("/", "s1", { referrer: "android-app://com.google.android.gm" });
        await site.view("/", "s2", {
          referrer: "android-app://com.google.android.googlequicksearchbox/https/www.google.com",
        });
        expect(await visitsBy(site, "channel")).toEqual([
          ["email", 1],
          ["search", 1],
        ]);
        expect(await visitsBy(site, "source")).toEqual([
          ["Gmail", 1],
          ["Google", 1],
        ]);
      }));

    test("C32: utm_source=perplexity without a referrer is an AI assistant", () =>
      tell(create, async (site) => {
        await site.view("/", "s1", { query: "?utm_source=perplexity" });
        expect(await visitsBy(site, "channel")).toEqual([["ai", 1]]);
        expect(await visitsBy(site, "source")).toEqual([["Perplexity", 1]]);
      }));

    test("C33: LinkedIn by tag in any case and by referrer is one source, and the raw tags stay", () =>
      tell(create, async (site) => {
        await site.view("/", "s1", { query: "?utm_source=linkedin" });
        await site.view("/", "s2", { query: "?utm_source=LinkedIn" });
        await site.view("/", "s3", { referrer: "https://www.linkedin.com/" });
        expect(await visitsBy(site, "source")).toEqual([["LinkedIn", 3]]);
        expect(await visitsBy(site, "utmSource")).toEqual([
          ["", 1],
          ["LinkedIn", 1],
          ["linkedin", 1],
        ]);
      }));

    test("C37: of a host only `www.` is cut", () =>
      tell(create, async (site) => {
        await site.view("/", "s1", { host: "www2.example.com" });
        await site.view("/", "s2", { host: "www.example.com:443" });
        expect(await visitsBy(site, "host")).toEqual([
          ["example.com", 1],
          ["www2.example.com", 1],
        ]);
      }));

    test("browser, system, device, screen, language, zone and country come from the view that begins the visit", () =>
      tell(create, async (site) => {
        const userAgent =
          "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
        const first = { userAgent, screenWidth: 390, language: "es-es", timeZone: "Europe/Madrid" };
        await site.view("/a", "s1", { ...first, pageType: "home" });
        await site.view("/b", "s1", { screenWidth: 2_000, language: "en", timeZone: "Asia/Tokyo" });
        const wanted = {
          browser: "Safari",
          browserVersion: "Safari 17",
          system: "iOS",
          systemVersion: "iOS 17",
          device: "mobile",
          screen: "xs",
          language: "es-ES",
          timeZone: "Europe/Madrid",
          country: "ES",
          channel: "direct",
        } as const;
        for (const [dimension, value] of Object.entries(wanted)) {
          const rows = await rowsOf(site, dimension as keyof typeof wanted);
          expect(rows).toMatchObject([{ value, views: 2, visits: 1, visitors: 1 }]);
        }
        expect((await rowsOf(site, "pageType")).map(({ value, views }) => [value, views])).toEqual([
          ["home", 1],
          ["page", 1],
        ]);
        const text = JSON.stringify(await site.runtime.rows("pageViews"), textOfBigint);
        expect(text).not.toMatch(/iPhone|AppleWebKit|17_5/);
      }));

    test("values of any length, form and spelling are clamped and counted, and no view is lost to them", () =>
      tell(create, async (site) => {
        const odd = ["x".repeat(3_000), "__proto__", "constructor", "\u0000\n\t", "%E0%A4%A", "💥"];
        for (const [place, value] of odd.entries()) {
          const query = `?utm_source=${value}&utm_campaign=${value}`;
          const facts = { query, referrer: value, host: value, language: value, timeZone: value };
          const outcome = await site.view("/", `s${place}`, { ...facts, screenWidth: -1 });
          expect(outcome).toEqual({ outcome: "counted" });
        }
        const rows = await rowsOf(site, "utmCampaign");
        expect(rows.reduce((sum, { visits }) => sum + (visits ?? NaN), 0)).toBe(odd.length);
        expect(Math.max(...rows.map(({ value }) => value.length))).toBeLessThanOrEqual(128);
        expect(rows.map(({ value }) => value)).toEqual(
          expect.arrayContaining(["__proto__", "constructor", "💥", "x".repeat(128)]),
        );
      }));
  });
}

type Dimension = Parameters<typeof rowsOf>[1];

async function at(site: Site, time: number, act: () => Promise<unknown>): Promise<void> {
  await site.runtime.advance(time - site.runtime.now());
  await act();
}

/** Two transactions of the engine never have the same time: it may be some milliseconds ahead of the clock. */
function about(ms: number): unknown {
  return expect.closeTo(ms, -2);
}

function summary(
  site: Site,
  range: { from: number; until: number } | { firstDay: string; lastDay: string },
) {
  return site.runtime.query(api.reports.summary, { range });
}

async function rowsOf(site: Site, dimension: typeof api.reports.breakdown._args.dimension) {
  await site.settleReports();
  const asked = { range: AROUND_NOON, dimension };
  return (await site.runtime.query(api.reports.breakdown, asked)).rows;
}

async function visitsBy(site: Site, dimension: Dimension): Promise<[string, number | null][]> {
  const rows = await rowsOf(site, dimension);
  return rows.map(({ value, visits }) => [value, visits]);
}

function textOfBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
