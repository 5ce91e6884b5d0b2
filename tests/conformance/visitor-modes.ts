/* Longer than 300 lines because these are the stories of one setting. */
/** Owns: whom a site counts as one visitor, in each mode; what of a reader is kept, and what is not. Not: visits and reports as such. */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { dailyId } from "../../convex/model/identity.ts";
import schema from "../../convex/schema.ts";
import type { VisitorMode } from "../../domain/visitor-modes.ts";
import { BOT, DAY, HOUR, MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const ANNE = { ip: "203.0.113.77", userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0" };
const BEN = { ...ANNE, ip: "203.0.113.78" };

export function visitorModes(create: CreateRuntime): void {
  describe("visitor mode daily", () => {
    daily(create);
    midnight(create);
    salts(create);
  });
  describe("visitor mode none", () => none(create));
  describe("a reader who asks not to be tracked", () => asked(create));
  describe("changing the visitor mode", () => changes(create));
}

function daily(create: CreateRuntime): void {
  test("a visitor is an address with a user agent, whatever id the browser sends, over the client as over HTTP", () =>
    tell(create, async (site) => {
      await setMode(site, "daily");
      expect(await site.view("/a", "one", ANNE)).toEqual({ outcome: "counted" });
      expect(await site.view("/a", "two", ANNE)).toEqual({ outcome: "duplicate" });
      expect(await send(site, { path: "/b", sessionId: "three" }, ANNE)).toBe("counted");
      await site.view("/a", "one", BEN);
      await site.view("/a", "one", { ...ANNE, userAgent: "Mozilla/5.0 Safari/605" });
      expect(await site.stats()).toMatchObject({
        ...{ totalPageViews: 4, uniqueVisitors: 3, activeVisitors: 3, visitorsAre: "distinct" },
      });
    }));

  test("beats and leaves find the session of the view", () =>
    tell(create, async (site) => {
      await setMode(site, "daily");
      await site.view("/a", "one", ANNE);
      const beat = { currentPath: "/b", sessionId: "two" };
      await site.runtime.mutation(api.stats.heartbeat, beat, ANNE);
      expect((await site.stats()).activeByPath).toEqual([{ path: "/b", count: 1 }]);
      expect(await send(site, { kind: "leave", path: "/b", sessionId: "three" }, ANNE)).toBe(
        "counted",
      );
      expect((await site.stats()).activeVisitors).toBe(0);
    }));

  test("one person on two sites is two ids: sites cannot be joined", () =>
    tell(create, async (site) => {
      await setMode(site, "daily");
      await site.runtime.mutation(internal.sites.add, { slug: "docs", visitorMode: "daily" });
      await site.view("/a", "one", ANNE);
      await site.view("/a", "one", { ...ANNE, site: "docs" });
      expect(new Set((await site.runtime.rows("visitors")).map((row) => row.sessionId)).size).toBe(
        2,
      );
    }));

  test("a view without an address is a view of nobody: it counts, and makes nobody one with others", () =>
    tell(create, async (site) => {
      await setMode(site, "daily");
      for (const eventId of ["e1", "e2"]) {
        const { userAgent } = ANNE;
        expect(await site.view("/a", "one", { userAgent, eventId })).toEqual({
          outcome: "counted",
        });
      }
      expect(await site.runtime.rows("visitors")).toEqual([]);
      expect(await site.stats()).toMatchObject({ totalPageViews: 2, activeVisitors: 0 });
    }));

  test("a server states the address of its visitor, which is told apart by it and not kept", () =>
    tell(create, async (site) => {
      await setMode(site, "daily");
      const { key } = await site.runtime.action(internal.keys.create, {});
      const { ip: address, userAgent } = ANNE;
      const hit = { sessionId: "x", path: "/a", address, userAgent };
      const body = JSON.stringify([
        hit,
        { ...hit, sessionId: "y" },
        { sessionId: "z", path: "/a" },
      ]);
      const headers = { Authorization: `Bearer ${key}`, "User-Agent": "server" };
      const init = { method: "POST", body, headers };
      const answer = await site.runtime.fetch("/v1/events", init, { ip: "198.51.100.1" });
      expect(await answer.json()).toEqual({
        outcomes: [{ outcome: "counted" }, { outcome: "duplicate" }, { outcome: "counted" }],
      });
      await site.view("/b", "browser", ANNE);
      expect(await site.runtime.rows("visitors")).toHaveLength(1);
      expect(await everything(site)).not.toContain(address);
    }));
}

function midnight(create: CreateRuntime): void {
  const before = Date.parse("2026-11-30T23:59:46Z");
  const after = Date.parse("2026-12-01T00:25:24Z");
  const range = { firstDay: "2026-11-30", lastDay: "2026-12-01" };

  test("C48: a visit that is open at midnight goes on: one visit, of one visitor on both days", () =>
    tell(
      create,
      async (site) => {
        await setMode(site, "daily");
        await site.runtime.advance(before - site.runtime.now());
        await site.view("/a", "one", ANNE);
        await site.runtime.advance(after - site.runtime.now());
        await site.view("/b", "two", ANNE);
        await site.view("/b", "two", BEN);
        await site.settleReports();
        expect(await site.runtime.query(api.reports.summary, { range })).toMatchObject({
          ...{ views: 3, visits: 2, bounces: 1, visitors: 2, visitorsAre: "sum of days" },
        });
        const series = await site.runtime.query(api.reports.timeseries, { range, unit: "day" });
        expect(series.points.map(({ visits, visitors }) => [visits, visitors])).toEqual([
          [1, 1],
          [1, 2],
        ]);
        expect(series.visitorsAre).toBe("distinct");
      },
      before - MINUTE,
    ));

  test("who came over midnight stays one visitor that day, also after the visit; on the next day it is a new one", () =>
    tell(
      create,
      async (site) => {
        await setMode(site, "daily");
        await site.view("/a", "x", ANNE);
        await site.runtime.advance(15 * MINUTE);
        await site.view("/b", "x", ANNE);
        await site.runtime.advance(9 * HOUR);
        await site.view("/c", "x", ANNE);
        expect(await site.runtime.rows("visitors")).toHaveLength(1);
        await site.runtime.mutation(internal.salts.tend, {});
        await site.runtime.advance(DAY);
        await site.view("/d", "x", ANNE);
        expect(await site.runtime.rows("visitors")).toHaveLength(2);
      },
      before,
    ));

  test("a beat after midnight is of the session that it was before, and a resend of a view is no second one", () =>
    tell(
      create,
      async (site) => {
        await setMode(site, "daily");
        await site.view("/a", "x", { ...ANNE, eventId: "e1" });
        await site.runtime.advance(20_000);
        const beat = { currentPath: "/a", sessionId: "y" };
        await site.runtime.mutation(api.stats.heartbeat, beat, ANNE);
        expect(await site.runtime.rows("activeSessions")).toHaveLength(1);
        await site.runtime.advance(40 * MINUTE);
        const resent = await site.view("/a", "x", { ...ANNE, eventId: "e1" });
        expect(resent).toEqual({ outcome: "duplicate" });
      },
      before,
    ));
}

function salts(create: CreateRuntime): void {
  test("an id cannot be computed any more once its salt is deleted, two days after it came into use", () =>
    tell(create, async (site) => {
      await setMode(site, "daily");
      await site.view("/a", "x", ANNE);
      const [visitor] = await site.runtime.rows("visitors");
      const computable = async () => {
        const rows = await site.runtime.rows("salts");
        const origin = { address: ANNE.ip, userAgent: ANNE.userAgent };
        const ids = rows.map(({ salt }) => dailyId(String(salt), "default", origin));
        return (await Promise.all(ids)).includes(String(visitor?.sessionId));
      };
      expect(await computable()).toBe(true);
      await site.runtime.advance(DAY);
      await site.runtime.mutation(internal.salts.tend, {});
      expect(await computable()).toBe(true);
      await site.runtime.advance(DAY);
      await site.runtime.mutation(internal.salts.tend, {});
      expect(await computable()).toBe(false);
      expect(await site.runtime.rows("visitors")).toHaveLength(1);
    }));

  test("they are made a day ahead, each once and at random, whatever a site counts by: limits need them too", () =>
    tell(create, async (site) => {
      await site.runtime.mutation(internal.salts.tend, {});
      await site.runtime.advance(1_100);
      const made = await site.runtime.rows("salts");
      expect(made.map(({ startsAt }) => startsAt)).toEqual([
        NOON - (NOON % DAY),
        NOON - (NOON % DAY) + DAY,
      ]);
      expect(new Set(made.map(({ salt }) => salt)).size).toBe(2);
      for (const { salt } of made) expect(salt).toMatch(/^[0-9a-f]{64}$/);
      await site.runtime.action(internal.salts.make, {});
      await setMode(site, "daily");
      expect(await site.runtime.rows("salts")).toEqual(made);
    }));

  test("where none was made in time, a view is of nobody and has them made", () =>
    tell(create, async (site) => {
      await setMode(site, "daily");
      await site.runtime.advance(3 * DAY);
      await site.view("/a", "x", ANNE);
      expect(await site.runtime.rows("visitors")).toEqual([]);
      await site.runtime.advance(1_100);
      await site.view("/a", "x", ANNE);
      expect(await site.runtime.rows("visitors")).toHaveLength(1);
      expect((await site.stats()).totalPageViews).toBe(2);
    }));

  test("no row of any table and no line of a log has the address or the user agent of a person, also where the hit is filtered", () =>
    tell(create, async (site) => {
      await setMode(site, "daily");
      const log = await site.runtime.logged(async () => {
        await site.view("/a", "x", ANNE);
        await send(site, { path: "/b", sessionId: "x" }, ANNE);
        const beat = { currentPath: "/c", sessionId: "x" };
        await site.runtime.mutation(api.stats.heartbeat, beat, ANNE);
        await send(site, { kind: "leave", sessionId: "x" }, ANNE);
        await site.view("/a", "x", { userAgent: ANNE.userAgent });
        await site.view("/a", "an id", ANNE).catch(() => undefined);
        await site.runtime.mutation(internal.sites.set, { blockedHosts: ["copy.example"] });
        await site.view("/a", "x", { ...ANNE, host: "copy.example" });
        await site.view("/a", "x", { ...ANNE, isPrivate: true, host: "copy.example" });
        await site.settleReports();
      });
      const text = (await everything(site)) + log;
      for (const kept of [ANNE.ip, ANNE.userAgent, "Linux x86_64"])
        expect(text).not.toContain(kept);
    }));
}

function none(create: CreateRuntime): void {
  test("each view counts, and is of nobody: no visitor, nobody online, no window; a resend counts once", () =>
    tell(create, async (site) => {
      await setMode(site, "none");
      for (const eventId of ["e1", "e2", "e1"]) await site.view("/a", "one", { ...ANNE, eventId });
      await site.runtime.mutation(
        api.stats.heartbeat,
        { currentPath: "/a", sessionId: "one" },
        ANNE,
      );
      await site.leave("one");
      for (const table of ["visitors", "activeSessions", "presenceLog"]) {
        expect(await site.runtime.rows(table)).toEqual([]);
      }
      const rows = await site.runtime.rows("pageViews");
      expect(new Set(rows.map(({ sessionId }) => sessionId)).size).toBe(2);
      expect(JSON.stringify(rows.map(({ sessionId }) => sessionId))).not.toContain("one");
      await site.settleReports();
      expect(await site.settled()).toMatchObject({
        ...{ totalPageViews: 2, viewsToday: 2, pageStats: [{ path: "/a", views: 2 }] },
        ...{ activeVisitors: null, activeByPath: [] },
        ...{ uniqueVisitors: null, visitorsAre: "not measured" },
      });
    }));

  test("a view of nobody that cannot be counted is put aside, and puts nobody online", () =>
    tell(create, async (site) => {
      await site.view("/a", "s1");
      const row = { path: "/poison", pageType: "page", sessionId: "v e1", timestamp: -1 };
      const nobodys = { ...row, site: "default", visitSequence: 0 };
      await site.runtime.insertLogged("pageViews", [nobodys]);
      await site.settleReports();
      expect(await site.runtime.rows("quarantine")).toMatchObject([{ table: "pageViews" }]);
      expect(await site.stats()).toMatchObject({ activeVisitors: 1, totalPageViews: 1 });
    }));

  test("visits and visitors are not measured, which is not 0; views are, by every dimension, and can be proved", () =>
    tell(create, async (site) => {
      await setMode(site, "none");
      await site.view("/a", "one", { ...ANNE, referrer: "https://news.example/" });
      await site.view("/b", "one", ANNE);
      await site.settleReports();
      const range = { from: site.runtime.now() - HOUR, until: site.runtime.now() + HOUR };
      expect(await site.runtime.query(api.reports.summary, { range })).toMatchObject({
        ...{ views: 2, visits: null, visitors: null, newVisitors: null, bounceRatio: null },
        visitorsAre: "not measured",
      });
      const series = await site.runtime.query(api.reports.timeseries, { range, unit: "hour" });
      expect(series.points[0]).toMatchObject({ views: 0, visitors: null });
      const asked = { range, dimension: "referrerHost" as const };
      const { rows } = await site.runtime.query(api.reports.breakdown, asked);
      expect(rows.map(({ value, views, visits }) => [value, views, visits])).toEqual([
        ["", 1, null],
        ["news.example", 1, null],
      ]);
      expect(await site.runtime.query(api.stats.countNewVisitors, {})).toBeNull();
      expect((await site.runtime.query(api.stats.countViews, {})).views).toBe(2);
    }));
}

function asked(create: CreateRuntime): void {
  test("is a view of nobody: by the headers of the browser, by what the page says, and from a server", () =>
    tell(create, async (site) => {
      const { key } = await site.runtime.action(internal.keys.create, {});
      expect(await send(site, { path: "/a", sessionId: "x" }, ANNE, { "Sec-GPC": "1" })).toBe(
        "counted",
      );
      expect(await send(site, { path: "/a", sessionId: "x" }, ANNE, { DNT: "1" })).toBe("counted");
      expect(await send(site, { path: "/a", sessionId: "x", private: true }, ANNE)).toBe("counted");
      await site.view("/a", "x", { isPrivate: true });
      const body = JSON.stringify({ sessionId: "x", path: "/a", private: true });
      const headers = { Authorization: `Bearer ${key}` };
      await site.runtime.fetch("/v1/events", { method: "POST", body, headers });
      expect(
        await send(site, { kind: "beat", path: "/a", sessionId: "x" }, ANNE, { DNT: "1" }),
      ).toBe("duplicate");
      for (const table of ["visitors", "activeSessions", "presenceLog"]) {
        expect(await site.runtime.rows(table)).toEqual([]);
      }
      expect(await site.stats()).toMatchObject({ totalPageViews: 5, uniqueVisitors: 0 });
    }));

  test("others are counted as ever beside it, and a header that asks for nothing changes nothing", () =>
    tell(create, async (site) => {
      await send(site, { path: "/a", sessionId: "x" }, ANNE, {
        "Sec-GPC": "0",
        DNT: "unspecified",
      });
      await site.view("/b", "x");
      await site.view("/b", "y", { isPrivate: true });
      await site.settleReports();
      const range = { from: site.runtime.now() - HOUR, until: site.runtime.now() + HOUR };
      expect(await site.runtime.query(api.reports.summary, { range })).toMatchObject({
        ...{ views: 3, visits: 1, bounces: 0, visitors: 1, visitorsAre: "distinct" },
      });
    }));

  test("a bot that asks for it is a bot, and a word that is neither true nor false is refused", () =>
    tell(create, async (site) => {
      const bot = { ...ANNE, userAgent: BOT };
      expect(await send(site, { path: "/a", sessionId: "x" }, bot, { DNT: "1" })).toBe(
        "filtered; bot",
      );
      const body = JSON.stringify({ kind: "view", path: "/a", sessionId: "x", private: "yes" });
      expect((await site.runtime.post("/e", body)).status).toBe(400);
    }));
}

function changes(create: CreateRuntime): void {
  test("never mixes ids: nobody is taken for a visitor of another mode, and what they are called says so", () =>
    tell(create, async (site) => {
      await site.view("/a", "x", ANNE);
      await setMode(site, "daily");
      const [browser] = await site.runtime.rows("visitors");
      await site.view("/a", "x", ANNE);
      const daily = (await site.runtime.rows("visitors")).at(-1)?.sessionId;
      await setMode(site, "none");
      await site.view("/a", "x", ANNE);
      await setMode(site, "browser");
      const forged = site.view("/a", String(daily), ANNE);
      await expect(forged).rejects.toMatchObject({ data: { code: "invalid_session_id" } });
      expect(await site.view("/a", "x", ANNE)).toEqual({ outcome: "duplicate" });
      expect((await site.runtime.rows("visitors")).map(({ sessionId }) => sessionId)).toEqual([
        browser?.sessionId,
        daily,
      ]);
      expect(await site.stats()).toMatchObject({
        ...{ totalPageViews: 3, uniqueVisitors: 2, visitorsAre: "partly measured" },
      });
    }));

  test("is said in a sentence, is listed, and is taken back by null", () =>
    tell(create, async (site) => {
      const { runtime } = site;
      const set = await runtime.mutation(internal.sites.set, { visitorMode: "none" });
      expect(set.notes).toEqual([expect.stringContaining("Views only")]);
      expect(await runtime.query(internal.sites.list, {})).toMatchObject([{ visitorMode: "none" }]);
      const back = await runtime.mutation(internal.sites.set, { visitorMode: null });
      expect(back.site.visitorMode).toBe("browser");
    }));
}

/** The salts are there when this returns. */
async function setMode(site: Site, visitorMode: VisitorMode): Promise<void> {
  await site.runtime.mutation(internal.sites.set, { visitorMode });
  await site.runtime.advance(1_100);
}

async function send(
  site: Site,
  hit: object,
  { ip, userAgent }: { ip: string; userAgent: string },
  headers: Record<string, string> = {},
): Promise<string | null> {
  const body = JSON.stringify({ kind: "view", ...hit });
  const init = { method: "POST", body, headers: { "User-Agent": userAgent, ...headers } };
  return (await site.runtime.fetch("/e", init, { ip })).headers.get("X-Footfall");
}

/** Every row of every table, as text. */
async function everything(site: Site): Promise<string> {
  const tables = Object.keys(schema.tables);
  const rows = await Promise.all(tables.map((table) => site.runtime.rows(table)));
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === "bigint"
      ? value.toString()
      : value instanceof ArrayBuffer
        ? textOf(value)
        : value,
  );
}

function textOf(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes);
}
