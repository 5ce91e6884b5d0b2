/** Owns: what must be true of counting views on every runtime. Not: presence, freshness, backfill (their own lists). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { tell, MINUTE } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const LONE_HIGH = String.fromCharCode(0xd800);

export function counting(create: CreateRuntime): void {
  describe("counting", () => {
    test("a view is in getStats as soon as it is recorded, worker or not", () =>
      tell(create, async (site) => {
        expect(await site.view("/a", "s1", { title: "A" })).toEqual({ outcome: "counted" });
        const stats = await site.stats();
        expect(stats).toMatchObject({
          totalPageViews: 1,
          uniqueVisitors: 1,
          activeVisitors: 1,
          viewsToday: 1,
          pagesTotal: 1,
          atLeast: false,
          pageStats: [{ path: "/a", title: "A", pageType: "page", views: 1 }],
          activeByPath: [{ path: "/a", count: 1 }],
        });
        expect(stats.minutes.at(-1)?.views).toBe(1);
        expect(stats.minutes).toHaveLength(30);
        const [view] = await site.runtime.rows("pageViews");
        expect(stats.trackingSince).toBe(view?.timestamp);
      }));

    test("settling changes no number", () =>
      tell(create, async (site) => {
        for (const sessionId of ["s1", "s2", "s3"]) await site.view("/a", sessionId);
        await site.view("/b", "s1");
        const before = await site.stats();
        await site.settle();
        const { settledAt, ...after } = await site.stats();
        expect({ ...after, settledAt: null }).toEqual(before);
        expect(settledAt).not.toBeNull();
        expect(await site.settled()).toEqual({ ...after, settledAt });
      }));

    test("a second view of a path within the window is a duplicate, and one after it counts", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.runtime.advance(3 * MINUTE);
        expect(await site.view("/a", "s1")).toEqual({ outcome: "duplicate" });
        expect(await site.view("/b", "s1")).toEqual({ outcome: "counted" });
        expect(await site.view("/a", "s2")).toEqual({ outcome: "counted" });
        await site.runtime.advance(28 * MINUTE);
        expect(await site.view("/a", "s1")).toEqual({ outcome: "counted" });
        expect(await site.stats()).toMatchObject({ totalPageViews: 4, uniqueVisitors: 2 });
      }));

    test("C16: an event that is sent again, by whichever tab and at the same moment, counts once", () =>
      tell(create, async (site) => {
        const send = () => site.view("/a", "s1", { eventId: "e1" });
        const outcomes = [await send(), ...(await Promise.all([send(), send(), send()]))];
        expect(outcomes.map(({ outcome }) => outcome)).toEqual([
          "counted",
          ...["duplicate", "duplicate", "duplicate"],
        ]);
        await site.runtime.advance(40 * MINUTE);
        expect(await send()).toEqual({ outcome: "duplicate" });
        expect((await site.stats()).totalPageViews).toBe(1);
      }));

    test("an event that was a duplicate stays one when it is resent after the window", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1", { eventId: "e1" });
        await site.runtime.advance(29 * MINUTE);
        await site.view("/a", "s1", { eventId: "e2" });
        await site.runtime.advance(2 * MINUTE);
        expect(await site.view("/a", "s1", { eventId: "e2" })).toEqual({ outcome: "duplicate" });
        expect((await site.stats()).totalPageViews).toBe(1);
      }));

    test("C23: a 1,400-character query is not part of the path, and a path of 5 kB is clamped, not refused", () =>
      tell(create, async (site) => {
        expect(await site.view(`/p?${"q=1&".repeat(350)}`, "s1")).toEqual({ outcome: "counted" });
        expect(await site.view(`/${"x".repeat(5_000)}`, "s1")).toEqual({ outcome: "counted" });
        const { pageStats } = await site.stats();
        expect(pageStats.map(({ path }) => path.length).sort((a, b) => a - b)).toEqual([2, 1_024]);
      }));

    test("C24: /a and /a/ are one row, and / stays", () =>
      tell(create, async (site) => {
        for (const [path, who] of [
          ["/a", "s1"],
          ["/a/", "s2"],
          ["/", "s3"],
        ] as const) {
          await site.view(path, who);
        }
        expect((await site.stats()).pageStats.map(({ path, views }) => [path, views])).toEqual([
          ["/a", 2],
          ["/", 1],
        ]);
      }));

    test("C26: an encoded and a decoded path are one row, shown decoded", () =>
      tell(create, async (site) => {
        const paths = ["/k%C3%B6nnte", "/könnte", "/%F0%9F%98%80", "/😀"];
        for (const [place, path] of paths.entries()) await site.view(path, `s${place}`);
        await site.settle();
        expect((await site.stats()).pageStats.map(({ path, views }) => [path, views])).toEqual([
          ["/könnte", 2],
          ["/😀", 2],
        ]);
      }));

    test("C28: a lone surrogate is stored as U+FFFD, and a page named /café is in every list", () =>
      tell(create, async (site) => {
        await site.view(`/x${LONE_HIGH}y`, "s1");
        await site.view("/café", "s2");
        await site.settle();
        const stats = await site.stats();
        expect(stats.pageStats.map(({ path }) => path).sort()).toEqual(["/café", "/x\uFFFDy"]);
        expect(stats.activeByPath.map(({ path }) => path).sort()).toEqual(["/café", "/x\uFFFDy"]);
      }));

    test("C69: 250 views by 250 visitors at once are 250", () =>
      tell(create, async (site) => {
        const visitors = Array.from({ length: 250 }, (_, place) => `s${place}`);
        await Promise.all(visitors.map((sessionId) => site.view("/a", sessionId)));
        expect(await site.stats()).toMatchObject({
          totalPageViews: 250,
          uniqueVisitors: 250,
          activeVisitors: 250,
        });
        await site.settle();
        expect(await site.settled()).toMatchObject({ totalPageViews: 250, activeVisitors: 250 });
      }));

    test("C70: five tabs of one browser that change path at once: each view counts, and the last path wins", () =>
      tell(create, async (site) => {
        const paths = ["/1", "/2", "/3", "/4", "/5"];
        await Promise.all(paths.map((path) => site.view(path, "s1")));
        expect(await site.stats()).toMatchObject({ totalPageViews: 5, activeVisitors: 1 });
        await site.view("/6", "s1");
        await site.settle();
        expect((await site.stats()).activeByPath).toEqual([{ path: "/6", count: 1 }]);
      }));

    test("C74: three views of /a by three sessions are one path", () =>
      tell(create, async (site) => {
        for (const sessionId of ["s1", "s2", "s3"]) await site.view("/a", sessionId);
        expect((await site.stats()).pagesTotal).toBe(1);
        await site.settle();
        expect(await site.settled()).toMatchObject({ pagesTotal: 1, totalPageViews: 3 });
      }));

    test("a bot's view is filtered, with the reason, and is in no number", () =>
      tell(create, async (site) => {
        const userAgent =
          "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
        const filtered = { outcome: "filtered", reason: "bot" };
        expect(await site.view("/a", "s1", { userAgent })).toEqual(filtered);
        expect(await site.stats()).toMatchObject({ totalPageViews: 0, activeVisitors: 0 });
        expect(await site.runtime.rows("visitors")).toEqual([]);
        expect(await site.runtime.rows("filteredHits")).toMatchObject([
          { path: "/a", reason: "bot", userAgent },
        ]);
        const counted = await site.runtime.query(internal.stats.countFilteredHits, {});
        expect(counted).toMatchObject({ count: 1, atLeast: false });
        expect(counted.reasons).toEqual([{ reason: "bot", kind: "search", hits: 1 }]);
      }));

    test("a view that comes to POST /e is counted, and a bot's is filtered there too", () =>
      tell(create, async (site) => {
        const send = (sessionId: string, userAgent: string) => {
          const body = JSON.stringify({ kind: "view", path: "/a", sessionId });
          return site.runtime.post("/e", body, { userAgent });
        };
        expect((await send("s1", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")).status).toBe(
          204,
        );
        expect((await send("s2", "curl/8.5.0")).status).toBe(204);
        expect(await site.stats()).toMatchObject({ totalPageViews: 1, activeVisitors: 1 });
        expect(await site.runtime.rows("filteredHits")).toMatchObject([{ reason: "bot" }]);
      }));

    test("a person's user agent is stored nowhere", () =>
      tell(create, async (site) => {
        const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        await site.view("/a", "s1", { userAgent });
        for (const table of ["pageViews", "visitors", "activeSessions", "filteredHits"]) {
          expect(JSON.stringify(await site.runtime.rows(table), textOfBigint)).not.toContain(
            "Gecko",
          );
        }
      }));

    test.each([
      ["an empty session id", { sessionId: "" }, "invalid_session_id"],
      ["a session id of 300 characters", { sessionId: "s".repeat(300) }, "invalid_session_id"],
      ["a session id with a control character", { sessionId: "s\u0000" }, "invalid_session_id"],
      ["an event id with a space", { eventId: "e 1" }, "invalid_id"],
      ["an unknown site", { site: "shop" }, "unknown_site"],
    ])("%s is a coded error, and nothing is written", (_name, bad, code) =>
      tell(create, async (site) => {
        await expect(site.view("/a", "s1", bad)).rejects.toMatchObject({ data: { code } });
        expect((await site.stats()).totalPageViews).toBe(0);
        expect(await site.runtime.rows("visitors")).toEqual([]);
      }),
    );

    test("control characters and empty texts are clamped to something that can be shown", () =>
      tell(create, async (site) => {
        await site.view("/a\u0000b\n", "s1", { title: "One\u0000\ntwo", pageType: "" });
        await site.view("", "s1");
        const { pageStats } = await site.stats();
        expect(pageStats).toEqual([
          { path: "/", title: "/", pageType: "page", views: 1 },
          { path: "/a%00b%0A", title: "One two", pageType: "page", views: 1 },
        ]);
      }));

    test("a row knows when its visitor and its path were seen before, and where the visitor came from", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        for (const path of ["/b", "/a"]) {
          await site.runtime.advance(31 * MINUTE);
          await site.view(path, "s1");
        }
        const [first, second, third] = await site.runtime.rows("pageViews");
        expect(first).not.toHaveProperty("visitorLastSeenAt");
        expect(second).toMatchObject({ visitorLastSeenAt: first?.timestamp, previousPath: "/a" });
        expect(second).not.toHaveProperty("pathLastSeenAt");
        expect(third).toMatchObject({
          visitorLastSeenAt: second?.timestamp,
          previousPath: "/b",
          pathLastSeenAt: first?.timestamp,
        });
      }));

    test("every page is listed, the most viewed first, page by page", () =>
      tell(create, async (site) => {
        for (let page = 0; page < 60; page += 1) {
          await site.view(`/p${page}`, "s1");
          if (page % 2 === 0) await site.view(`/p${page}`, "s2");
        }
        await site.settle();
        const stats = await site.settled();
        expect(stats.pageStats).toHaveLength(50);
        expect(stats.pagesTotal).toBe(60);
        const listed: number[] = [];
        let cursor: string | null = null;
        for (let isDone = false; !isDone;) {
          const paginationOpts: { numItems: number; cursor: string | null } = {
            numItems: 25,
            cursor,
          };
          const page = await site.runtime.query(api.stats.listPages, { paginationOpts });
          listed.push(...page.page.map(({ views }) => views));
          ({ isDone, continueCursor: cursor } = page);
        }
        expect(listed).toEqual([...Array<number>(30).fill(2), ...Array<number>(30).fill(1)]);
      }));
  });
}

function textOfBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
