/** Owns: what must be true of the roll-ups on every runtime: when they are made, of what, and what does not stop them. Not: the reports made of them (reports.ts). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TODAY = { from: NOON - (NOON % DAY), until: NOON - (NOON % DAY) + 2 * DAY };

export function rollups(create: CreateRuntime): void {
  describe("roll-ups", () => {
    test("150 views do not wait for five minutes, also when nobody watches", () =>
      tell(create, async (site) => {
        const rows = Array.from({ length: 170 }, (_, place) => logRow(NOON, `v${place}`));
        const add = async (from: number, until: number): Promise<void> => {
          await site.runtime.insertLogged("pageViews", rows.slice(from, until));
          await site.runtime.mutation(internal.worker.run, { site: "default" });
        };
        await add(0, 10);
        await add(10, 20);
        expect((await site.runtime.query(api.stats.getHeadline, {})).totalPageViews).toBe(20);
        expect((await panels(site)).pageStats[0]?.views).toBe(10);
        expect((await summary(site, TODAY)).views).toBe(10);
        expect(await site.runtime.query(api.stats.getStats, {})).toMatchObject({
          totalPageViews: 20,
          pageStats: [{ path: "/a", views: 20 }],
        });
        await add(20, 170);
        expect((await panels(site)).pageStats[0]?.views).toBe(170);
        expect((await summary(site, TODAY)).views).toBe(170);
      }));

    test("while somebody watches, paths and roll-ups lag behind the headline, but never by more than 500 views", () =>
      tell(create, async (site) => {
        const rows = Array.from({ length: 600 }, (_, place) => logRow(NOON, `v${place}`));
        const add = async (from: number, until: number): Promise<void> => {
          await site.runtime.insertLogged("pageViews", rows.slice(from, until));
          await site.runtime.mutation(internal.worker.run, { site: "default" });
        };
        await site.watch();
        await add(0, 10);
        await add(10, 20);
        expect((await site.runtime.query(api.stats.getHeadline, {})).totalPageViews).toBe(20);
        expect((await panels(site)).pageStats[0]?.views).toBe(10);
        expect((await summary(site, TODAY)).views).toBe(10);
        for (let from = 20; from < 600; from += 290) await add(from, from + 290);
        expect((await summary(site, TODAY)).views).toBeGreaterThanOrEqual(500);
      }));

    test("a worker that comes back after a week adds every hour once, however many there are", () =>
      tell(create, async (site) => {
        for (let hour = 0; hour < 150; hour += 1) {
          const row = logRow(NOON - 160 * HOUR + hour * HOUR, `v${hour}`);
          await site.runtime.insertLogged("pageViews", [row]);
        }
        await site.settle();
        await site.settleReports();
        expect(await site.runtime.rows("rollups")).toHaveLength(150);
        const week = { from: NOON - 160 * HOUR, until: NOON };
        expect(await summary(site, week)).toMatchObject({ views: 150, visits: 150, visitors: 150 });
      }));

    test("no value is lost below 1,000 an hour; above, the tail is one sum, and the report says so", () =>
      tell(create, async (site) => {
        const rows = (from: number, until: number) =>
          Array.from({ length: until - from }, (_, place) => ({
            ...logRow(NOON, `v${from + place}`),
            path: `/p${from + place}`,
            movedFrom: `/p${from + place}`,
          }));
        for (let from = 0; from < 1_000; from += 250) {
          await site.runtime.insertLogged("pageViews", rows(from, from + 250));
        }
        await site.settleReports();
        const full = await pages(site, 1_000);
        expect(full).toMatchObject({ valuesTotal: 1_000, rest: null, complete: true });
        await site.runtime.insertLogged("pageViews", rows(1_000, 1_200));
        await site.settleReports();
        const cut = await pages(site, 1_000);
        expect(cut).toMatchObject({ valuesTotal: 1_000, rest: { views: 200 }, complete: false });
        expect((await summary(site, TODAY)).views).toBe(1_200);
      }));

    test("I9: a row that cannot be rolled up is put aside: it is in neither the headline nor a report, and the rest goes on", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        const contradiction = { ...logRow(NOON, "bad"), visitSequence: 2 };
        await site.runtime.insertLogged("pageViews", [contradiction]);
        await site.view("/b", "s1");
        await site.settle();
        await site.settleReports();
        expect((await site.settled()).totalPageViews).toBe(2);
        expect(await summary(site, TODAY)).toMatchObject({ views: 2, visits: 1, bounces: 0 });
        const [quarantined] = await site.runtime.rows("quarantine");
        expect(quarantined?.error).toMatch(/contradict/);
      }));

    test("a damaged hour does not stall the hours after it", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.settleReports();
        const [hour] = await site.runtime.rows("rollups");
        if (hour === undefined) throw new Error("No hour was rolled up.");
        await site.runtime.remove("rollups", [hour]);
        const { _id, _creationTime, ...fields } = hour;
        const bytes = new Uint8Array([1, 2, 3]).buffer;
        await site.runtime.insert("rollups", [{ ...fields, bytes }]);
        await site.view("/b", "s1");
        await site.runtime.advance(HOUR);
        await site.view("/c", "s1");
        await site.settleReports();
        expect((await summary(site, { from: NOON + HOUR, until: NOON + 2 * HOUR })).views).toBe(1);
        expect((await summary(site, TODAY)).views).toBe(2);
      }));

    test("whatever visitors do, and whenever the worker runs, a report is the brute-force count of the log", () =>
      fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 30 }), (steps) =>
          tell(create, async (site) => {
            for (const { who, where, passMs, act } of steps) {
              await site.view(`/p${where}`, `s${who}`);
              await site.runtime.advance(passMs);
              if (act === "run") await site.settle();
              if (act === "settle") await site.settleReports();
              if (act === "crash") await site.runtime.dropScheduled();
            }
            await site.settleReports();
            await expectBruteForce(site, TODAY);
            await expectBruteForce(site, { from: NOON + HOUR, until: NOON + 3 * HOUR });
          }),
        ),
        { numRuns: 10 },
      ));
  });
}

const anyStep = fc.record({
  who: fc.nat(2),
  where: fc.nat(3),
  passMs: fc.constantFrom(0, 1_000, 11 * MINUTE, 29 * MINUTE, 33 * MINUTE, 95 * MINUTE),
  act: fc.constantFrom("nothing", "run", "settle", "crash"),
});

function summary(site: Site, range: { from: number; until: number }) {
  return site.runtime.query(api.reports.summary, { range });
}

function pages(site: Site, limit: number) {
  const asked = { range: TODAY, dimension: "path", limit } as const;
  return site.runtime.query(api.reports.breakdown, asked);
}

/** A row as the door writes it for a first view. */
function logRow(timestamp: number, sessionId: string) {
  const facts = { visitSequence: 1, createdVisitor: true, movedFrom: "/a" };
  return { path: "/a", pageType: "page", site: "default", timestamp, sessionId, ...facts };
}

