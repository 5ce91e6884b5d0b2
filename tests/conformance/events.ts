/** Owns: what custom events count, and what they do to the visit that is open. Not: how they arrive (event-hits.ts), random histories (invariants.ts). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { pastOf } from "./past.helpers.ts";
import { DAY, HOUR, MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1";

/** The day of the story and the two around it. */
const RANGE = { from: NOON - DAY, until: NOON + 2 * DAY };

export function events(create: CreateRuntime): void {
  describe("custom events", () => {
    test("count under their names, with distinct visitors; a resend counts once, however late it comes", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        const first = { eventId: "first" };
        expect(await site.event("signup", "s1", first)).toEqual({ outcome: "counted" });
        for (let more = 0; more < 9; more += 1) {
          await site.event(" signup ", `s${more % 2}`, { eventId: `e${more}` });
        }
        await site.runtime.advance(DAY);
        expect(await site.event("signup", "s1", first)).toEqual({ outcome: "duplicate" });
        await site.event("buy", "s1");
        await site.settleReports();
        const report = await site.runtime.query(api.reports.events, { range: RANGE });
        expect(report).toMatchObject({
          rows: [
            { name: "signup", events: 10, visitors: 2 },
            { name: "buy", events: 1, visitors: 1 },
          ],
          ...{ rest: null, namesTotal: 2, complete: true, isBeyondRetention: false },
        });
        const only = { dimension: "event" as const, value: "signup" };
        const asked = { range: RANGE, only, unit: "day" as const };
        const { points } = await site.runtime.query(api.reports.timeseries, asked);
        expect(points.map((point) => point.events)).toEqual([0, 10, 0, 0]);
      }));

    test("an interactive one ends a bounce and extends its visit: in the total, in the visit's dimensions and on the page", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1", { userAgent: PHONE });
        await site.runtime.advance(20 * MINUTE);
        await site.event("play", "s1");
        await site.runtime.advance(20 * MINUTE);
        await site.view("/b", "s1", { userAgent: PHONE });
        await site.view("/a", "s2");
        await site.settleReports();
        const visit = { views: 3, visits: 2, bounces: 1, events: 1, visitors: 2 };
        expect(await summaryOf(site)).toMatchObject({ ...visit, durationMs: about(40 * MINUTE) });
        const mobile = { value: "mobile", views: 2, visits: 1, bounces: 0 };
        expect(await rowOf(site, "device", "mobile")).toMatchObject({
          ...mobile,
          durationMs: about(40 * MINUTE),
        });
        const page = { views: 2, visits: 2, bounces: 1, exits: 1, durationMs: about(40 * MINUTE) };
        expect(await rowOf(site, "path", "/a")).toMatchObject(page);
      }));

    test("it does so across an hour and a day, and when the event is rolled up long after its view", () =>
      tell(
        create,
        async (site) => {
          await site.view("/a", "s1");
          await site.settleReports();
          expect(await summaryOf(site)).toMatchObject({ bounces: 1, durationMs: 0 });
          await site.runtime.advance(20 * MINUTE);
          await site.event("play", "s1");
          await site.settleReports();
          const visit = { views: 1, visits: 1, bounces: 0, visitors: 1, newVisitors: 1 };
          expect(await summaryOf(site)).toMatchObject({ ...visit, durationMs: about(20 * MINUTE) });
          await site.runtime.advance(DAY);
          const past = pastOf(site);
          await past.work();
          expect(await summaryOf(site)).toMatchObject({ ...visit, durationMs: about(20 * MINUTE) });
          expect(await past.verify()).toMatchObject({ drift: 0, found: [], rows: 2 });
        },
        NOON + 11 * HOUR + 50 * MINUTE,
      ));

    test("one that is not interactive, or comes after the visit is over, changes no visit", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.event("seen", "s1", { isInteractive: false });
        await site.event("404", "s1");
        await site.runtime.advance(31 * MINUTE);
        await site.event("play", "s1");
        await site.settleReports();
        const visit = { views: 1, visits: 1, bounces: 1, durationMs: 0, events: 3, visitors: 1 };
        expect(await summaryOf(site)).toMatchObject(visit);
        await site.view("/a", "s1");
        await site.settleReports();
        expect(await summaryOf(site)).toMatchObject({ visits: 2, bounces: 2, durationMs: 0 });
      }));

    test("one of somebody who was never seen counts under its name, and makes no visitor, no visit, and nobody online", () =>
      tell(create, async (site) => {
        expect(await site.event("signup", "s1", { eventId: "e1" })).toEqual({ outcome: "counted" });
        expect(await site.event("signup", "s1", { eventId: "e1" })).toMatchObject({
          outcome: "duplicate",
        });
        await site.settleReports();
        const { rows } = await site.runtime.query(api.reports.events, { range: RANGE });
        expect(rows).toEqual([{ name: "signup", events: 1, visitors: 1 }]);
        expect(await summaryOf(site)).toMatchObject({ views: 0, visits: 0, visitors: 0 });
        expect(await site.stats()).toMatchObject({ uniqueVisitors: 0, activeVisitors: 0 });
        for (const table of ["visitors", "activeSessions", "pageViews"])
          expect(await site.runtime.rows(table)).toEqual([]);
      }));

    test("properties are counted by key and value, and what is too many is one sum", () =>
      tell(create, async (site) => {
        const properties = { plan: "pro", seats: 3, trial: true };
        await site.event("signup", "s1", { properties });
        await site.event("signup", "s2", { properties: { ...properties, plan: "free" } });
        await site.event("signup", "s3", { properties: { plan: "pro" } });
        await site.event("buy", "s3", { properties: { plan: "none" } });
        await site.settleReports();
        const ask = (limit: number) =>
          site.runtime.query(api.reports.eventProperties, { range: RANGE, name: "signup", limit });
        expect(await ask(10)).toMatchObject({
          name: "signup",
          properties: [
            {
              ...{ key: "plan", events: 3, restEvents: 0 },
              values: [
                { value: "pro", events: 2 },
                { value: "free", events: 1 },
              ],
            },
            { key: "seats", events: 2, values: [{ value: "3", events: 2 }], restEvents: 0 },
            { key: "trial", events: 2, values: [{ value: "true", events: 2 }], restEvents: 0 },
          ],
          complete: true,
        });
        const [plan] = (await ask(1)).properties;
        expect(plan).toMatchObject({ values: [{ value: "pro", events: 2 }], restEvents: 1 });
      }));

    test("two visitors' events share nothing but the reading of the site and of the wake flag, and write two rows", () =>
      tell(create, async (site) => {
        for (const sessionId of ["s1", "s2"]) await site.view("/a", sessionId);
        const send = (sessionId: string) => {
          const event = { name: "play", path: "/a", sessionId, eventId: "e1" };
          return site.runtime.footprint(api.stats.recordEvent, event);
        };
        const [first, second] = [await send("s1"), await send("s2")];
        expect(first.overlap(second)).toEqual({ conflicts: [], sharedReads: ["sites", "wake"] });
        expect(first.documentsWritten).toBeLessThanOrEqual(2);
        expect(first.ranges).toBeLessThanOrEqual(6);
      }));
  });

  describe("the worker and custom events", () => {
    test("events alone wake it, it rests again, and a watcher sees them within seconds", () =>
      tell(create, async (site) => {
        await site.event("play", "s1");
        await site.runtime.advance(5 * MINUTE + 1_000);
        expect(await eventsOf(site)).toEqual([["play", 1]]);
        expect((await site.runtime.rows("wake")).map(({ dueAt }) => dueAt)).toEqual([undefined]);
        await site.watchFor(30_000);
        for (let turn = 0; turn < 9; turn += 1) await site.event("play", "s1");
        await site.watchFor(10_000);
        expect(await eventsOf(site)).toEqual([["play", 10]]);
      }));

    test("more than one batch of them is counted at once, each once, also by two workers", () =>
      tell(create, async (site) => {
        const row = { site: "default", name: "play", path: "/a", timestamp: site.runtime.now() };
        for (let commit = 0; commit < 3; commit += 1) {
          const rows = Array.from({ length: 300 }, (_, place) => ({
            ...row,
            sessionId: `s${commit}-${place}`,
          }));
          await site.runtime.insertLogged("events", rows);
        }
        const run = () => site.runtime.mutation(internal.worker.run, { site: "default" });
        await Promise.all([run(), run()]);
        await site.runtime.advance(1_000);
        expect(await eventsOf(site)).toEqual([["play", 900]]);
      }));

    test("I9: one that cannot be counted is put aside, and counted once it was put right", () =>
      tell(create, async (site) => {
        await site.event("play", "s1");
        const timestamp = site.runtime.now();
        const bad = { site: "default", name: "bad", path: "/a", sessionId: "s2", timestamp };
        await site.runtime.insertLogged("events", [{ ...bad, properties: "[1]" }]);
        await site.settleReports();
        expect(await eventsOf(site)).toEqual([["play", 1]]);
        const [listed] = await site.runtime.query(internal.stats.listQuarantine, {});
        expect(listed).toMatchObject({ table: "events" });
        expect(listed?.error).toContain("no properties of an event");
        const past = pastOf(site);
        expect(await past.verify()).toMatchObject({ drift: 0, rows: 1 });
        await site.runtime.mutation(internal.stats.retryQuarantined, {});
        await site.settleReports();
        expect(await site.runtime.query(internal.stats.listQuarantine, {})).toHaveLength(1);
      }));

    test("a proof finds what the log does not have, a repair mends it, and retention leaves what was counted", () =>
      tell(create, async (site) => {
        await site.event("play", "s1", { properties: { level: 1 } });
        await site.event("stop", "s1");
        const past = pastOf(site);
        await site.runtime.advance(DAY);
        await past.work();
        const stop = (await site.runtime.rows("events")).filter(({ name }) => name === "stop");
        await site.runtime.remove("events", stop);
        const { found } = await past.verify();
        expect(found.join()).toContain('event "stop": events 1, the log says 0');
        await past.repair();
        expect(await past.verify()).toMatchObject({ drift: 0, found: [] });
        expect(await eventsOf(site)).toEqual([["play", 1]]);
        await site.runtime.mutation(internal.sites.ensureDefault, { retentionDays: 1 });
        await site.runtime.advance(2 * DAY);
        await past.work();
        await site.runtime.mutation(internal.past.startRetention, {});
        await site.runtime.advance(5_000);
        expect(await site.runtime.rows("events")).toEqual([]);
        expect(await eventsOf(site)).toEqual([["play", 1]]);
      }));
  });
}

/** A runtime may give each call its own millisecond. */
function about(ms: number): unknown {
  return expect.closeTo(ms, -3);
}

async function summaryOf(site: Site) {
  return await site.runtime.query(api.reports.summary, { range: RANGE });
}

async function rowOf(site: Site, dimension: "device" | "path", value: string) {
  const { rows } = await site.runtime.query(api.reports.breakdown, { range: RANGE, dimension });
  return rows.find((row) => row.value === value);
}

async function eventsOf(site: Site): Promise<[string, number][]> {
  const { rows } = await site.runtime.query(api.reports.events, { range: RANGE });
  return rows.map(({ name, events: sent }) => [name, sent]);
}
