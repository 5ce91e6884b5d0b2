/** Owns: what is told of a site's now: who came and went last, and how many were online at most in each five minutes. Not: how many are online (presence.ts). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { BOT, DAY, HOUR, MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import { BROWSER } from "./runtime.ts";
import type { CreateRuntime } from "./runtime.ts";

const SECOND = 1_000;
/** As the worker counts a view while somebody watches, and its roll-up. */
const SHOWN_MS = 10 * SECOND;
/** Place of noon among the five minutes of a day in UTC. */
const NOON_SLOT = 144;

export function now(create: CreateRuntime): void {
  describe("comings and goings", () => {
    test("while somebody watches, the last are told, the newest first, as the reports name them and with nothing else", () =>
      tell(create, async (site) => {
        await site.watch();
        const from = { timeZone: "Europe/Madrid", referrer: "https://www.google.com/" };
        await site.view("/a", "s1", { ...from, userAgent: BROWSER });
        await later(site);
        await site.view("/b", "s1");
        await later(site);
        await site.beat("/c", "s1");
        await site.view("/b", "s2", { userAgent: BOT });
        await site.view("/b", "s3", { isPrivate: true });
        await later(site);
        await site.leave("s1");
        await later(site);
        await site.beat("/a", "s1");
        await site.watchFor(SHOWN_MS);
        const known = { source: "Google", country: "ES", device: "desktop" };
        const list = await movements(site);
        expect(list?.map(({ at: _, ...told }) => told)).toEqual([
          { kind: "came", path: "/a" },
          { kind: "went", path: "/c" },
          { kind: "moved", path: "/c", from: "/b" },
          { kind: "moved", path: "/b", from: "/a" },
          { kind: "came", path: "/a", ...known },
        ]);
        expect(JSON.stringify(list)).not.toContain("s1");
        const times = list?.map(({ at }) => at) ?? [];
        expect([...times].sort((one, other) => other - one)).toEqual(times);
      }));

    test("who vanishes goes when that is noticed, as many as they were; and at most twenty are told", () =>
      tell(create, async (site) => {
        await site.watch();
        await site.view("/a", "s1");
        await site.watchFor(3 * MINUTE);
        const [gone] = (await movements(site)) ?? [];
        expect(gone).toMatchObject({ kind: "went", path: "/a" });
        const swept = { paths: ["/a", "/b"], sessions: [2, 1] };
        await site.runtime.insertLogged("presenceLog", [{ site: "default", left: swept }]);
        await site.settle();
        await site.settleReports();
        const told = (await movements(site))
          ?.slice(0, 2)
          .map(({ path, sessions }) => [path, sessions]);
        expect(told).toEqual([
          ["/b", undefined],
          ["/a", 2],
        ]);
        for (let who = 0; who < 25; who += 1) await site.view(`/p${who}`, `m${who}`);
        await site.watchFor(SHOWN_MS);
        const list = await movements(site);
        expect(list).toHaveLength(20);
        expect(list?.[0]?.path).toBe("/p24");
      }));

    test("while nobody watches nothing is noted, and what is older goes rather than have a hole after it", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.settle();
        expect(await site.runtime.rows("movements")).toEqual([]);
        await site.watch();
        await site.view("/b", "s1");
        await site.watchFor(SHOWN_MS);
        expect((await movements(site))?.map(({ path }) => path)).toEqual(["/b"]);
        // A batch without any is no hole.
        await site.view("/x", "s9", { isPrivate: true });
        await site.watchFor(SHOWN_MS);
        await site.view("/e", "s1");
        await site.watchFor(SHOWN_MS);
        expect((await movements(site))?.map(({ path }) => path)).toEqual(["/e", "/b"]);
        await site.runtime.advance(5 * MINUTE);
        await site.view("/c", "s2");
        await site.settle();
        await site.settleReports();
        await site.watch();
        await site.view("/d", "s2");
        await site.watchFor(SHOWN_MS);
        const since = await movements(site);
        expect(since?.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
          "moved /d",
          "went /e",
        ]);
      }));
  });

  describe("online by time", () => {
    test("each five minutes have the most that were online at once, whoever watches", () =>
      tell(create, async (site) => {
        for (const who of ["s1", "s2", "s3"]) await site.view("/a", who);
        await site.leave("s3");
        await site.settle();
        for (let beats = 0; beats < 12; beats += 1) {
          await site.runtime.advance(MINUTE);
          for (const who of ["s1", "s2"]) await site.beat("/a", who);
        }
        for (const who of ["s1", "s2"]) await site.leave(who);
        await site.settle();
        const told = await onlineByTime(site);
        expect(told?.day).toMatchObject({ day: "2026-11-30", startsAt: NOON - 12 * HOUR });
        expect(told?.day.peaks).toHaveLength(NOON_SLOT + 3);
        expect(told?.day.peaks.slice(NOON_SLOT)).toEqual([3, 2, 2]);
        expect(told?.weekBefore).toBeNull();
        expect(await site.runtime.rows("onlineDays")).toHaveLength(1);
      }));

    test("a day stands beside the same weekday of the week before, and days older than four weeks go", () =>
      tell(create, async (site) => {
        const days = [-29, -28, -7].map((day) => NOON - 12 * HOUR + day * DAY);
        await site.runtime.insert(
          "onlineDays",
          days.map((startsAt) => ({ site: "default", startsAt, peaks: "1 2" })),
        );
        await site.view("/a", "s1");
        await site.leave("s1");
        await site.settle();
        const told = await onlineByTime(site);
        expect(told?.weekBefore).toMatchObject({ day: "2026-11-23", peaks: [1, 2] });
        expect(told?.day.peaks.at(-1)).toBe(1);
        const left = (await site.runtime.rows("onlineDays")).map(({ startsAt }) => startsAt);
        expect(left).toEqual([...days.slice(1), NOON - 12 * HOUR]);
        const asked = await site.runtime.query(api.now.onlineByTime, { day: "2026-11-23" });
        expect(asked?.day.peaks).toEqual([1, 2]);
        const none = site.runtime.query(api.now.onlineByTime, { day: "2026-02-30" });
        await expect(none).rejects.toMatchObject({ data: { code: "invalid_range" } });
      }));

    test("another time zone has other days, and what was recorded stays at its time", () =>
      tell(create, async (site) => {
        const day = { site: "default", startsAt: NOON - 12 * HOUR, peaks: "4 0 7" };
        await site.runtime.insert("onlineDays", [day]);
        await site.view("/a", "s1");
        await site.leave("s1");
        await site.settle();
        await site.runtime.mutation(internal.sites.ensureDefault, { timeZone: "Asia/Kolkata" });
        const told = await onlineByTime(site);
        expect(told?.day.startsAt).toBe(NOON - 17.5 * HOUR);
        const recorded = told?.day.peaks.flatMap((most, place) =>
          most > 0 ? [[place, most]] : [],
        );
        // Half past five, ten minutes later, and half past five in the afternoon.
        expect(recorded).toEqual([
          [66, 4],
          [68, 7],
          [NOON_SLOT + 66, 1],
        ]);
        await site.runtime.mutation(internal.sites.ensureDefault, { timeZone: "UTC" });
        expect((await onlineByTime(site))?.day.peaks.slice(0, 3)).toEqual([4, 0, 7]);
        expect(await site.runtime.rows("onlineDays")).toHaveLength(1);
      }));

    test("a run within the same five minutes touches no row of a day, and one that passes them a single one", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.settle();
        await site.view("/b", "s1");
        const args = { site: "default" };
        const within = await site.runtime.footprint(internal.worker.settleBatch, args);
        expect(within.documentsWritten).toBe(2);
        await site.settle();
        await site.runtime.advance(6 * MINUTE);
        await site.view("/c", "s1");
        const past = await site.runtime.footprint(internal.worker.settleBatch, args);
        expect(past.documentsWritten).toBe(3);
        expect(past.ranges - within.ranges).toBeLessThanOrEqual(2);
      }));

    test("of a backlog that takes several batches nobody leaves before they have come", () =>
      tell(create, async (site) => {
        await site.view("/a", "s0");
        await site.settle();
        const viewsOf = (from: number, count: number) =>
          Array.from({ length: count }, (_, place) => ({
            ...{ site: "default", path: "/a", pageType: "page", sessionId: `m${from + place}` },
            ...{ timestamp: site.runtime.now(), visitSequence: 1, createdVisitor: true },
          }));
        await site.runtime.insertLogged("pageViews", viewsOf(0, 400));
        await site.runtime.insertLogged("pageViews", viewsOf(400, 60));
        const gone = { site: "default", from: "/a", sessions: 461 };
        await site.runtime.insertLogged("presenceLog", [gone]);
        await site.settle();
        expect((await site.settled()).activeVisitors).toBe(0);
        expect((await onlineByTime(site))?.day.peaks.at(-1)).toBe(461);
      }));
  });

  test("a site that tells nobody apart tells neither, and no site tells another's", () =>
    tell(create, async (site) => {
      const { runtime } = site;
      await runtime.mutation(internal.sites.add, { slug: "docs" });
      await runtime.mutation(internal.sites.add, { slug: "quiet" });
      await runtime.mutation(internal.sites.set, { site: "quiet", visitorMode: "none" });
      for (const slug of ["docs", "quiet"]) {
        await runtime.mutation(api.stats.watch, { site: slug, watcherId: "reader-1" });
        await site.view("/a", "s1", { site: slug });
      }
      await runtime.advance(SHOWN_MS);
      await site.runtime.mutation(api.stats.leave, { site: "docs", sessionId: "s1" });
      await runtime.advance(SHOWN_MS);
      const asked = (slug: string) => runtime.query(api.now.movements, { site: slug });
      expect((await asked("docs"))?.map(({ kind }) => kind)).toEqual(["went", "came"]);
      expect(await asked("quiet")).toBeNull();
      expect(await movements(site)).toEqual([]);
      expect(await runtime.query(api.now.onlineByTime, { site: "quiet" })).toBeNull();
      const ofDocs = await runtime.query(api.now.onlineByTime, { site: "docs" });
      expect(ofDocs?.day.peaks.at(-1)).toBe(1);
      expect((await onlineByTime(site))?.day.peaks).toEqual([]);
    }));
}

const movements = ({ runtime }: Site) => runtime.query(api.now.movements, {});
const onlineByTime = ({ runtime }: Site) => runtime.query(api.now.onlineByTime, {});
const later = ({ runtime }: Site) => runtime.advance(SECOND);
