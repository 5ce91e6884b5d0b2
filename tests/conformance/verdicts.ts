/** Owns: what must be true when an operator changes verdicts of the door afterwards: hits that count after all, views that count no more. Not: the door (counting.ts, doors.ts). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { KEPT_PER_SHARD } from "../../convex/model/filtered.ts";
import { utcDayOf } from "../../domain/calendar/civil.ts";
import { runs } from "../long.helpers.ts";
import { liveDays, pastOf } from "./past.helpers.ts";
import type { CreateRuntime } from "./runtime.ts";
import { BOT, DAY, HOUR, MINUTE, tell } from "./site.ts";
import type { Site } from "./site.ts";
import { filter, past, restore } from "./verdicts.helpers.ts";
import { expectHistories } from "./visitor-histories.helpers.ts";

/** Its model is no model that Android's form has, so that the filter takes the phone for a program. */
const PHONE =
  "Mozilla/5.0 (Linux; U; M bot 60) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36";

export function verdicts(create: CreateRuntime, { histories }: { histories: number }): void {
  describe("verdicts that are changed", () => {
    test("C41: one command counts a phone after all that was taken for a bot, and every number follows", () =>
      tell(create, async (site) => {
        const filtered = { outcome: "filtered", reason: "bot" };
        const phone = { userAgent: PHONE, timeZone: "Europe/Madrid" };
        expect(await site.view("/a", "phone", { ...phone, eventId: "e1" })).toEqual(filtered);
        await site.runtime.advance(MINUTE);
        expect(await site.view("/b", "phone", phone)).toEqual(filtered);
        await site.view("/b", "crawler", { userAgent: BOT });
        await site.view("/b", "person");
        const asked = { userAgent: "m BOT 60" };
        const dry = await restore(site, { ...asked, dryRun: true });
        expect(dry).toMatchObject({ state: "done", isDryRun: true, matching: 2, moved: 0 });
        expect((await site.stats()).totalPageViews).toBe(1);
        expect(await restore(site, asked)).toMatchObject({ state: "done", moved: 2, left: 0 });
        await expectRight(site, { views: 3, visitors: 2 });
        expect(await site.stats()).toMatchObject({
          activeVisitors: 1,
          pageStats: [
            { path: "/b", views: 2 },
            { path: "/a", views: 1 },
          ],
        });
        const { rows } = await breakdown(site, "country");
        expect(rows.find(({ value }) => value === "ES")).toMatchObject({ views: 2, visitors: 1 });
        expect(await restore(site, asked)).toMatchObject({ moved: 0, matching: 0 });
        expect(await filteredOf(site)).toEqual([["bot", 1]]);
        const again = { ...phone, userAgent: "Mozilla/5.0 (Linux) Gecko", eventId: "e1" };
        await site.runtime.advance(HOUR);
        expect(await site.view("/a", "phone", again)).toEqual({ outcome: "duplicate" });
      }));

    test("views that an operator takes out are all kept, also on a day on which of filtered hits no more are", () =>
      tell(create, async (site) => {
        const startsAt = utcDayOf(site.runtime.now());
        const full = { site: "default", reason: "excluded path", startsAt, kept: KEPT_PER_SHARD };
        const shards = Array.from({ length: 16 }, (_, shard) => ({ ...full, shard, beyond: 0 }));
        await site.runtime.insert("filteredTallies", shards);
        for (const path of ["/a", "/b"]) await site.view(path, "s1");
        expect(await filter(site, { path: "/a" })).toMatchObject({ moved: 1 });
        await expectRight(site, { views: 1, visitors: 1 });
        expect(await restore(site, { path: "/a" })).toMatchObject({ moved: 1 });
        await expectRight(site, { views: 2, visitors: 1 });
      }));

    test("a hit that was counted meanwhile, or lies within the window of a view, is no further view", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1", { userAgent: BOT, eventId: "e1" });
        await site.view("/a", "s1", { userAgent: BOT });
        await site.runtime.advance(20 * MINUTE);
        await site.view("/a", "s1");
        await site.view("/b", "s2", { userAgent: BOT, eventId: "e2" });
        await site.runtime.advance(40 * MINUTE);
        await site.view("/b", "s2", { eventId: "e2" });
        const done = await restore(site, { reason: "bot" });
        expect(done).toMatchObject({ matching: 3, moved: 0, duplicates: 3 });
        expect(await site.runtime.rows("filteredHits")).toEqual([]);
        await expectRight(site, { views: 2, visitors: 2 });
      }));

    test("one hit is put back by its id, of an unknown host by the host, and only their numbers stay where no more was kept", () =>
      tell(create, async (site) => {
        await site.runtime.mutation(internal.sites.add, { slug: "docs", hosts: ["docs.example"] });
        const named = { site: "docs", host: "docs.example" };
        await site.view("/x", "s1", { ...named, userAgent: BOT });
        await site.view("/x", "s2", { ...named, userAgent: BOT });
        for (let hit = 0; hit < 3; hit += 1) {
          await site.view(`/p${hit}`, "s3", { host: "new.example" });
        }
        const [sample] = await site.runtime.rows("filteredHits");
        await site.runtime.insert("filteredHits", [
          {
            ...fieldsOf(sample),
            path: "/p9",
            reason: "unknown site",
            site: "",
            host: "new.example",
            hits: 50,
          },
        ]);
        const listed = await site.runtime.query(internal.stats.listFilteredHits, { site: "docs" });
        const [{ id } = { id: undefined }] = listed;
        const one = { site: "docs", ...(id === undefined ? {} : { id }) };
        expect(await restore(site, one)).toMatchObject({ state: "done", moved: 1 });
        await expect(restore(site, one)).rejects.toMatchObject({
          data: { code: "invalid_criteria" },
        });
        const ofHost = { site: "docs", host: "*.example", reason: "unknown site" } as const;
        const done = await restore(site, ofHost);
        expect(done).toMatchObject({ matching: 53, moved: 4, left: 49 });
        expect((await statsOf(site, "docs")).totalPageViews).toBe(5);
        expect((await statsOf(site, "default")).totalPageViews).toBe(0);
        expect(await restore(site, ofHost)).toMatchObject({ matching: 49, moved: 0, left: 49 });
      }));

    test("what names no hit, or what a view does not keep, is refused in one sentence", () =>
      tell(create, async (site) => {
        const { runtime } = site;
        const bad = [
          () => restore(site, {}),
          () => restore(site, { from: "2026-11-30" }),
          () => restore(site, { path: "admin" }),
          () => restore(site, { host: "" }),
          () => runtime.mutation(internal.stats.filterCounted, { userAgent: "x" }),
          () => runtime.mutation(internal.stats.filterCounted, {}),
        ];
        for (const attempt of bad) {
          await expect(attempt()).rejects.toMatchObject({ data: { code: "invalid_criteria" } });
        }
        expect(await runtime.rows("verdictJobs")).toEqual([]);
      }));

    test("a rule that came too late is applied to history: views leave every number, and can come back", () =>
      tell(create, async (site) => {
        for (let day = 0; day < 2; day += 1) {
          for (const [place, path] of ["/wp/login", "/a", "/wp/login", "/b"].entries()) {
            await site.view(path, `s${place >> 1}`);
            await site.view(path, `only-${path}`);
            await site.runtime.advance(10 * MINUTE);
          }
          await site.runtime.advance(DAY);
        }
        const before = await past(site);
        const asked = { path: "/wp/**" };
        const dry = await filter(site, { ...asked, dryRun: true });
        expect(dry).toMatchObject({ matching: 6, moved: 0 });
        expect(await filter(site, asked)).toMatchObject({ state: "done", moved: 6 });
        await expectRight(site, { views: 8, visitors: 4 });
        expect(await filteredOf(site)).toEqual([["excluded path", 6]]);
        expect(await site.stats()).toMatchObject({ pagesTotal: 2 });
        expect(await restore(site, { reason: "excluded path" })).toMatchObject({ moved: 6 });
        await expectRight(site, { views: 14, visitors: 5 });
        expect(await past(site)).toEqual(before);
      }));

    test("what retention has removed stays counted, and what stays knows of it still", () =>
      tell(create, async (site) => {
        await liveDays(site, 3);
        await pastOf(site).work();
        const before = await site.stats();
        await site.runtime.mutation(internal.sites.ensureDefault, { retentionDays: 1 });
        await site.runtime.mutation(internal.past.startRetention, {});
        await site.runtime.advance(5_000);
        const rows = await site.runtime.rows("pageViews");
        const gone = rows.filter(({ path }) => path === "/a").length;
        expect(await filter(site, { path: "/a" })).toMatchObject({ state: "done", moved: gone });
        await pastOf(site).work();
        expect(await pastOf(site).verify()).toMatchObject({ drift: 0, found: [] });
        expect(await site.stats()).toMatchObject({
          totalPageViews: before.totalPageViews - gone,
          uniqueVisitors: before.uniqueVisitors,
          trackingSince: before.trackingSince,
        });
        expect(await restore(site, { reason: "excluded path" })).toMatchObject({ moved: gone });
        await pastOf(site).work();
        expect(await pastOf(site).verify()).toMatchObject({ drift: 0, found: [] });
        expect(await site.stats()).toMatchObject({ totalPageViews: before.totalPageViews });
      }));

    test("I2, I3, I5: what is put back, or withdrawn, leaves the numbers of a past in which the rule was another", () =>
      fc.assert(
        fc.asyncProperty(anyHistory, async (steps) => {
          const withRule = await told(create, steps, { exclude: ["/x/**"] }, {});
          const without = await told(create, steps, { exclude: [] }, {});
          const restored = await told(create, steps, { exclude: ["/x/**"] }, { isRestored: true });
          const withdrawn = await told(create, steps, { exclude: [] }, { isWithdrawn: true });
          expect(restored).toEqual(without);
          expect(withdrawn).toEqual(withRule);
        }),
        { numRuns: runs(histories, 150) },
      ));

    test("a job whose step gets lost goes on by the watchdog, one that is asked for again is joined, and one that is stopped stops", () =>
      tell(create, async (site) => {
        const rows = Array.from({ length: 400 }, (_, hit) => ({
          ...{ site: "default", path: `/p${hit % 9}`, pageType: "page", sessionId: `s${hit}` },
          ...{ timestamp: site.runtime.now() - HOUR - hit, reason: "bot" },
        }));
        await site.runtime.insert("filteredHits", rows);
        const begun = await restore(site, { reason: "bot" });
        expect(begun).toMatchObject({ state: "running", moved: 150 });
        expect(await restore(site, { reason: "bot" })).toMatchObject({ id: begun.id, moved: 150 });
        await site.runtime.dropScheduled();
        await site.runtime.advance(1_000);
        expect((await site.stats()).totalPageViews).toBe(150);
        const stopped = await site.runtime.mutation(internal.verdicts.cancel, {});
        expect(stopped).toMatchObject([{ id: begun.id, state: "cancelled" }]);
        expect(await restore(site, { reason: "bot" })).toMatchObject({ moved: 150 });
        await site.runtime.dropScheduled();
        await site.wakeOverdue();
        await site.runtime.advance(1_000);
        const [last] = await site.runtime.query(internal.verdicts.list, {});
        expect(last).toMatchObject({ state: "done", moved: 250 });
        await expectRight(site, { views: 400, visitors: 400 });
      }));
  });
}

