/** Owns: what must be true of counting the rows of the original design, on every runtime. Not: counting new views. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { internal } from "../../convex/_generated/api.js";
import { expectBruteForce, manyOldRows, oldRow } from "./old-rows.ts";
import type { OldRow } from "./old-rows.ts";
import { DAY, HOUR, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

/** A runtime that reads a whole table for each query needs it. */
const SLOW_MS = 240_000;

/** `oldViews`: views of the old path in C75; `oldSessions`: sessions in C76. convex-test reads a whole table for each query. */
export type BackfillScale = { oldViews: number; oldSessions: number };

export function backfill(create: CreateRuntime, { oldViews, oldSessions }: BackfillScale): void {
  describe("backfill", () => {
    test(
      "5,000 old rows give exactly the brute-force numbers",
      () =>
        tell(create, async (site) => {
          const rows = manyOldRows(5_000);
          await site.runtime.insert("pageViews", rows);
          expect(await start(site)).toMatchObject({ state: "running", counted: 0 });
          await site.runtime.advance(20_000);
          await site.settle();
          await expectBruteForce(site, rows);
          expect((await site.stats()).backfill).toMatchObject({
            state: "done",
            counted: 5_000,
            remainingAtLeast: 0,
            doneRatio: 1,
          });
          await start(site);
          await site.runtime.advance(20_000);
          await site.settle();
          await expectBruteForce(site, rows);
        }),
      SLOW_MS,
    );

    test("killed in the middle and started again, and twice in parallel, it counts each row once", () =>
      tell(create, async (site) => {
        const rows = manyOldRows(1_800);
        await site.runtime.insert("pageViews", rows);
        const [first, second] = await Promise.all([start(site), start(site)]);
        expect([first.state, second.state]).toEqual(["running", "running"]);
        await Promise.all([
          site.runtime.mutation(internal.stats.backfillAggregatesChunk, { chain: 1 }),
          site.runtime.mutation(internal.stats.backfillAggregatesChunk, { chain: 1 }),
        ]);
        await site.runtime.dropScheduled();
        await site.runtime.advance(20_000);
        expect((await site.stats()).backfill).toMatchObject({ state: "running", counted: 1_000 });
        await Promise.all([start(site), start(site, { restart: true })]);
        await site.runtime.advance(20_000);
        await site.settle();
        await expectBruteForce(site, rows);
      }));

    test("getStats is right before, while and after it, and live views go on meanwhile", () =>
      tell(create, async (site) => {
        const rows = manyOldRows(900);
        await site.runtime.insert("pageViews", rows);
        const live: OldRow[] = [];
        const view = async (path: string, sessionId: string) => {
          const timestamp = site.runtime.now();
          await site.view(path, sessionId);
          live.push({ path, pageType: "page", sessionId, timestamp });
        };
        await expectBruteForce(site, rows);
        await view("/live", "visitor-1");
        await expectBruteForce(site, [...rows, ...live]);
        await site.settle();
        await expectBruteForce(site, [...rows, ...live]);
        await start(site);
        await site.runtime.mutation(internal.stats.backfillAggregatesChunk, { chain: 1 });
        await view("/live", "visitor-new");
        await expectBruteForce(site, [...rows, ...live]);
        await site.runtime.advance(20_000);
        await view("/other", "visitor-new");
        await expectBruteForce(site, [...rows, ...live]);
        await site.settle();
        await expectBruteForce(site, [...rows, ...live]);
        expect((await site.stats()).activeVisitors).toBe(2);
      }));

    test("while more is left than a reader may count, the numbers are lower bounds and say so", () =>
      tell(create, async (site) => {
        await site.runtime.insert("pageViews", manyOldRows(1_200));
        const before = await site.stats();
        expect(before).toMatchObject({ atLeast: true, totalPageViews: 1_000, backfill: null });
        await start(site);
        const during = await site.settled();
        expect(during.backfill).toMatchObject({ state: "running", remainingAtLeast: 1_000 });
        await site.runtime.advance(20_000);
        expect(await site.stats()).toMatchObject({ atLeast: false, totalPageViews: 1_200 });
      }));

    test("an operator can cancel it and start it again", () =>
      tell(create, async (site) => {
        const rows = manyOldRows(1_100);
        await site.runtime.insert("pageViews", rows);
        await start(site);
        await site.runtime.mutation(internal.stats.backfillAggregatesChunk, { chain: 1 });
        const cancelled = await site.runtime.mutation(internal.stats.cancelBackfill, {});
        expect(cancelled).toMatchObject({
          state: "cancelled",
          counted: 500,
          remainingAtLeast: 600,
        });
        await site.runtime.advance(20_000);
        expect((await site.stats()).backfill).toMatchObject({ state: "cancelled", counted: 500 });
        await start(site);
        await site.runtime.advance(20_000);
        expect((await site.stats()).backfill).toMatchObject({ state: "done", counted: 1_100 });
        await expectBruteForce(site, rows);
      }));

    test("a visitor who was seen before the live view gets one history: first seen, gaps, no second visitor", () =>
      tell(create, async (site) => {
        const day = NOON - 2 * DAY;
        await site.view("/a", "s1");
        await site.settle();
        const old = { pageType: "page", sessionId: "s1" };
        await site.runtime.insert("pageViews", [
          { ...old, path: "/b", timestamp: day + HOUR },
          { ...old, path: "/a/", timestamp: day },
        ]);
        await start(site);
        await site.runtime.advance(20_000);
        await site.settle();
        const rows = await site.runtime.rows("pageViews");
        const byTime = rows.sort((a, b) => Number(a.timestamp) - Number(b.timestamp));
        expect(byTime.map((row) => row.path)).toEqual(["/a", "/b", "/a"]);
        expect(byTime[0]).not.toHaveProperty("visitorLastSeenAt");
        expect(byTime[1]).toMatchObject({ visitorLastSeenAt: day, previousPath: "/a" });
        expect(byTime[1]).not.toHaveProperty("pathLastSeenAt");
        expect(byTime[2]).toMatchObject({
          visitorLastSeenAt: day + HOUR,
          previousPath: "/b",
          pathLastSeenAt: day,
        });
        expect(await site.runtime.rows("visitors")).toMatchObject([{ firstSeenAt: day }]);
        expect(await site.stats()).toMatchObject({
          uniqueVisitors: 1,
          totalPageViews: 3,
          trackingSince: day,
          activeVisitors: 1,
        });
      }));

    test("C72: a row that is deleted before the backfill reaches it is not counted", () =>
      tell(create, async (site) => {
        const rows = manyOldRows(700);
        await site.runtime.insert("pageViews", rows);
        await start(site);
        await site.runtime.mutation(internal.stats.backfillAggregatesChunk, { chain: 1 });
        const newest = Math.max(...rows.map(({ timestamp }) => timestamp));
        const stored = await site.runtime.rows("pageViews");
        await site.runtime.remove(
          "pageViews",
          stored.filter((row) => row.timestamp === newest),
        );
        await site.runtime.advance(20_000);
        await expectBruteForce(
          site,
          rows.filter(({ timestamp }) => timestamp !== newest),
        );
      }));

    test(`C75: a path with ${oldViews} old views stays first after 1,000 newer ones of another`, () =>
      tell(create, async (site) => {
        const rows = [
          ...Array.from({ length: oldViews }, (_, place) =>
            oldRow("/old", `s${place % 50}`, place),
          ),
          ...Array.from({ length: 1_000 }, (_, place) =>
            oldRow("/new", `s${place % 50}`, oldViews + place),
          ),
        ];
        await site.runtime.insert("pageViews", rows);
        await start(site);
        await site.runtime.advance(20_000);
        expect((await site.stats()).pageStats.map(({ path, views }) => [path, views])).toEqual([
          ["/old", oldViews],
          ["/new", 1_000],
        ]);
      }));

    test(
      `C76: ${oldSessions} sessions of which the first appears again at the end are ${oldSessions} visitors`,
      () =>
        tell(create, async (site) => {
          const sessions = Array.from({ length: oldSessions }, (_, place) => `s${place}`);
          const rows = [...sessions, "s0"].map((sessionId, place) => ({
            ...oldRow("/a", sessionId, 0),
            timestamp: NOON - DAY + place * 1_000,
          }));
          await site.runtime.insert("pageViews", rows);
          await start(site);
          await site.runtime.advance(60_000);
          await site.settle();
          expect(await site.settled()).toMatchObject({
            uniqueVisitors: oldSessions,
            totalPageViews: oldSessions + 1,
            atLeast: false,
          });
        }),
      SLOW_MS,
    );

    test("I6: whatever is called in whatever order beside live views, the end is the brute-force numbers", () =>
      fc.assert(
        fc.asyncProperty(fc.array(stepOf, { minLength: 1, maxLength: 25 }), (steps) =>
          tell(create, async (site) => {
            const rows = manyOldRows(1_060, 40);
            await site.runtime.insert("pageViews", rows);
            for (const step of steps) await take(step, site, rows);
            await start(site);
            await site.runtime.advance(20_000);
            await site.settle();
            await expectBruteForce(site, rows);
          }),
        ),
        { numRuns: 4 },
      ));
  });
}

