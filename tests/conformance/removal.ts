/** Owns: what is left of a site that is removed: nothing; and of the others: everything. Not: what is counted of them. */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import schema from "../../convex/schema.ts";
import { BOT, DAY, HOUR, MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

/** No other row has this word in it. */
const REMOVED = "zebra";

/** Rows that no site owns. */
const APART = ["salts", "posts", "pages", "bodies", "contentCounts"];

export function removal(create: CreateRuntime): void {
  describe("removing a site", () => {
    test("leaves nothing of it in any table of the schema and nothing planned, and the others as they were", () =>
      tell(create, async (site) => {
        await tellOfTwoSites(site);
        const before = await numbersOf(site, "default");
        const held = await tablesWith(site, REMOVED);
        const all = Object.keys(schema.tables).filter((table) => !APART.includes(table));
        expect(held).toEqual(all.sort());

        const shown = await site.runtime.mutation(internal.sites.remove, { site: REMOVED });
        expect(shown.state).toBe("dryRun");
        expect([...shown.tables.map(({ table }) => table), "sites"].sort()).toEqual(held);
        expect(await tablesWith(site, REMOVED)).toEqual(held);
        const slip = { site: REMOVED, confirm: "default" };
        await expect(site.runtime.mutation(internal.sites.remove, slip)).rejects.toThrow(/confirm/);

        await confirm(site);
        await site.runtime.advance(MINUTE);
        expect(await tablesWith(site, REMOVED)).toEqual([]);
        expect(await pendingOf(site, REMOVED)).toEqual([]);
        expect(await numbersOf(site, "default")).toEqual(before);
        const asked = { site: REMOVED };
        await expect(site.runtime.query(api.stats.getStats, asked)).rejects.toMatchObject({
          data: { code: "unknown_site" },
        });
        await site.runtime.advance(HOUR);
        await site.wakeOverdue();
        await site.sweep();
        expect(await tablesWith(site, REMOVED)).toEqual([]);

        await site.runtime.mutation(internal.sites.add, { slug: REMOVED });
        for (const path of [{}, { path: "/a" }]) {
          const days = { site: REMOVED, to: "2026-12-01", ...path };
          expect((await site.runtime.query(api.stats.countViews, days)).views).toBe(0);
        }
        const newcomers = { site: REMOVED, to: "2026-12-01" };
        expect(await site.runtime.query(api.stats.countNewVisitors, newcomers)).toBe(0);
      }));

    test("meanwhile it takes no hit, and a removal that was killed goes on by itself", () =>
      tell(create, async (site) => {
        await site.runtime.mutation(internal.sites.add, { slug: REMOVED });
        const visitors = Array.from({ length: 700 }, (_nothing, place) => ({
          ...{ site: REMOVED, sessionId: `s${place}`, lastPath: "/", recentEventIds: [] },
          ...{ firstSeenAt: NOON, lastSeenAt: NOON },
        }));
        await site.runtime.insert("visitors", visitors);
        await confirm(site);
        const [first] = await site.runtime.rows("jobs");
        const chunk = { site: REMOVED, chain: Number(first?.chain) };
        await site.runtime.mutation(internal.sites.removeChunk, chunk);
        await site.runtime.dropScheduled();
        const left = (await site.runtime.rows("visitors")).length;
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThan(700);
        await site.runtime.advance(MINUTE);
        expect(await site.runtime.rows("visitors")).toHaveLength(left);

        const hit = site.view("/a", "s1", { site: REMOVED });
        await expect(hit).rejects.toMatchObject({ data: { code: "unknown_site" } });
        const again = site.runtime.mutation(internal.sites.add, { slug: REMOVED });
        await expect(again).rejects.toMatchObject({ data: { code: "site_exists" } });
        await site.wakeOverdue();
        await site.runtime.advance(MINUTE);
        expect(await tablesWith(site, REMOVED)).toEqual([]);
        await site.runtime.mutation(internal.sites.add, { slug: REMOVED });
        expect(await site.view("/a", "s1", { site: REMOVED })).toEqual({ outcome: "counted" });
      }));

    test("the default site goes on empty, with rows of the original design gone too", () =>
      tell(create, async (site) => {
        await site.runtime.mutation(internal.sites.add, { slug: "docs", hosts: ["docs.example"] });
        await site.view("/a", "s1", { site: "default" });
        await site.view("/a", "s1", { site: "docs", host: "docs.example" });
        const old = { path: "/old", pageType: "page", sessionId: "s2", timestamp: NOON - DAY };
        await site.runtime.insert("pageViews", [old]);
        await site.settleReports();
        await site.runtime.mutation(internal.sites.remove, { site: "default", confirm: "default" });
        await site.runtime.advance(MINUTE);
        expect(await site.stats()).toMatchObject({ totalPageViews: 0, uniqueVisitors: 0 });
        expect((await site.runtime.rows("pageViews")).map((row) => row.site)).toEqual(["docs"]);
        expect(await site.view("/a", "s1")).toMatchObject({ reason: "unknown site" });
      }));
  });

  test("an operator sees how large a site is and how much it is used, of itself alone", () =>
    tell(create, async (site) => {
      await site.runtime.mutation(internal.sites.add, { slug: REMOVED });
      for (let day = 0; day < 2; day += 1) {
        for (const path of ["/a", "/b"]) await site.view(path, "s1", { site: REMOVED });
        await site.view("/a", "s1");
        await site.event("signup", "s1", { site: REMOVED });
        await site.runtime.advance(DAY);
      }
      await site.runtime.mutation(api.stats.settle, { site: REMOVED });
      const size = await site.runtime.action(internal.sites.size, { site: REMOVED });
      const views = size.find(({ table }) => table === "pageViews");
      expect(views).toMatchObject({ rows: 4, isExact: true });
      expect(views?.bytes).toBeGreaterThan(4 * 100);
      expect(size.map(({ table }) => table)).toEqual(
        expect.arrayContaining(["visitors", "paths", "events"]),
      );
      const { days, months } = await site.runtime.query(internal.sites.usage, { site: REMOVED });
      expect(days.slice(-3)).toEqual([
        { day: "2026-11-30", views: 2, events: 1 },
        { day: "2026-12-01", views: 2, events: 1 },
        { day: "2026-12-02", views: 0, events: 0 },
      ]);
      expect(months.slice(-2)).toEqual([
        { month: "2026-11", views: 2, events: 1 },
        { month: "2026-12", views: 2, events: 1 },
      ]);
    }));
}

/** Two sites with the same visitors on the same paths, until each table has a row of both. */
async function tellOfTwoSites(site: Site): Promise<void> {
  const { runtime } = site;
  await runtime.mutation(internal.sites.add, { slug: REMOVED, hosts: [`${REMOVED}.example`] });
  await runtime.action(internal.keys.create, { site: REMOVED });
  await runtime.mutation(internal.annotations.add, { site: REMOVED, text: "Opened" });
  const names = [REMOVED, "default"] as const;
  for (let day = 0; day < 2; day += 1) {
    for (const slug of names) {
      for (const path of ["/a", "/b"]) await view(site, slug, path, { eventId: `${path}-${day}` });
      const from = { site: slug, host: `${slug}.example` };
      await site.event("signup", "s1", from);
      const engaged = { sessionId: "s1", path: "/a", viewId: `/a-${day}`, scrollPercent: 50 };
      await runtime.mutation(api.stats.recordEngagement, { ...engaged, ...from });
      await view(site, slug, "/a", { userAgent: BOT });
      await view(site, slug, "/a", { host: "copy.example" });
      await runtime.mutation(api.stats.watch, { site: slug, watcherId: "reader-1" });
      await runtime.mutation(api.stats.settle, { site: slug });
    }
    await runtime.advance(DAY);
  }
  for (const slug of names) await runtime.mutation(internal.stats.verify, { site: slug });
  await runtime.advance(5 * MINUTE);
  const day = { startsAt: NOON, isForced: false };
  for (const slug of names) {
    await view(site, slug, "/c");
    const beat = { sessionId: "s1", currentPath: "/a", site: slug, host: `${slug}.example` };
    await runtime.mutation(api.stats.heartbeat, beat);
    await runtime.insert("staleDays", [{ site: slug, ...day }]);
    const staged = { unit: "hour", startsAt: NOON, part: 0, bytes: new ArrayBuffer(0) };
    await runtime.insert("stagedRollups", [{ site: slug, ...staged }]);
    const put = { table: "pageViews", row: "{}", error: "x", quarantinedAt: NOON };
    await runtime.insert("quarantine", [{ site: slug, ...put }]);
    const got = { keyId: slug, secretHash: "", gotFor: slug, expiresAt: NOON + DAY };
    await runtime.insert("unlockedTokens", [{ site: slug, ...got }]);
    const segment = { site: slug, name: "home", filter: "path:is:/a" };
    await runtime.mutation(internal.segments.add, segment);
    const meant = { site: slug, reason: "bot", dryRun: true } as const;
    await runtime.mutation(internal.stats.restoreFiltered, meant);
  }
  await runtime.advance(MINUTE);
}

function view(
  site: Site,
  slug: string,
  path: string,
  more: { userAgent?: string; host?: string; eventId?: string } = {},
) {
  return site.view(path, "s1", { site: slug, host: `${slug}.example`, ...more });
}

function confirm(site: Site) {
  return site.runtime.mutation(internal.sites.remove, { site: REMOVED, confirm: REMOVED });
}

async function tablesWith(site: Site, word: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of Object.keys(schema.tables)) {
    const rows = await site.runtime.rows(table);
    if (textOf(rows).includes(word)) found.push(table);
  }
  return found.sort();
}