type Step = { who: number; path: string; passMs: number; doesSettle: boolean };

const anyHistory: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    who: fc.nat(2),
    path: fc.constantFrom("/a", "/b", "/x/1", "/x/2"),
    passMs: fc.constantFrom(1_100, 25 * MINUTE, 31 * MINUTE, 5 * HOUR, DAY),
    doesSettle: fc.boolean(),
  }),
  { minLength: 2, maxLength: 14 },
);

/** The history under rules of paths, what is changed of it afterwards, and what a reader sees in the end. */
async function told(
  create: CreateRuntime,
  steps: readonly Step[],
  rules: { exclude: string[] },
  { isRestored = false, isWithdrawn = false },
) {
  let seen: unknown = null;
  await tell(create, async (site) => {
    await site.runtime.mutation(internal.sites.set, { pathRules: rules });
    for (const { who, path, passMs, doesSettle } of steps) {
      await site.view(path, `s${who}`);
      if (doesSettle) await site.runtime.mutation(api.stats.settle, {});
      await site.runtime.advance(passMs);
    }
    if (isRestored) await restore(site, { reason: "excluded path" });
    if (isWithdrawn) await filter(site, { path: "/x/**" });
    await pastOf(site).work();
    await expectHistories(site);
    const rows = await site.runtime.rows("pageViews");
    if (rows.length > 0) expect(await pastOf(site).verify()).toMatchObject({ found: [] });
    seen = await past(site);
  });
  return seen;
}

