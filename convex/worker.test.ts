import { describe, expect, test, vi } from "vitest";
import { api, internal } from "./_generated/api.js";
import { deployment } from "./deployment.helpers.ts";

const NOW = "2026-11-30T12:00:00Z";
const DAY_MS = 24 * 3_600_000;

type Deployment = ReturnType<typeof deployment>;

/** Log rows that no door would write, each in a transaction of its own. */
async function plantPoison({ t }: Deployment, count: number): Promise<void> {
  for (let planted = 0; planted < count; planted += 1) {
    await t.run(async (ctx) => {
      const row = { path: "no slash", pageType: "page", sessionId: "p", timestamp: Date.now() };
      await ctx.db.insert("pageViews", {
        ...row,
        site: "default",
        commitTs: ctx.db.vars.commitTs,
        movedFrom: "no slash",
      });
    });
  }
}

describe("poison", () => {
  test("I9: a row that throws is put aside with its error, and every other row of its batch counts", async () => {
    const site = deployment(NOW);
    for (let view = 0; view < 30; view += 1) {
      await site.view(`/p${view}`, `s${view}`);
      if (view % 10 === 3) await plantPoison(site, 1);
    }
    await site.run();
    expect(await site.settled()).toMatchObject({ totalPageViews: 30, activeVisitors: 30 });
    const aside = await site.t.run((ctx) => ctx.db.query("quarantine").take(10));
    expect(aside).toHaveLength(3);
    expect(aside[0]).toMatchObject({ table: "pageViews", site: "default" });
    expect(aside[0]?.error).toMatch(/wanted one that begins with "\/"/);
    expect(aside[0]?.row).toContain("no slash");
  });

  test("a move that throws is put aside too, and the others count", async () => {
    const site = deployment(NOW);
    await site.view("/a", "s1");
    await site.t.run(async (ctx) => {
      const { commitTs } = ctx.db.vars;
      await ctx.db.insert("presenceLog", { site: "default", commitTs, from: "/a", sessions: -1 });
    });
    await site.run();
    expect(await site.settled()).toMatchObject({ activeVisitors: 1, totalPageViews: 1 });
    expect(await site.t.run((ctx) => ctx.db.query("quarantine").take(10))).toMatchObject([
      { table: "presenceLog" },
    ]);
  });

  test("a sweep that throws is put aside whole, and is counted when it was put right and tried again", async () => {
    const site = deployment(NOW);
    await site.view("/a", "s1");
    await site.view("/b", "s2");
    await site.run();
    await site.t.run(async (ctx) => {
      const { commitTs } = ctx.db.vars;
      const left = { paths: ["/a", "/b"], sessions: [1, 0.5] };
      await ctx.db.insert("presenceLog", { site: "default", commitTs, left });
    });
    await site.run();
    expect(await site.settled()).toMatchObject({ activeVisitors: 2, activePathsTotal: 2 });
    await site.t.run(async (ctx) => {
      const aside = await ctx.db.query("quarantine").first();
      if (aside === null) throw new Error("Nothing was put aside.");
      await ctx.db.patch("quarantine", aside._id, { row: aside.row.replace("0.5", "1") });
    });
    await site.t.mutation(internal.stats.retryQuarantined, {});
    await site.run();
    expect(await site.settled()).toMatchObject({ activeVisitors: 0, activePathsTotal: 0 });
  });

  test("when nothing of many rows can be counted, the fault is ours: none is put aside, and a later run tries again", async () => {
    const site = deployment(NOW);
    await plantPoison(site, 9);
    await expect(site.run()).rejects.toThrow(/None of the next 9 rows .* can be counted/);
    expect(await site.t.run((ctx) => ctx.db.query("quarantine").first())).toBeNull();
    expect((await site.instant()).totalPageViews).toBe(0);
    await site.view("/a", "s1");
    await site.run();
    expect((await site.settled()).totalPageViews).toBe(1);
    expect(await site.t.run((ctx) => ctx.db.query("quarantine").take(20))).toHaveLength(9);
  });
});

describe("the watchdog", () => {
  test("starts a run that will not come any more, and leaves one that will alone", async () => {
    const site = deployment(NOW);
    await site.view("/a", "s1");
    const jobs = () => site.t.run((ctx) => ctx.db.system.query("_scheduled_functions").take(5));
    await site.t.mutation(internal.worker.wakeOverdue, {});
    const [run, ...others] = await jobs();
    expect(others).toEqual([]);
    await site.t.run((ctx) => ctx.scheduler.cancel(run?._id ?? expect.fail("no run is due")));
    await site.advance(1_000);
    expect((await site.settled()).totalPageViews).toBe(0);
    await site.t.mutation(internal.worker.wakeOverdue, {});
    await site.advance(1_000);
    expect((await site.settled()).totalPageViews).toBe(1);
  });

  test("filtered hits go after thirty days, and not before", async () => {
    const site = deployment(NOW);
    const bot = site.t.withRequestMetadata({ userAgent: "curl/8.5.0" });
    const hit = { path: "/a", pageType: "page", sessionId: "s1" };
    await bot.mutation(api.stats.recordPageView, hit);
    await site.advance(1_000);
    const hits = () => site.t.run((ctx) => ctx.db.query("filteredHits").take(5));
    await site.t.mutation(internal.worker.pruneFilteredHits, {});
    expect(await hits()).toHaveLength(1);
    vi.setSystemTime(Date.now() + 31 * DAY_MS);
    await site.t.mutation(internal.worker.pruneFilteredHits, {});
    expect(await hits()).toEqual([]);
  });
});

