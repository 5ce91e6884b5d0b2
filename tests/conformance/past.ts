/** Owns: what must be true of sealed days, their sums, proofs and repairs, on every runtime. Not: late history (late-history.ts). */
import { describe, expect, test } from "vitest";
import { shelvesOf } from "../../domain/rollups/shelves.ts";
import { api, internal } from "../../convex/_generated/api.js";
import { tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime, Row } from "./runtime.ts";
import { DAY, HOUR, liveDays, pastOf } from "./past.helpers.ts";

export function past(create: CreateRuntime): void {
  describe("past", () => {
    test("a day that is over is sealed, and views of any range of days are a sum of few reads", () =>
      tell(create, async (site) => {
        const past = pastOf(site);
        const rows = await liveDays(site, 3);
        await past.sealAll();
        expect(await past.counts({})).toEqual({ views: rows.length, newVisitors: 7 });
        const days = ["2026-11-30", "2026-12-01", "2026-12-02", "2026-12-03"];
        for (const from of days) {
          for (const to of days.filter((day) => day >= from)) {
            const inRange = rows.filter(({ at }) => {
              const day = new Date(at).toISOString().slice(0, 10);
              return day >= from && day <= to;
            });
            expect((await past.counts({ from, to })).views).toBe(inRange.length);
            const ofPath = { path: "/a", from, to };
            expect(await site.runtime.query(api.stats.countViews, ofPath)).toEqual({
              views: inRange.filter(({ path }) => path === "/a").length,
              isExact: true,
            });
          }
        }
        expect(await site.runtime.rows("siteDays")).toHaveLength(3);
        const footprint = await site.runtime.footprint(api.stats.countViews, {
          path: "/a",
          from: "2026-12-01",
          to: "2026-12-02",
        });
        expect(footprint.ranges).toBeLessThanOrEqual(20);
      }));

    test("a day that is no day is refused with the way out", () =>
      tell(create, async (site) => {
        const ask = (args: { from?: string; to?: string }) =>
          site.runtime.query(api.stats.countViews, args);
        await expect(ask({ from: "2026-02-30" })).rejects.toMatchObject({
          data: { code: "invalid_range" },
        });
        await expect(ask({ from: "2026-03-02", to: "2026-03-01" })).rejects.toMatchObject({
          data: { code: "invalid_range" },
        });
      }));

    test("a month is sealed once its last day is", () =>
      tell(
        create,
        async (site) => {
          await site.event("signup", "visitor-1");
          await liveDays(site, 4);
          await pastOf(site).sealAll();
          const months = (await site.runtime.rows("rollups")).filter(
            ({ unit }) => unit === "month",
          );
          expect(new Set(months.map(({ startsAt }) => startsAt))).toEqual(
            new Set([Date.parse("2026-11-01T00:00Z")]),
          );
          expect(months.map(({ holds }) => holds)).toEqual(shelvesOf("month"));
          expect(await pastOf(site).verify()).toMatchObject({ drift: 0, days: 5 });
        },
        Date.parse("2026-11-28T09:00Z"),
      ));

    test("what was counted is proved: a recount of every metric and dimension finds no drift", () =>
      tell(create, async (site) => {
        const rows = await liveDays(site, 2);
        const past = pastOf(site);
        await past.sealAll();
        await site.view("/now", "visitor-now");
        expect(await past.verify()).toMatchObject({
          from: "2026-11-30",
          to: "2026-12-02",
          days: 3,
          rows: rows.length + 1,
          drift: 0,
          found: [],
          isRepair: false,
        });
        const { lastCheck, proof } = await site.runtime.query(api.stats.getHealth, {});
        expect(lastCheck).toMatchObject({ drift: 0, days: 3 });
        expect(proof).toMatchObject({ state: "done", daysDone: 3 });
      }));

    test("each night the day before is proved", () =>
      tell(create, async (site) => {
        await liveDays(site, 2);
        await pastOf(site).sealAll();
        await site.runtime.mutation(internal.past.verifyYesterday, {});
        await pastOf(site).work();
        expect(await site.runtime.rows("checks")).toMatchObject([
          { from: "2026-12-01", to: "2026-12-01", days: 1, drift: 0 },
        ]);
      }));

    for (const [fault, plant] of FAULTS) {
      test(`a planted fault is found and mended: ${fault}`, () =>
        tell(create, async (site) => {
          const rows = await liveDays(site, 2);
          const past = pastOf(site);
          await past.sealAll();
          await plant(site);
          const found = await past.verify();
          expect(found.drift).toBeGreaterThan(0);
          expect(found.found).not.toEqual([]);
          await past.repair();
          expect(await past.verify()).toMatchObject({ drift: 0, found: [] });
          expect(await past.counts({})).toEqual({ views: rows.length, newVisitors: 7 });
          expect(await past.counts({ to: "2026-12-01" })).toEqual({
            views: rows.length,
            newVisitors: 7,
          });
        }));
    }

    test("a view that is rolled up after its day was sealed makes the day anew", () =>
      tell(create, async (site) => {
        const rows = await liveDays(site, 2);
        const past = pastOf(site);
        await past.sealAll();
        const late = {
          site: "default",
          path: "/late",
          pageType: "page",
          sessionId: "visitor-late",
          timestamp: Date.parse("2026-11-30T23:59:59Z"),
          visitSequence: 1,
          createdVisitor: true,
        };
        await site.runtime.insertLogged("pageViews", [late]);
        await past.work();
        expect(await past.counts({ to: "2026-11-30" })).toMatchObject({
          views: rows.filter(({ at }) => at < Date.parse("2026-12-01T00:00Z")).length + 1,
        });
        expect(await past.verify()).toMatchObject({ drift: 0 });
      }));

    test("a re-roll is idempotent, can be cancelled, and goes on where it stopped", () =>
      tell(create, async (site) => {
        await liveDays(site, 3);
        const past = pastOf(site);
        await past.sealAll();
        const before = await past.snapshot();
        const started = await site.runtime.mutation(internal.stats.reroll, {});
        expect(started).toMatchObject({ state: "running", daysDone: 0, daysLeft: 4 });
        await site.runtime.mutation(internal.past.advance, { site: "default" });
        const cancelled = await site.runtime.mutation(internal.stats.cancelReroll, {});
        expect(cancelled).toMatchObject({ state: "cancelled" });
        const { daysDone = 0, daysLeft = 0 } = cancelled ?? {};
        expect(daysDone + daysLeft).toBe(4);
        await past.work();
        expect(await site.runtime.rows("staleDays")).toHaveLength(daysLeft);
        await site.runtime.mutation(internal.stats.reroll, {});
        await past.work();
        const { reroll } = await site.runtime.query(api.stats.getHealth, {});
        expect(reroll).toMatchObject({ state: "done", daysLeft: 0, daysDone: daysLeft });
        expect(await past.snapshot()).toEqual(before);
      }));

    test("a chain of steps that died is revived by the cron and goes on", () =>
      tell(create, async (site) => {
        await liveDays(site, 2);
        const past = pastOf(site);
        await past.sealAll();
        const before = await past.snapshot();
        await site.runtime.mutation(internal.stats.reroll, {});
        await site.runtime.advance(500);
        await site.runtime.dropScheduled();
        await site.runtime.advance(5_000);
        await past.work();
        expect(await site.runtime.rows("staleDays")).toEqual([]);
        expect(await past.snapshot()).toEqual(before);
      }));

    test("live views beside a re-roll of today are counted once", () =>
      tell(create, async (site) => {
        await liveDays(site, 1);
        const past = pastOf(site);
        await site.runtime.mutation(internal.stats.reroll, {});
        for (let turn = 0; turn < 12; turn += 1) {
          await site.view(`/turn-${turn}`, `visitor-${turn % 5}`);
          if (turn % 3 === 0) await site.runtime.mutation(api.stats.settle, {});
          await site.runtime.mutation(internal.past.advance, { site: "default" });
        }
        await past.work();
        expect(await past.verify()).toMatchObject({ drift: 0 });
      }));
  });
}