/** The totals, every visitor's history, and a proof of all days. */
async function expectRight(
  site: Site,
  { views, visitors }: { views: number; visitors: number },
): Promise<void> {
  const past = pastOf(site);
  await past.work();
  await expectHistories(site);
  expect(await past.verify()).toMatchObject({ drift: 0, found: [], rows: views });
  expect(await site.stats()).toMatchObject({ totalPageViews: views, uniqueVisitors: visitors });
  expect(await site.runtime.rows("pageViews")).toHaveLength(views);
  expect(await site.runtime.rows("visitors")).toHaveLength(visitors);
}

function statsOf(site: Site, slug: string) {
  return site.runtime.query(api.stats.getStats, { site: slug });
}

async function breakdown(site: Site, dimension: "country") {
  const range = { from: site.runtime.now() - DAY, until: site.runtime.now() + DAY };
  return await site.runtime.query(api.reports.breakdown, { range, dimension });
}

async function filteredOf(site: Site): Promise<[string, number][]> {
  const { reasons } = await site.runtime.query(internal.stats.countFilteredHits, {});
  return reasons.map(({ reason, hits }) => [reason, hits]);
}

function fieldsOf(row: Record<string, unknown> = {}): Record<string, unknown> {
  const { _id, _creationTime, ...fields } = row;
  return fields;
}