describe("time goes by while somebody watches", () => {
  test("at the site's midnight the views of today begin at none", async () => {
    const site = deployment("2026-11-30T22:59:30Z");
    await site.t.mutation(internal.sites.ensureDefault, { timeZone: "Europe/Madrid" });
    await site.watch();
    await site.view("/a", "s1");
    await site.advance(2_000);
    expect((await site.settled()).viewsToday).toBe(1);
    await site.advance(28_000);
    await site.watch();
    await site.advance(1_000);
    expect(await site.settled()).toMatchObject({ viewsToday: 0, totalPageViews: 1 });
    await site.view("/b", "s1");
    await site.advance(2_000);
    expect((await site.settled()).viewsToday).toBe(1);
  });

  test("the minutes move on though nobody visits, until nothing is left to move", async () => {
    const site = deployment(NOW);
    await site.watch();
    await site.view("/a", "s1");
    await site.advance(2_000);
    const settledAt: (number | null)[] = [];
    for (let beat = 0; beat < 70; beat += 1) {
      await site.advance(30_000);
      await site.watch();
      settledAt.push((await site.settled()).settledAt);
    }
    expect((await site.settled()).minutes.every(({ views }) => views === 0)).toBe(true);
    expect(new Set(settledAt.slice(-6)).size).toBe(1);
    expect(new Set(settledAt).size).toBeGreaterThan(25);
  });

  test("a hundred open pages write hardly more than one", async () => {
    const site = deployment(NOW);
    await site.watch();
    const before = await site.t.run((ctx) => ctx.db.query("workers").first());
    await site.advance(10_000);
    await site.watch();
    expect(await site.t.run((ctx) => ctx.db.query("workers").first())).toEqual(before);
    await site.advance(10_000);
    await site.watch();
    const after = await site.t.run((ctx) => ctx.db.query("workers").first());
    expect(after?.watchedUntil).toBeGreaterThan((before?.watchedUntil ?? 0) + 15_000);
  });
});

test("opening /stats settles at once what has waited for the unwatched run", async () => {
  const site = deployment(NOW);
  await site.view("/a", "s1");
  await site.advance(10_000);
  expect((await site.settled()).totalPageViews).toBe(0);
  await site.watch();
  await site.advance(500);
  expect((await site.settled()).totalPageViews).toBe(1);
});

test("a watcher's beat replaces a run that is lost", async () => {
  const site = deployment(NOW);
  await site.watch();
  await site.view("/a", "s1");
  const jobs = await site.t.run((ctx) => ctx.db.system.query("_scheduled_functions").take(9));
  await site.t.run(async (ctx) => {
    for (const { _id, state } of jobs) {
      if (state.kind === "pending") await ctx.scheduler.cancel(_id);
    }
  });
  await site.advance(1_500);
  expect((await site.settled()).totalPageViews).toBe(0);
  await site.watch();
  await site.advance(500);
  expect((await site.settled()).totalPageViews).toBe(1);
});

test("a batch is followed by the next at once, and a log of several batches is counted once", async () => {
  const site = deployment(NOW);
  for (let view = 0; view < 900; view += 1) await site.view(`/p${view % 3}`, `s${view}`);
  await site.run();
  expect((await site.settled()).totalPageViews).toBe(400);
  expect((await site.instant()).totalPageViews).toBe(900);
  await site.advance(1_000);
  expect(await site.settled()).toMatchObject({ totalPageViews: 900, uniqueVisitors: 900 });
});

test("more than one query may add up is a lower bound, and says so", async () => {
  const site = deployment(NOW);
  await site.t.run(async (ctx) => {
    const { commitTs } = ctx.db.vars;
    for (let view = 0; view < 2_010; view += 1) {
      const row = { path: "/a", pageType: "page", sessionId: `s${view}`, timestamp: Date.now() };
      await ctx.db.insert("pageViews", { ...row, site: "default", commitTs });
    }
  });
  expect(await site.instant()).toMatchObject({ totalPageViews: 2_000, atLeast: true });
});

test("the backfill tells the log how far it is", async () => {
  const site = deployment(NOW);
  await site.t.run(async (ctx) => {
    for (let row = 0; row < 600; row += 1) {
      const timestamp = Date.now() - row * 1_000;
      await ctx.db.insert("pageViews", { path: "/a", pageType: "page", sessionId: "s", timestamp });
    }
  });
  await site.t.mutation(internal.stats.backfillAggregates, {});
  await site.advance(5_000);
  expect(site.logged()).toEqual([
    'Backfill of site "default" started: at least 600 rows to count.',
    expect.stringMatching(/^Backfill of site "default": 500 rows counted, \d+ rows\/s\.$/),
    'Backfill of site "default" done: 600 rows counted.',
    expect.stringMatching(/^The reroll of site "default" is done/),
  ]);
});
