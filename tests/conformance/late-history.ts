/** Owns: what must be true when the past changes: history that comes late, another time zone, retention, rows put aside. Not: the past as it was (past.ts). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { calendarOf } from "../../domain/calendar/calendar.ts";
import { DAY, HOUR, liveDays, pastOf } from "./past.helpers.ts";
import type { CreateRuntime } from "./runtime.ts";
import { MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import { expectHistories } from "./visitor-histories.helpers.ts";

export function lateHistory(create: CreateRuntime, { runs }: { runs: number }): void {
  describe("late history", () => {
    test("old rows behind live views get visits, their successors are corrected, and every day is what the log says", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.runtime.mutation(api.stats.settle, {});
        const old = { pageType: "page", sessionId: "s1" };
        const before = Number((await site.runtime.rows("pageViews"))[0]?.timestamp);
        await site.runtime.insert("pageViews", [
          { ...old, path: "/a", timestamp: before - DAY },
          { ...old, path: "/b", timestamp: before - 20 * MINUTE },
          { ...old, path: "/c", timestamp: before - 10 * MINUTE },
        ]);
        await site.runtime.mutation(internal.stats.backfillAggregates, {});
        const past = pastOf(site);
        await past.work();
        await expectHistories(site);
        const live = (await site.runtime.rows("pageViews")).find(
          ({ timestamp }) => timestamp === before,
        );
        expect(live).toMatchObject({
          visitSequence: 3,
          previousPath: "/c",
          visitorLastSeenAt: before - 10 * MINUTE,
          pathLastSeenAt: before - DAY,
        });
        expect(await site.runtime.rows("visitors")).toMatchObject([{ visitSequence: 3 }]);
        expect(await past.verify()).toMatchObject({ drift: 0, rows: 4 });
        expect(await past.counts({})).toEqual({ views: 4, newVisitors: 1 });
        expect(await past.counts({ from: "2026-11-30" })).toEqual({ views: 3, newVisitors: 0 });
        const { visits, bounces } = await summary(site, before - 2 * DAY);
        expect([visits, bounces]).toEqual([2, 1]);
      }));

    test("I4: who is where stays right when history comes between a view and its counting", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.runtime.advance(10 * MINUTE);
        await site.view("/a", "s1");
        await site.view("/b", "s1");
        const views = await site.runtime.rows("pageViews");
        const [first, second] = [...views].sort(
          (a, b) => Number(a.timestamp) - Number(b.timestamp),
        );
        expect(second).toMatchObject({ path: "/b", previousPath: "/a", movedFrom: true });
        const timestamp = Number(first?.timestamp) + 5 * MINUTE;
        const old = { pageType: "page", sessionId: "s1", path: "/c", timestamp };
        await site.runtime.insert("pageViews", [old]);
        await site.runtime.mutation(internal.stats.backfillAggregatesRows, { site: "default" });
        const after = (await site.runtime.rows("pageViews")).find(({ path }) => path === "/b");
        expect(after).toMatchObject({ previousPath: "/c", movedFrom: "/a" });
        const where = { activeVisitors: 1, activeByPath: [{ path: "/b", count: 1 }] };
        expect(await site.stats()).toMatchObject(where);
        await site.settle();
        expect(await site.settled()).toMatchObject(where);
      }));

    test("I5, I6: in whatever order history arrives beside live views, facts and roll-ups are those of brute force", () =>
      fc.assert(
        fc.asyncProperty(anyStory, (story) =>
          tell(create, async (site) => {
            const past = pastOf(site);
            for (const step of story) await take(step, site);
            await site.runtime.mutation(internal.stats.backfillAggregates, {});
            await past.work();
            await expectHistories(site);
            if ((await site.runtime.rows("pageViews")).length === 0) return;
            expect(await past.verify()).toMatchObject({ drift: 0, found: [] });
          }),
        ),
        { numRuns: runs },
      ));

    test("I5: after a change of time zone days are those of the new zone, and nothing is lost", () =>
      tell(create, async (site) => {
        const rows = await liveDays(site, 2);
        const past = pastOf(site);
        await past.work();
        for (const timeZone of ["Asia/Kathmandu", "America/New_York"]) {
          await site.runtime.mutation(internal.sites.ensureDefault, { timeZone });
          await past.work();
          const calendar = calendarOf(timeZone);
          for (const unit of ["hour", "day", "month"] as const) {
            const stored = (await site.runtime.rows("rollups")).filter((row) => row.unit === unit);
            for (const { startsAt } of stored) {
              expect(calendar.startOf(unit, Number(startsAt))).toBe(startsAt);
            }
          }
          expect(await past.verify()).toMatchObject({ drift: 0, found: [], rows: rows.length });
          expect(await past.counts({})).toEqual({ views: rows.length, newVisitors: 7 });
          const day = calendar.localTime(rows[0]?.at ?? 0).date;
          const ofDay = rows.filter(({ at }) => calendar.localTime(at).date === day);
          expect((await past.counts({ from: day, to: day })).views).toBe(ofDay.length);
        }
      }));

    test("retention removes rows and hours and never what was counted: all-time totals do not shrink", () =>
      tell(create, async (site) => {
        const rows = await liveDays(site, 3);
        const past = pastOf(site);
        await past.work();
        const before = await site.stats();
        await site.runtime.mutation(internal.sites.ensureDefault, { retentionDays: 1 });
        await site.runtime.mutation(internal.past.startRetention, {});
        await site.runtime.advance(5_000);
        const kept = rows.filter(({ at }) => at >= Date.parse("2026-12-02T00:00Z"));
        expect(await site.runtime.rows("pageViews")).toHaveLength(kept.length);
        expect(await site.stats()).toMatchObject({
          totalPageViews: before.totalPageViews,
          uniqueVisitors: before.uniqueVisitors,
          trackingSince: before.trackingSince,
          pageStats: before.pageStats,
        });
        expect(await past.verify()).toMatchObject({ drift: 0, from: "2026-12-02" });
        await past.repair({ from: "2026-11-30" });
        expect(await past.counts({})).toEqual({ views: rows.length, newVisitors: 7 });
        expect(await past.counts({ to: "2026-11-30" })).toMatchObject({
          views: rows.filter(({ at }) => at < Date.parse("2026-12-01T00:00Z")).length,
        });
        await site.runtime.advance(61 * DAY);
        await past.work();
        await site.runtime.mutation(internal.past.startRetention, {});
        await site.runtime.advance(5_000);
        const left = (await site.runtime.rows("rollups")).filter(({ unit }) => unit === "hour");
        expect(left).toEqual([]);
        expect(await site.runtime.rows("pageViews")).toEqual([]);
        expect(await site.runtime.rows("visitors")).toEqual([]);
        expect(await past.counts({})).toEqual({ views: rows.length, newVisitors: 7 });
        expect(await past.verify()).toMatchObject({ drift: 0 });
      }));

    test("C72: rows of the original design that retention would have removed are removed, not counted", () =>
      tell(create, async (site) => {
        const rows = await liveDays(site, 3);
        const past = pastOf(site);
        await past.work();
        await site.runtime.mutation(internal.sites.ensureDefault, { retentionDays: 1 });
        await site.runtime.mutation(internal.past.startRetention, {});
        await site.runtime.advance(5_000);
        const old = { path: "/old", pageType: "page", sessionId: "s-old" };
        await site.runtime.insert("pageViews", [
          { ...old, timestamp: NOON - 30 * DAY },
          { ...old, timestamp: NOON + 2 * DAY + HOUR },
        ]);
        await site.runtime.mutation(internal.stats.backfillAggregates, {});
        await past.work();
        expect((await past.counts({})).views).toBe(rows.length + 1);
        expect(await past.verify()).toMatchObject({ drift: 0 });
      }));

    test("I9: a row that cannot be counted is put aside, listed, and counted when it was put right and tried again", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        const poison = {
          site: "default",
          path: "no-path",
          pageType: "page",
          sessionId: "s2",
          timestamp: site.runtime.now(),
          visitSequence: 1,
          createdVisitor: true,
        };
        await site.runtime.insertLogged("pageViews", [poison]);
        const past = pastOf(site);
        await past.work();
        const listed = await site.runtime.query(internal.stats.listQuarantine, {});
        expect(listed).toMatchObject([{ table: "pageViews" }]);
        expect(listed[0]?.error).toContain('path "no-path"');
        expect(await site.runtime.query(api.stats.getHealth, {})).toMatchObject({ quarantined: 1 });
        expect(await past.verify()).toMatchObject({ drift: 0, rows: 1 });

        await site.runtime.mutation(internal.stats.retryQuarantined, {});
        await past.work();
        expect(await site.runtime.query(internal.stats.listQuarantine, {})).toHaveLength(1);
        expect(await past.counts({})).toMatchObject({ views: 1 });

        const rows = await site.runtime.rows("pageViews");
        const bad = rows.filter(({ path }) => path === "no-path");
        await site.runtime.remove("pageViews", bad);
        await site.runtime.mutation(internal.stats.retryQuarantined, {});
        await past.work();
        expect(await site.runtime.query(internal.stats.listQuarantine, {})).toEqual([]);
        expect(await past.verify()).toMatchObject({ drift: 0, rows: 1 });
      }));
  });
}

type Step =
  | { kind: "view"; who: number; path: string }
  | { kind: "event"; who: number }
  | { kind: "old"; who: number; path: string; agoMs: number }
  | { kind: "pass"; ms: number }
  | { kind: "backfill" | "settle" | "advance" | "drop" | "cancel" };

const who = fc.nat(3);
const path = fc.constantFrom("/a", "/b");

const anyStory: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("view" as const), who, path }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("event" as const), who }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("old" as const),
        who,
        path,
        agoMs: fc.oneof(
          fc.constantFrom(1, MINUTE, 30 * MINUTE, 30 * MINUTE + 1, DAY),
          fc.integer({ min: 1, max: 2 * HOUR }),
          fc.integer({ min: 1, max: 4 * DAY }),
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("pass" as const),
        ms: fc.constantFrom(MINUTE, 25 * MINUTE, 31 * MINUTE, 5 * HOUR, DAY),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom("backfill", "settle", "advance", "drop", "cancel"),
      }),
    },
  ),
  { minLength: 4, maxLength: 18 },
);

async function take(step: Step, site: Site): Promise<void> {
  const { runtime } = site;
  switch (step.kind) {
    case "view":
      await site.view(step.path, `s${step.who}`);
      break;
    case "event":
      await site.event("signup", `s${step.who}`);
      break;
    case "old": {
      const timestamp = runtime.now() - step.agoMs;
      const row = { path: step.path, pageType: "page", sessionId: `s${step.who}`, timestamp };
      await runtime.insert("pageViews", [row]);
      break;
    }
    case "pass":
      await runtime.advance(step.ms);
      break;
    case "backfill":
      await runtime.mutation(internal.stats.backfillAggregates, {});
      await runtime.advance(1_000);
      break;
    case "settle":
      await runtime.mutation(api.stats.settle, {});
      break;
    case "advance":
      await runtime.mutation(internal.past.ensureChains, {});
      await runtime.advance(1_000);
      break;
    case "drop":
      await runtime.dropScheduled();
      break;
    case "cancel":
      await runtime.mutation(internal.stats.cancelBackfill, {});
      break;
    default:
      step satisfies never;
  }
}

async function summary(site: Site, from: number) {
  const range = { from, until: site.runtime.now() + HOUR };
  return await site.runtime.query(api.reports.summary, { range });
}