/** The slow and obvious way: every view of the log, visitor by visitor. */
async function expectBruteForce(site: Site, range: { from: number; until: number }): Promise<void> {
  const wanted = { views: 0, visits: 0, bounces: 0, visitors: 0 };
  const views = (await site.runtime.rows("pageViews")).map((row) => ({
    sessionId: String(row["sessionId"]),
    timestamp: Number(row["timestamp"]),
  }));
  const isInside = (view: { timestamp: number }) =>
    view.timestamp >= range.from && view.timestamp < range.until;
  for (const visitor of new Set(views.map(({ sessionId }) => sessionId))) {
    const own = views
      .filter(({ sessionId }) => sessionId === visitor)
      .sort((a, b) => a.timestamp - b.timestamp);
    if (own.some(isInside)) wanted.visitors += 1;
    let placeInVisit = 0;
    let before = Number.NEGATIVE_INFINITY;
    for (const view of own) {
      placeInVisit = view.timestamp - before <= 30 * MINUTE ? placeInVisit + 1 : 1;
      before = view.timestamp;
      if (!isInside(view)) continue;
      wanted.views += 1;
      if (placeInVisit === 1) wanted.visits += 1;
      if (placeInVisit === 1) wanted.bounces += 1;
      if (placeInVisit === 2) wanted.bounces -= 1;
    }
  }
  expect(await summary(site, range)).toMatchObject(wanted);
}

const panels = (site: Site) => site.runtime.query(api.stats.getPanels, {});
