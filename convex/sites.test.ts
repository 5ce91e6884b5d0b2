import { describe, expect, test } from "vitest";
import { api, internal } from "./_generated/api.js";
import { deployment } from "./deployment.helpers.ts";

const NOW = "2026-11-30T12:00:00Z";

describe("the default site", () => {
  test("is there for readers and views before its row is, and no view writes the row", async () => {
    const { t, view, settled } = deployment(NOW);
    await view("/a", "s1");
    expect((await settled()).site).toEqual({ slug: "default", name: "This site", timeZone: "UTC" });
    expect(await t.run((ctx) => ctx.db.query("sites").first())).toBeNull();
  });

  test("is created once, by the worker's first run or by an operator, and keeps what an operator set", async () => {
    const { t, view, run, settled } = deployment(NOW);
    await t.mutation(internal.sites.ensureDefault, { timeZone: "Europe/Madrid", name: "Shop" });
    await view("/a", "s1");
    await run();
    await t.mutation(internal.sites.ensureDefault, {});
    expect(await t.run((ctx) => ctx.db.query("sites").take(5))).toHaveLength(1);
    expect((await settled()).site).toMatchObject({ name: "Shop", timeZone: "Europe/Madrid" });
  });

  test("refuses a zone that is none, and keeps the old one", async () => {
    const { t, settled } = deployment(NOW);
    await expect(
      t.mutation(internal.sites.ensureDefault, { timeZone: "Mars/Olympus" }),
    ).rejects.toMatchObject({ data: { code: "invalid_time_zone" } });
    expect((await settled()).site.timeZone).toBe("UTC");
  });
});

test("an unknown site is named, with the ones that are known and the way out", async () => {
  const { t } = deployment(NOW);
  await t.run((ctx) => ctx.db.insert("sites", { slug: "docs", name: "Docs", timeZone: "UTC" }));
  const question = t.query(api.stats.getStats, { site: "shop" });
  await expect(question).rejects.toMatchObject({
    data: {
      code: "unknown_site",
      message: expect.stringMatching(/"shop" is unknown here\. Known: default, docs\./) as unknown,
    },
  });
});

test("sites do not mix: views, visitors, duplicates and who is online are each site's own", async () => {
  const { t, view, instant } = deployment(NOW);
  await t.run((ctx) =>
    ctx.db.insert("sites", { slug: "docs", name: "Docs", timeZone: "UTC", dedupWindowMs: 0 }),
  );
  const onDocs = { path: "/a", pageType: "page", sessionId: "s1", site: "docs" };
  await view("/a", "s1");
  for (let times = 0; times < 3; times += 1) {
    expect(await t.mutation(api.stats.recordPageView, onDocs)).toEqual({ outcome: "counted" });
  }
  await t.mutation(api.stats.leave, { sessionId: "s1", site: "docs" });
  expect(await instant()).toMatchObject({ totalPageViews: 1, activeVisitors: 1 });
  expect(await t.query(api.stats.getStats, { site: "docs" })).toMatchObject({
    totalPageViews: 3,
    uniqueVisitors: 1,
    activeVisitors: 0,
  });
  expect(await view("/a", "s1")).toEqual({ outcome: "duplicate" });
});
