/**
 * Owns: what becomes of engaged time, scroll depth and Web Vitals that pages report, and what a reader is told of them.
 * Not: sealed days, proofs and repairs of them (engagement-past.ts).
 */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { engagementOn } from "./engagement.helpers.ts";
import { BOT, MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

export function engagement(create: CreateRuntime): void {
  describe("engagement", () => {
    test("C54: one page read for 6 minutes and closed has a visit of no duration and 360 s of engaged time", () =>
      tell(create, async (site) => {
        const { view, report, figures } = engagementOn(site);
        await view("s1", "/a");
        await site.runtime.advance(6 * MINUTE + 1_000);
        const said = { engagedMs: 6 * MINUTE, scrollPercent: 100 };
        expect(await report("s1", "/a", said)).toEqual({ outcome: "counted" });
        await site.leave("s1", { path: "/a" });
        await site.settleReports();
        const range = { from: NOON, until: NOON + 60 * MINUTE };
        const summary = await site.runtime.query(api.reports.summary, { range });
        expect(summary).toMatchObject({ views: 1, durationMs: 0, bounces: 1 });
        for (const asked of [{}, { path: "/a/" }]) {
          expect(await figures(asked)).toMatchObject({
            ...{ views: 1, engagedMs: 360_000, averageEngagedMs: 360_000, complete: true },
            scroll: { p25: 100, p50: 100, p75: 100 },
          });
        }
      }));

    test("C55: 11 hours of a view that is a minute old are a minute, and of one that is 11 hours old no more than was said", () =>
      tell(create, async (site) => {
        const { view, report, figures } = engagementOn(site);
        await view("s1", "/a");
        await site.runtime.advance(MINUTE);
        await report("s1", "/a", { engagedMs: 11 * 60 * MINUTE });
        await site.settleReports();
        const { engagedMs } = await figures();
        expect(engagedMs).toBeGreaterThan(MINUTE - 1_000);
        expect(engagedMs).toBeLessThan(MINUTE + 5_000);
        await site.runtime.advance(11 * 60 * MINUTE);
        await report("s1", "/a", { engagedMs: 2 * MINUTE });
        await site.settleReports();
        expect((await figures()).engagedMs).toBe(2 * MINUTE);
        expect((await site.stats()).activeVisitors).toBe(0);
      }));

    test("resends, losses and reordering change nothing: the highest of each figure counts, once", () =>
      tell(create, async (site) => {
        const { view, report, figures } = engagementOn(site);
        await view("s1", "/a");
        await site.runtime.advance(10 * MINUTE);
        const last = { engagedMs: 90_000, scrollPercent: 80, vitals: { lcpMs: 1_800, cls: 0.02 } };
        expect(await report("s1", "/a", last)).toEqual({ outcome: "counted" });
        for (const older of [last, { engagedMs: 30_000, scrollPercent: 30 }, {}]) {
          expect(await report("s1", "/a", older)).toEqual({ outcome: "duplicate" });
        }
        await site.settleReports();
        expect(await report("s1", "/a", { vitals: { cls: 0.3 } })).toEqual({ outcome: "counted" });
        await site.settleReports();
        const { vitals, ...said } = await figures();
        expect(said).toMatchObject({ views: 1, engagedMs: 90_000, scroll: { p50: 80 } });
        expect(said.reached.map(({ views }) => views)).toEqual([1, 1, 1, 0]);
        expect(
          vitals.map(({ name, views, goodViews, poorViews }) => [
            name,
            views,
            goodViews,
            poorViews,
          ]),
        ).toEqual([
          ["lcpMs", 1, 1, 0],
          ["cls", 1, 0, 1],
        ]);
      }));

    test("a view that a program touched is no person's until the browser's own input comes, whatever comes again or late; told of the site and of each page", () =>
      tell(create, async (site) => {
        const { view, report, figures, paths } = engagementOn(site);
        for (const who of ["s1", "s2", "s3"]) await view(who, "/a");
        await view("s1", "/b");
        await site.runtime.advance(MINUTE);
        await report("s3", "/a", { engagedMs: 5 });
        await site.settleReports();
        expect((await figures()).interacting).toBe(null);
        for (const [said, outcome] of [
          ["synthetic", "counted"],
          ["synthetic", "duplicate"],
          ["5-30s", "counted"],
          ["synthetic", "duplicate"],
          ["30s+", "duplicate"],
          ["5-30s", "duplicate"],
        ] as const) {
          expect(await report("s1", "/a", { human: said }), said).toEqual({ outcome });
          await site.settleReports();
        }
        await report("s2", "/a", { human: "synthetic", engagedMs: 900 });
        await report("s1", "/b", { human: "0-1s" });
        await site.settleReports();
        const { views, interacting } = await figures();
        expect([views, interacting]).toMatchObject([4, { people: 2, synthetic: 1 }]);
        expect(interacting?.by.filter((one) => one.views > 0)).toEqual([
          { verdict: "0-1s", views: 1 },
          { verdict: "5-30s", views: 1 },
          { verdict: "synthetic", views: 1 },
        ]);
        expect((await figures({ path: "/a" })).interacting).toMatchObject({ people: 1 });
        expect((await paths({ rankBy: "views" })).rows).toMatchObject([
          { path: "/a", views: 3, interacting: { people: 1, synthetic: 1 } },
          { path: "/b", views: 1, interacting: { people: 1, synthetic: 0 } },
        ]);
      }));

    test("a report that comes again says nothing new, also one that claims more than could be, at once or later, of the view or of a further load", () =>
      tell(create, async (site) => {
        const { view, report, figures } = engagementOn(site);
        const claims = { engagedMs: 11 * MINUTE, scrollPercent: 7, human: "0-1s" } as const;
        await view("s1", "/a");
        await site.view("/a", "s1", { eventId: "again" });
        for (const said of [claims, { ...claims, viewId: "again", scrollPercent: 9 }]) {
          expect(await report("s1", "/a", said)).toEqual({ outcome: "counted" });
          expect(await report("s1", "/a", said)).toEqual({ outcome: "duplicate" });
          await site.runtime.advance(MINUTE);
          expect(await report("s1", "/a", said)).toEqual({ outcome: "duplicate" });
        }
        const more = { viewId: "again", engagedMs: 12 * MINUTE };
        expect(await report("s1", "/a", more)).toEqual({ outcome: "counted" });
        expect(await report("s1", "/a", more)).toEqual({ outcome: "duplicate" });
        await site.settleReports();
        const { engagedMs, ...told } = await figures();
        expect(told).toMatchObject({ views: 1, interacting: { people: 1 } });
        expect(engagedMs).toBeGreaterThan(2 * MINUTE - 1_000);
        expect(engagedMs).toBeLessThan(2 * MINUTE + 5_000);
      }));

    test("it makes no visitor, lengthens no visit, puts nobody online, and of what did not count nothing is kept", () =>
      tell(create, async (site) => {
        const { view, report } = engagementOn(site);
        const unknown = { outcome: "filtered", reason: "unknown view" };
        expect(await report("s1", "/a", { engagedMs: 5 })).toEqual(unknown);
        await view("s1", "/a");
        await site.runtime.advance(3 * MINUTE);
        await site.sweep();
        await site.settleReports();
        const before = await shared(site);
        expect(await report("s2", "/a", { viewId: "s1--a" })).toEqual(unknown);
        expect(await report("s1", "/a", { viewId: "another" })).toEqual(unknown);
        const bot = { outcome: "filtered", reason: "bot" };
        expect(await report("s1", "/a", { userAgent: BOT })).toEqual(bot);
        expect(await site.runtime.rows("engagements")).toEqual([]);
        expect(await report("s1", "/a", { engagedMs: 5 })).toEqual({ outcome: "counted" });
        await site.settleReports();
        expect(await shared(site)).toEqual(before);
        expect((await site.stats()).activeVisitors).toBe(0);
        expect(await site.runtime.rows("filteredHits")).toEqual([]);
      }));

    test("of a host that is no site's and of a path that is left out it is filtered; a grouped path and one with its query are found by their view", () =>
      tell(create, async (site) => {
        const { report, paths } = engagementOn(site);
        const rules = { group: ["/user/*"], exclude: ["/admin/**"], keepQuery: ["page"] };
        await site.runtime.mutation(internal.sites.add, { slug: "docs", hosts: ["docs.example"] });
        await site.runtime.mutation(internal.sites.set, { site: "docs", pathRules: rules });
        const from = { host: "docs.example" };
        for (const [path, eventId, query] of [
          ["/user/7", "e1", ""],
          ["/list", "e2", "?page=2"],
        ] as const) {
          await site.view(path, "s1", { eventId, query, ...from });
        }
        await site.runtime.advance(MINUTE);
        const engaged = { engagedMs: 30_000 };
        for (const [path, viewId] of [
          ["/user/7", "e1"],
          ["/list", "e2"],
        ] as const) {
          const said = { viewId, ...from, ...engaged };
          expect(await report("s1", path, said)).toEqual({ outcome: "counted" });
        }
        const reasonOf = async (path: string, more: { host?: string; site?: string }) =>
          await report("s1", path, { viewId: "e1", ...more });
        expect(await reasonOf("/admin/x", from)).toMatchObject({ reason: "excluded path" });
        const copy = { site: "docs", host: "copy.example" };
        expect(await reasonOf("/user/7", copy)).toMatchObject({ reason: "unknown site" });
        await site.runtime.mutation(api.stats.settle, { site: "docs" });
        const { rows } = await site.runtime.query(api.reports.engagedPaths, {
          ...{ site: "docs", range: { from: NOON, until: NOON + 60 * MINUTE } },
        });
        expect(rows.map(({ path, engagedMs }) => [path, engagedMs])).toEqual([
          ["/list?page=2", 30_000],
          ["/user/*", 30_000],
        ]);
        expect((await paths()).rows).toEqual([]);
      }));

    test("a load within the dedup window adds its time to the view that it repeats", () =>
      tell(create, async (site) => {
        const { view, report, figures } = engagementOn(site);
        await view("s1", "/a");
        await site.runtime.advance(MINUTE);
        await report("s1", "/a", { engagedMs: 40_000, scrollPercent: 20 });
        expect(await site.view("/a", "s1", { eventId: "again" })).toEqual({ outcome: "duplicate" });
        await site.runtime.advance(MINUTE);
        const again = { viewId: "again", engagedMs: 30_000, scrollPercent: 60 };
        expect(await report("s1", "/a", again)).toEqual({ outcome: "counted" });
        expect(await report("s1", "/a", again)).toEqual({ outcome: "duplicate" });
        expect(await report("s1", "/a", { engagedMs: 45_000 })).toEqual({ outcome: "counted" });
        for (let page = 0; page < 9; page += 1)
          await site.view(`/p${page}`, "s1", { eventId: `e${page}` });
        expect(await report("s1", "/a", { ...again, engagedMs: 31_000 })).toEqual({
          outcome: "counted",
        });
        await site.settleReports();
        expect(await figures()).toMatchObject({ views: 1, engagedMs: 76_000, scroll: { p50: 60 } });
      }));

    test("a report writes one document, and different visitors' reports share nothing but reading the site and the wake flag", () =>
      tell(create, async (site) => {
        const { view } = engagementOn(site);
        for (const who of ["s1", "s2"]) await view(who, "/a");
        await site.runtime.advance(MINUTE);
        const footprints = [];
        for (const sessionId of ["s1", "s2"]) {
          const said = { sessionId, path: "/a", viewId: `${sessionId}--a`, engagedMs: 5_000 };
          footprints.push(await site.runtime.footprint(api.stats.recordEngagement, said));
        }
        const [first, second] = footprints;
        if (first === undefined || second === undefined) throw new Error("Two reports were sent.");
        expect(first.documentsWritten).toBe(1);
        expect(first.ranges).toBeLessThanOrEqual(4);
        expect(first.overlap(second)).toEqual({ conflicts: [], sharedReads: ["sites", "wake"] });
        const ofView = { path: "/b", sessionId: "s1", pageType: "page" };
        const viewed = await site.runtime.footprint(api.stats.recordPageView, ofView);
        expect(viewed.overlap(second).conflicts).toEqual([]);
      }));

    test("while somebody watches it is in the reports within half a minute; while nobody does, within five minutes; and then the worker rests", () =>
      tell(create, async (site) => {
        const { view, report, figures } = engagementOn(site);
        await view("s1", "/a");
        await site.watchFor(20_000);
        await report("s1", "/a", { engagedMs: 1_000 });
        await site.watch();
        await site.runtime.advance(1_300);
        expect((await figures()).engagedMs).toBe(1_000);
        await report("s1", "/a", { engagedMs: 2_000 });
        await site.watchFor(31_000);
        expect((await figures()).engagedMs).toBe(2_000);
        const dueAtOf = async () => (await site.runtime.rows("wake")).map(({ dueAt }) => dueAt);
        expect(await dueAtOf()).toEqual([undefined]);
        await site.runtime.advance(10 * MINUTE);
        await report("s1", "/a", { engagedMs: 3_000 });
        await site.runtime.dropScheduled();
        await site.wakeOverdue();
        await site.runtime.advance(5 * MINUTE + 1_000);
        expect((await figures()).engagedMs).toBe(3_000);
        expect(await dueAtOf()).toEqual([undefined]);
      }));

    test("a site without engagement has no row of it", () =>
      tell(create, async (site) => {
        for (let page = 0; page < 5; page += 1) await site.view(`/p${page}`, "s1");
        await site.settleReports();
        for (const table of ["engagements", "engagementRollups"]) {
          expect(await site.runtime.rows(table)).toEqual([]);
        }
        const [worker] = await site.runtime.rows("workers");
        expect(worker).not.toHaveProperty("engagementCursor");
        expect(await engagementOn(site).figures()).toMatchObject({ views: 0, vitals: [] });
      }));

    test("paths are ranked by what is asked for, and the rest is one sum", () =>
      tell(create, async (site) => {
        const { view, report, paths } = engagementOn(site);
        for (const [who, path, engagedMs] of [
          ["s1", "/long", 50_000],
          ["s1", "/often", 20_000],
          ["s2", "/often", 20_000],
          ["s3", "/often", 20_000],
        ] as const) {
          await view(who, path);
          await site.runtime.advance(MINUTE);
          await report(who, path, { engagedMs });
        }
        await site.settleReports();
        const orderBy = async (rankBy: "views" | "engagedMs" | "averageEngagedMs") =>
          (await paths({ rankBy })).rows.map(({ path }) => path);
        expect(await orderBy("engagedMs")).toEqual(["/often", "/long"]);
        expect(await orderBy("views")).toEqual(["/often", "/long"]);
        expect(await orderBy("averageEngagedMs")).toEqual(["/long", "/often"]);
        expect(await paths({ limit: 1 })).toMatchObject({
          ...{ pathsTotal: 2, complete: true, rest: { views: 1, engagedMs: 50_000 } },
        });
      }));
  });

  describe("engagement over HTTP", () => {
    test("is taken by POST /e and GET /e, with what became of it in the header", () =>
      tell(create, async (site) => {
        const { figures } = engagementOn(site);
        const said = { kind: "engagement", sessionId: "s1", path: "/a", viewId: "e1" };
        const post = async (more: object) => {
          const body = JSON.stringify({ ...said, ...more });
          const answer = await site.runtime.fetch("/e", { method: "POST", body });
          return [answer.status, answer.headers.get("X-Footfall")];
        };
        expect(await post({ engagedMs: 5 })).toEqual([204, "filtered; unknown view"]);
        await site.view("/a", "s1", { eventId: "e1" });
        await site.runtime.advance(MINUTE);
        const vitals = { lcpMs: 2_000, inpMs: 80 };
        const first = { engagedMs: 20_000, scrollPercent: 50, vitals, human: "synthetic" };
        expect(await post(first)).toEqual([204, "counted"]);
        expect(await post(first)).toEqual([204, "duplicate"]);
        const query =
          "v=1&kind=engagement&sessionId=s1&path=/a&viewId=e1&engagedMs=30000&scrollPercent=75&cls=0.1&human=30s%2B";
        const image = await site.runtime.fetch(`/e?${query}`, { method: "GET" });
        expect([image.status, image.headers.get("X-Footfall")]).toEqual([200, "counted"]);
        await site.settleReports();
        const told = await figures();
        expect(told).toMatchObject({ engagedMs: 30_000, scroll: { p50: 75 } });
        expect(told.interacting).toMatchObject({ people: 1, synthetic: 0 });
        expect(told.vitals.map(({ name }) => name)).toEqual(["lcpMs", "inpMs", "cls"]);
      }));

    test("what is of the wrong kind is one sentence, and leaves nothing", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1", { eventId: "e1" });
        const right = { kind: "engagement", sessionId: "s1", path: "/a", viewId: "e1" };
        for (const wrong of [
          ...[{ viewId: undefined }, { viewId: "é" }, { path: 5 }, { engagedMs: "long" }],
          ...[
            { scrollPercent: [] },
            { vitals: "fast" },
            { vitals: [] },
            { vitals: { lcpMs: "1" } },
            { human: true },
            { human: "yes" },
          ],
        ]) {
          const body = JSON.stringify({ ...right, engagedMs: 5, ...wrong });
          const answer = await site.runtime.fetch("/e", { method: "POST", body });
          expect(answer.status, body).toBe(400);
          expect((await answer.text()).trim()).toMatch(/^[^\n]{10,300}\.$/);
        }
        expect(await site.runtime.rows("engagements")).toEqual([]);
      }));
  });
}

/** What visitors and views have, which no report may touch. */
async function shared(site: Site): Promise<unknown> {
  const tables = ["pageViews", "visitors", "activeSessions", "presenceLog", "paths", "rollups"];
  const rows = await Promise.all(tables.map((table) => site.runtime.rows(table)));
  const live = await site.runtime.rows("live");
  return [
    rows,
    live.map(({ totalViews, uniqueVisitors, online }) => [totalViews, uniqueVisitors, online]),
  ];
}