async function pendingOf(site: Site, word: string) {
  const jobs = await site.runtime.scheduled();
  return jobs.filter(({ state, args }) => state === "pending" && args.includes(word));
}

async function numbersOf(site: Site, slug: string): Promise<unknown> {
  const { runtime } = site;
  const range = { from: NOON - DAY, until: NOON + 7 * DAY };
  await runtime.mutation(api.stats.settle, { site: slug });
  // The clock goes on meanwhile: the minutes of the small chart are other ones, and the worker may have run again.
  const {
    minutes,
    settledAt: _,
    ...stats
  } = await runtime.query(api.stats.getStats, { site: slug });
  return [
    { ...stats, views: minutes.map(({ views }) => views).filter((views) => views > 0) },
    await runtime.query(api.stats.countViews, { site: slug, to: "2026-12-01" }),
    await runtime.query(api.stats.countViews, { site: slug, path: "/a", to: "2026-12-01" }),
    await runtime.query(api.stats.countNewVisitors, { site: slug, to: "2026-12-01" }),
    await runtime.query(api.reports.breakdown, { site: slug, range, dimension: "path" }),
    await runtime.query(api.reports.events, { site: slug, range }),
    await runtime.query(api.reports.engagedPaths, { site: slug, range }),
    await runtime.query(internal.stats.countFilteredHits, { site: slug }),
  ];
}

function textOf(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}
