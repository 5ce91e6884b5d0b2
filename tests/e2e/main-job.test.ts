/** The main job, as a stranger sees it: a visit to the site shows up live on /stats. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, newVisitor } from "./browser.helpers.ts";
import { footfallForTest } from "./footfall.helpers.ts";
import { expectOnline, expectStat, expectViews } from "./stats-page.helpers.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test("a navigation in one browser changes the numbers on /stats in another without a reload, and closing it drops active now", async () => {
  const { url } = await footfallForTest("main-job");
  const owner = await newVisitor(browser);
  const stats = await owner.newPage();
  await stats.goto(`${url}/stats`);
  await expectStat(stats, "totalPageViews", 1);
  await stats.evaluate(() => Object.assign(window, { notReloaded: true }));

  const reader = await newVisitor(browser);
  const page = await reader.newPage();
  await page.goto(url);
  await expectStat(stats, "totalPageViews", 2);
  await expectStat(stats, "uniqueVisitors", 2);
  await expectOnline(stats, { "/stats": 1, "/": 1 });

  await page.getByRole("link", { name: "Posts" }).click();
  await expectStat(stats, "totalPageViews", 3);
  await expectStat(stats, "uniqueVisitors", 2);
  await expectOnline(stats, { "/stats": 1, "/posts": 1 });
  await expectViews(stats, "/posts", 1);

  await page.getByRole("link", { name: "Footfall", exact: true }).click();
  await expectOnline(stats, { "/stats": 1, "/": 1 });
  await expectStat(stats, "totalPageViews", 3);

  await page.close();
  await expectStat(stats, "activeVisitors", 1);
  await expectOnline(stats, { "/stats": 1 });
  await expectStat(stats, "totalPageViews", 3);
  expect(await stats.evaluate(() => "notReloaded" in window)).toBe(true);
});

test("the whole site works without a console message and without talking to anybody else", async () => {
  const { url } = await footfallForTest("quiet");
  const visitor = await newVisitor(browser);
  const page = await visitor.newPage();
  for (const path of [
    "/",
    "/posts",
    "/posts/how-footfall-counts",
    "/posts/install-footfall",
    "/about",
    "/stats",
  ]) {
    await page.goto(`${url}${path}`);
    await page.locator("main h1").waitFor();
  }
  await expectStat(page, "totalPageViews", 6);
  await page.goto(`${url}/posts/how-footfall-counts`);
  await page.locator("[data-stat=views]", { hasText: /^1 view$/ }).waitFor();
  expect(visitor.complaints).toEqual([]);
  expect([...visitor.origins]).toEqual([url]);
});