type Plant = (site: Site) => Promise<void>;

/** The newest row of a table that is like this, with changes; by hand, so that nothing of ours notices. */
async function tamper(
  site: Site,
  table: string,
  { like, changes }: { like: Partial<Row>; changes: (row: Row) => Record<string, unknown> },
): Promise<void> {
  const rows = await site.runtime.rows(table);
  const row = rows.find((found) =>
    Object.entries(like).every(([field, value]) => found[field] === value),
  );
  if (row === undefined) throw new Error(`No row of ${table} is like ${JSON.stringify(like)}.`);
  const { _id, _creationTime, ...fields } = row;
  await site.runtime.remove(table, [row]);
  await site.runtime.insert(table, [{ ...fields, ...changes(row) }]);
}

/** The bytes of another bucket's roll-up of the same site, so that they are well-formed and wrong. */
function swapped(unit: "hour" | "day"): Plant {
  return async (site) => {
    const rows = (await site.runtime.rows("rollups")).filter(
      (row) => row.unit === unit && row.holds === (unit === "hour" ? "all" : "pages"),
    );
    const [first, second] = rows;
    if (first === undefined || second === undefined) throw new Error(`Too few ${unit}s.`);
    const like = { _id: first._id };
    await tamper(site, "rollups", { like, changes: () => ({ bytes: second.bytes }) });
  };
}

const FAULTS: [string, Plant][] = [
  ["an hour that holds another", swapped("hour")],
  ["a day that holds another", swapped("day")],
  [
    "an hour whose bytes are damaged",
    (site) =>
      tamper(site, "rollups", {
        like: { unit: "hour" },
        changes: ({ bytes }) => {
          const damaged = new Uint8Array((bytes as ArrayBuffer).slice(0));
          damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
          return { bytes: damaged.buffer };
        },
      }),
  ],
  [
    "a day that is gone",
    async (site) => {
      const days = (await site.runtime.rows("rollups")).filter(({ unit }) => unit === "day");
      await site.runtime.remove("rollups", days.slice(0, 1));
    },
  ],
  [
    "a day of the site",
    (site) =>
      tamper(site, "siteDays", {
        like: {},
        changes: ({ views }) => ({ views: Number(views) + 5 }),
      }),
  ],
  [
    "a day of a path",
    (site) =>
      tamper(site, "pathDays", {
        like: { path: "/a" },
        changes: ({ views }) => ({ views: Number(views) - 1 }),
      }),
  ],
  [
    "the all-time total",
    (site) =>
      tamper(site, "live", {
        like: {},
        changes: (row) => ({ totalViews: Number(row.totalViews) + 3, uniqueVisitors: 1 }),
      }),
  ],
  [
    "the all-time views of a path",
    (site) => tamper(site, "paths", { like: { path: "/b" }, changes: () => ({ views: 999 }) }),
  ],
];

export { DAY, HOUR };