type Step =
  | { kind: "start"; restart: boolean }
  | { kind: "chunk" | "run" | "drop" | "cancel" | "pass" }
  | { kind: "view"; who: number };

const stepOf: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("start" as const), restart: fc.boolean() }),
  fc.record({ kind: fc.constantFrom("chunk", "run", "drop", "cancel", "pass") }),
  fc.record({ kind: fc.constant("view" as const), who: fc.nat(60) }),
);

/** Does the step; a view that counts is added to `rows`. */
async function take(step: Step, site: Site, rows: OldRow[]): Promise<void> {
  switch (step.kind) {
    case "start":
      await start(site, { restart: step.restart });
      break;
    case "chunk": {
      const [job] = await site.runtime.rows("jobs");
      const chain = Number(job?.chain ?? 1);
      await site.runtime.mutation(internal.stats.backfillAggregatesChunk, { chain });
      break;
    }
    case "run":
      await site.runtime.mutation(internal.worker.run, { site: "default" });
      break;
    case "drop":
      await site.runtime.dropScheduled();
      break;
    case "cancel":
      await site.runtime.mutation(internal.stats.cancelBackfill, {});
      break;
    case "pass":
      await site.runtime.advance(1_000);
      break;
    case "view": {
      const hit = { path: `/live-${step.who % 3}`, sessionId: `visitor-${step.who}` };
      const { outcome } = await site.view(hit.path, hit.sessionId);
      if (outcome === "counted") {
        rows.push({ ...hit, pageType: "page", timestamp: site.runtime.now() });
      }
      break;
    }
    default:
      step satisfies never;
  }
}

function start(site: Site, args: { restart?: boolean } = {}) {
  return site.runtime.mutation(internal.stats.backfillAggregates, args);
}
