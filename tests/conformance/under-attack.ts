/** Owns: what must be true when somebody sends too much: limits, the daily cap, floods, what is sent again. Not: which hits are filtered whatever their number (sites.ts, received.ts). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { requestMetadata } from "../../engine/server/request-metadata.ts";
import { pastOf } from "./past.helpers.ts";
import type { CreateRuntime } from "./runtime.ts";
import { BOT, DAY, HOUR, MINUTE, tell } from "./site.ts";
import type { Site } from "./site.ts";
import { expectHistories } from "./visitor-histories.helpers.ts";

/** Of the ranges that are for documentation alone. */
const ADDRESS = "203.0.113.9";

/** Thousands of rows, on a runtime that walks none of them but those it is asked for. */
export function floods(create: CreateRuntime): void {
  describe("a flood", () => {
    test("C22, C21: a thousand new visitors of one address are limited, whatever address they claim, kept with the reason, and can be counted after all", () =>
      tell(create, async (site) => {
        // As the cron does a day before.
        await site.runtime.mutation(internal.salts.tend, {});
        await site.runtime.advance(1_100);
        const outcomes = new Map<string | null, number>();
        for (let hit = 0; hit < 1_000; hit += 1) {
          const claimed = { "x-forwarded-for": `198.51.100.${hit % 250}, ${ADDRESS}` };
          const { ip } = requestMetadata(claimed, "10.0.0.1", 1);
          const answer = await post(site, { sessionId: `s${hit}` }, ip ?? "none");
          const outcome = answer.headers.get("X-Footfall");
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
        const counted = outcomes.get("counted") ?? 0;
        const limited = outcomes.get("filtered; rate limit") ?? 0;
        expect(counted + limited).toBe(1_000);
        expect(limited).toBeGreaterThan(450);
        expect((await site.stats()).uniqueVisitors).toBe(counted);
        expect(await filteredOf(site)).toEqual([["rate limit", limited]]);
        // Nobody is online by heartbeats whose view was not counted.
        const beat = await post(site, { kind: "beat", sessionId: "new" }, ADDRESS);
        expect(beat.headers.get("X-Footfall")).toBe("duplicate");
        expect((await site.stats()).activeVisitors).toBe(counted);
        const other = await post(site, { sessionId: "other" }, "198.51.100.7");
        expect(other.headers.get("X-Footfall")).toBe("counted");
        await restoreAll(site, "rate limit");
        const stats = await site.stats();
        expect(stats).toMatchObject({ totalPageViews: 1_001, uniqueVisitors: 1_001 });
        for (const table of ["pageViews", "visitors", "filteredHits", "salts"]) {
          expect(textOf(await site.runtime.rows(table))).not.toContain(ADDRESS);
        }
      }));

    test("thousands of paths within a moment: an instant reader's work stays bounded, and the worker counts every one", () =>
      tell(create, async (site) => {
        const timestamp = site.runtime.now();
        const rows = Array.from({ length: 2_100 }, (_, hit) => ({
          ...{ site: "default", path: `/p${hit}`, pageType: "page", sessionId: `s${hit}` },
          ...{ timestamp, visitSequence: 1, createdVisitor: true },
        }));
        for (let from = 0; from < rows.length; from += 300) {
          await site.runtime.insertLogged("pageViews", rows.slice(from, from + 300));
        }
        const { ranges } = await site.runtime.footprint(api.stats.getStats, {});
        expect(ranges).toBeLessThanOrEqual(230);
        expect(await site.stats()).toMatchObject({ totalPageViews: 2_000, atLeast: true });
        await site.settleReports();
        expect(await site.stats()).toMatchObject({
          ...{ totalPageViews: 2_100, pagesTotal: 2_100, atLeast: false },
        });
      }));
  });
}

export function underAttack(create: CreateRuntime): void {
  describe("under attack", () => {
    test("C21: who is behind a proxy that nobody named, or on this machine, is not limited with all others", () =>
      tell(create, async (site) => {
        for (let hit = 0; hit < 230; hit += 1) {
          const answer = await post(site, { sessionId: `s${hit}` }, "192.168.0.7");
          expect(answer.headers.get("X-Footfall")).toBe("counted");
        }
      }));

    test("one visitor cannot send views without end, and has some again after a while; a person never notices", () =>
      tell(create, async (site) => {
        let counted = 0;
        for (let view = 0; view < 320; view += 1) {
          const { outcome } = await site.view(`/p${view}`, "s1");
          if (outcome === "counted") counted += 1;
        }
        expect(counted).toBeLessThanOrEqual(303);
        expect(counted).toBeGreaterThanOrEqual(300);
        await site.runtime.advance(MINUTE);
        expect(await site.view("/later", "s1")).toEqual({ outcome: "counted" });
        await site.view("/a", "s2");
        await site.runtime.advance(2_000);
        await site.view("/b", "s2");
        const visitors = await site.runtime.rows("visitors");
        expect(visitors.find(({ sessionId }) => sessionId === "s2")?.hitsLeft).toBeUndefined();
      }));

    test("the limits cost a known visitor's view nothing, and a first view at most one document and two ranges", () =>
      tell(create, async (site) => {
        const request = { ip: ADDRESS };
        await site.view("/a", "s0");
        await footprint(site, "/a", "first-of-day", request);
        for (const sessionId of ["s1", "s2", "s3"]) {
          const bare = await footprint(site, "/a", `bare-${sessionId}`);
          const first = await footprint(site, "/a", sessionId, request);
          expect(first.documentsWritten).toBeLessThanOrEqual(bare.documentsWritten + 1);
          expect(first.ranges).toBeLessThanOrEqual(bare.ranges + 2);
          const next = await footprint(site, "/b", sessionId, request);
          const bareNext = await footprint(site, "/b", `bare-${sessionId}`);
          expect(next.documentsWritten).toBe(bareNext.documentsWritten);
          expect(next.ranges).toBe(bareNext.ranges);
        }
      }));

    test("the daily cap is exact and in commit order, begins anew at the site's midnight, and what it left out can come back", () =>
      tell(create, async (site) => {
        const settings = { dailyCap: 5, timeZone: "America/New_York" };
        await site.runtime.mutation(internal.sites.set, settings);
        for (let view = 0; view < 8; view += 1) await site.view(`/p${view}`, `s${view % 6}`);
        await site.view("/p9", "s7", { eventId: "e9" });
        await site.settle();
        expect(await site.stats()).toMatchObject({
          ...{ totalPageViews: 5, uniqueVisitors: 5, viewsToday: 5, activeVisitors: 7 },
          pagesTotal: 5,
        });
        expect(await filteredOf(site)).toEqual([["daily cap", 4]]);
        expect((await site.runtime.rows("pageViews")).map(({ path }) => path)).toEqual([
          "/p0",
          "/p1",
          "/p2",
          "/p3",
          "/p4",
        ]);
        await site.runtime.advance(17 * HOUR - MINUTE);
        await site.view("/late", "s1");
        await site.runtime.advance(MINUTE);
        for (let view = 0; view < 6; view += 1) await site.view(`/q${view}`, "s1");
        await site.settle();
        expect(await site.stats()).toMatchObject({ totalPageViews: 10, viewsToday: 5 });
        expect(await filteredOf(site)).toEqual([["daily cap", 6]]);
        await expectHistories(site);
        await restoreAll(site, "daily cap");
        expect(await site.stats()).toMatchObject({ totalPageViews: 16, uniqueVisitors: 7 });
        await pastOf(site).work();
        expect(await pastOf(site).verify()).toMatchObject({ drift: 0, rows: 16 });
        await expectHistories(site);
      }));

    test("a flood on a capped site is counted to the cap batch by batch, and another site's worker does not wait for it", () =>
      tell(create, async (site) => {
        for (const slug of ["docs", "shop"]) {
          await site.runtime.mutation(internal.sites.add, { slug, dailyCap: 40 });
        }
        for (let hit = 0; hit < 260; hit += 1) {
          await site.view(`/p${hit}`, `s${hit}`, { site: "docs" });
        }
        await site.view("/a", "s1", { site: "shop" });
        await site.runtime.mutation(internal.worker.run, { site: "shop" });
        expect(await settledOf(site, "shop")).toMatchObject({ totalPageViews: 1 });
        const runs = [];
        while ((await flagOf(site, "docs")) !== undefined) {
          runs.push(await site.runtime.mutation(internal.worker.run, { site: "docs" }));
        }
        expect(runs.length).toBeLessThanOrEqual(6);
        expect(await settledOf(site, "docs")).toMatchObject({ totalPageViews: 40, pagesTotal: 40 });
        const filtered = await site.runtime.query(internal.stats.countFilteredHits, {
          site: "docs",
        });
        expect(filtered.count).toBe(220);
        expect(await site.runtime.rows("visitors")).toHaveLength(41);
      }));

    test("a body that is sent again and again leaves one view and nothing else, with an event id or without", () =>
      tell(create, async (site) => {
        for (const eventId of ["e1", undefined]) {
          const body = JSON.stringify({
            kind: "view",
            path: "/a",
            sessionId: `s-${eventId}`,
            eventId,
          });
          for (let times = 0; times < 20; times += 1) {
            await site.runtime.fetch("/e", { method: "POST", body }, { ip: ADDRESS });
          }
        }
        const counts = ["pageViews", "visitors", "activeSessions"].map(async (table) => {
          return (await site.runtime.rows(table)).length;
        });
        expect(await Promise.all(counts)).toEqual([2, 2, 2]);
        expect(await site.runtime.rows("presenceLog")).toEqual([]);
        expect(await site.runtime.rows("filteredHits")).toEqual([]);
      }));

    test("what is filtered is kept once however often it is sent, and past a day's number only its count", () =>
      tell(create, async (site) => {
        for (let times = 0; times < 3; times += 1) {
          await site.view("/a", "s1", { userAgent: BOT, eventId: "e1" });
        }
        expect(await filteredOf(site)).toEqual([["bot", 1]]);
        const startsAt = Math.floor(site.runtime.now() / DAY) * DAY;
        const full = (await site.runtime.rows("filteredTallies")).at(0);
        await site.runtime.remove("filteredTallies", await site.runtime.rows("filteredTallies"));
        const { _id, _creationTime, ...fields } = full ?? { _id: "" };
        const shards = Array.from({ length: 16 }, (_, shard) => ({
          ...{ ...fields, startsAt, shard, kept: 250, beyond: 0 },
        }));
        await site.runtime.insert("filteredTallies", shards);
        for (let hit = 0; hit < 30; hit += 1) await site.view(`/p${hit}`, "s2", { userAgent: BOT });
        expect(await site.runtime.rows("filteredHits")).toHaveLength(1);
        const { reasons } = await site.runtime.query(internal.stats.countFilteredHits, {});
        expect(reasons.reduce((sum, { hits }) => sum + hits, 0)).toBe(31);
        await site.runtime.advance(31 * DAY);
        await site.runtime.mutation(internal.worker.pruneFilteredHits, {});
        for (const table of ["filteredHits", "filteredTallies"]) {
          expect(await site.runtime.rows(table)).toEqual([]);
        }
      }));
  });
}

let nextEvent = 0;

function post(site: Site, fields: object, ip: string): Promise<Response> {
  const eventId = `e${(nextEvent += 1)}`;
  const body = JSON.stringify({ kind: "view", path: "/a", eventId, ...fields });
  return site.runtime.fetch("/e", { method: "POST", body }, { ip });
}

function footprint(site: Site, path: string, sessionId: string, request?: { ip: string }) {
  const view = { path, sessionId, pageType: "page" };
  return site.runtime.footprint(api.stats.recordPageView, view, request);
}

async function restoreAll(site: Site, reason: "rate limit" | "daily cap"): Promise<void> {
  await site.runtime.mutation(internal.stats.restoreFiltered, { reason });
  for (let turn = 0; turn < 20; turn += 1) {
    await site.runtime.advance(1_000);
    await site.runtime.mutation(api.stats.settle, {});
    const [job] = await site.runtime.query(internal.verdicts.list, {});
    if (job?.state === "done") return;
  }
  throw new Error("Counting after all does not end.");
}

function settledOf(site: Site, slug: string) {
  return site.runtime.query(api.stats.getStats, { site: slug, freshness: "settled" });
}

async function flagOf(site: Site, slug: string): Promise<unknown> {
  return (await site.runtime.rows("wake")).find((row) => row.site === slug)?.dueAt;
}

async function filteredOf(site: Site): Promise<[string, number][]> {
  const { reasons } = await site.runtime.query(internal.stats.countFilteredHits, {});
  return reasons.map(({ reason, hits }) => [reason, hits]);
}

function textOf(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}
