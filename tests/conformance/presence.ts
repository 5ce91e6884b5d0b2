/** Owns: what must be true of who is online, on every runtime. Not: counting. */
import { describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api.js";
import { tell, MINUTE } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const SECOND = 1_000;

export function presence(create: CreateRuntime): void {
  describe("presence", () => {
    test("C78: a heartbeat with a new path inside the window takes effect at once", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.runtime.advance(10 * SECOND - 250);
        await site.beat("/b", "s1");
        expect((await site.stats()).activeByPath).toEqual([{ path: "/b", count: 1 }]);
        await site.settle();
        expect((await site.settled()).activeByPath).toEqual([{ path: "/b", count: 1 }]);
      }));

    test("a repeated heartbeat inside the window writes nothing, and one after it keeps the session", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        const [before] = await site.runtime.rows("activeSessions");
        await site.runtime.advance(5 * SECOND);
        await site.beat("/a", "s1");
        expect(await site.runtime.rows("activeSessions")).toEqual([before]);
        await site.runtime.advance(25 * SECOND);
        await site.beat("/a", "s1");
        await site.runtime.advance(100 * SECOND);
        expect((await site.stats()).activeVisitors).toBe(1);
      }));

    test("a heartbeat never counts a view or creates a visitor, and brings back only whom a view made known", () =>
      tell(create, async (site) => {
        await site.beat("/a", "s1");
        expect(await site.stats()).toMatchObject({ activeVisitors: 0, totalPageViews: 0 });
        await site.view("/a", "s2");
        await site.runtime.mutation(api.stats.leave, { sessionId: "s2" });
        expect(await site.stats()).toMatchObject({ activeVisitors: 0 });
        await site.beat("/b", "s2");
        const expected = { activeVisitors: 1, totalPageViews: 1, uniqueVisitors: 1, pagesTotal: 1 };
        expect(await site.stats()).toMatchObject(expected);
        await site.settle();
        expect(await site.settled()).toMatchObject(expected);
        expect(await site.runtime.rows("visitors")).toHaveLength(1);
      }));

    test("how many are online is told of the site and of one page, live while somebody watches", () =>
      tell(create, async (site) => {
        const count = (path?: string) =>
          site.runtime.query(api.stats.countOnline, path === undefined ? {} : { path });
        expect(await count()).toBe(0);
        await site.watch();
        for (const who of ["s1", "s2"]) await site.view("/a", who);
        await site.view("/b", "s3");
        await site.watchFor(10 * SECOND);
        expect([await count(), await count("/a/"), await count("/c")]).toEqual([3, 2, 0]);
        await site.leave("s1");
        await site.watchFor(10 * SECOND);
        expect([await count(), await count("/a")]).toEqual([2, 1]);
      }));

    test("a bot's heartbeat does not put it online", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.runtime.mutation(api.stats.leave, { sessionId: "s1" });
        await site.runtime.mutation(
          api.stats.heartbeat,
          { sessionId: "s1", currentPath: "/a" },
          { userAgent: "curl/8.5.0" },
        );
        expect((await site.stats()).activeVisitors).toBe(0);
      }));

    test("a leave takes the session offline at once", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1", { eventId: "e1" });
        await site.settle();
        await site.leave("s1", { path: "/a", eventId: "e1" });
        expect((await site.stats()).activeVisitors).toBe(0);
        await site.settle();
        expect(await site.settled()).toMatchObject({ activeVisitors: 0, activeByPath: [] });
      }));

    test("C57: two tabs of one browser, one closed: still online on the other tab's path", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1", { eventId: "e1" });
        await site.view("/b", "s1", { eventId: "e2" });
        await site.leave("s1", { path: "/a", eventId: "e1" });
        expect((await site.stats()).activeByPath).toEqual([{ path: "/b", count: 1 }]);
      }));

    test("a late leave of a page that was loaded again meanwhile does not win", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1", { eventId: "e1" });
        expect(await site.view("/a", "s1", { eventId: "e2" })).toEqual({ outcome: "duplicate" });
        await site.leave("s1", { path: "/a", eventId: "e1" });
        expect((await site.stats()).activeVisitors).toBe(1);
        await site.leave("s1", { path: "/a", eventId: "e2" });
        expect((await site.stats()).activeVisitors).toBe(0);
      }));

    test("a resent old event does not move the visitor back", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1", { eventId: "e1" });
        await site.view("/b", "s1", { eventId: "e2" });
        await site.view("/a", "s1", { eventId: "e1" });
        expect((await site.stats()).activeByPath).toEqual([{ path: "/b", count: 1 }]);
      }));

    test("C58: five visitors in the last five minutes, three in the last two: three, everywhere", () =>
      tell(create, async (site) => {
        for (const sessionId of ["s1", "s2"]) await site.view("/a", sessionId);
        await site.runtime.advance(3 * MINUTE);
        for (const sessionId of ["s3", "s4", "s5"]) await site.view("/a", sessionId);
        const expected = { activeVisitors: 3, activeByPath: [{ path: "/a", count: 3 }] };
        expect(await site.stats()).toMatchObject(expected);
        await site.watch();
        // The sweep, a second for the headline, then at most five for the list: ten are enough whatever falls on a step.
        await site.runtime.advance(10 * SECOND);
        expect(await site.settled()).toMatchObject(expected);
        expect(await site.stats()).toMatchObject(expected);
        expect(await site.runtime.rows("activeSessions")).toHaveLength(3);
      }));

    test("while somebody watches, nobody stays online 15 s past the timeout though nobody writes", () =>
      tell(create, async (site) => {
        await site.watch();
        await site.view("/a", "s1");
        await site.view("/b", "s2");
        await site.watchFor(60 * SECOND);
        await site.beat("/b", "s2");
        await site.watchFor(59 * SECOND);
        expect((await site.settled()).activeVisitors).toBe(2);
        await site.watchFor(16 * SECOND);
        expect(await site.settled()).toMatchObject({
          activeVisitors: 1,
          activeByPath: [{ path: "/b", count: 1 }],
        });
        await site.watchFor(60 * SECOND);
        expect((await site.settled()).activeVisitors).toBe(0);
      }));

    test("while nobody watches, the cron's sweep takes timed-out sessions away, however many", () =>
      tell(create, async (site) => {
        const sessions = Array.from({ length: 620 }, (_, place) => ({
          ...{ site: "default", sessionId: `s${place}`, currentPath: "/a" },
          lastSeen: site.runtime.now() - 3 * MINUTE,
        }));
        await site.runtime.insert("activeSessions", sessions);
        await site.sweep();
        expect(await site.runtime.rows("activeSessions")).toHaveLength(120);
        await site.runtime.advance(SECOND);
        expect(await site.runtime.rows("activeSessions")).toEqual([]);
      }));

    test("sessions of the original design are swept too, and never counted", () =>
      tell(create, async (site) => {
        const lastSeen = site.runtime.now();
        await site.runtime.insert("activeSessions", [
          { sessionId: "old", currentPath: "/a", lastSeen },
        ]);
        expect((await site.stats()).activeVisitors).toBe(0);
        await site.runtime.advance(3 * MINUTE);
        await site.sweep();
        expect(await site.runtime.rows("activeSessions")).toEqual([]);
        expect((await site.stats()).activeVisitors).toBe(0);
      }));

    test("the hundred busiest paths are listed, with the number of all", () =>
      tell(create, async (site) => {
        for (let path = 0; path < 120; path += 1) await site.view(`/p${path}`, `s${path}`);
        for (let more = 0; more < 3; more += 1) await site.view("/p119", `m${more}`);
        await site.settle();
        await site.leave("s0");
        for (const read of [site.stats, site.settled]) {
          if (read === site.settled) await site.settle();
          const stats = await read();
          expect(stats.activeVisitors).toBe(122);
          expect(stats.activePathsTotal).toBe(119);
          expect(stats.activeByPath).toHaveLength(100);
          expect(stats.activeByPath[0]).toEqual({ path: "/p119", count: 4 });
        }
      }));

    test("POST /e takes a leave as text, and refuses what it does not understand in one sentence", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        const refused = await site.runtime.post("/e", JSON.stringify({ kind: "click" }));
        expect(refused.status).toBe(400);
        expect((await refused.text()).trim().split("\n")).toHaveLength(1);
        expect((await site.runtime.post("/e", "no JSON")).status).toBe(400);
        expect((await site.runtime.post("/e", "{".repeat(9_000))).status).toBe(400);
        expect((await site.stats()).activeVisitors).toBe(1);
        const leave = { kind: "leave", sessionId: "s1", path: "/a" };
        const taken = await site.runtime.post("/e", JSON.stringify(leave));
        expect(taken.status).toBe(204);
        expect(taken.headers.get("Access-Control-Allow-Origin")).toBe("*");
        expect((await site.stats()).activeVisitors).toBe(0);
      }));
  });
}
