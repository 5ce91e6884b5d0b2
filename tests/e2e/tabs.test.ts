/** One person, several tabs, the back button: who counts as online, and what counts as a view. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { HEARTBEAT_INTERVAL_MS } from "../../domain/intervals.ts";
import { launchBrowser, newVisitor, type Visitor } from "./browser.helpers.ts";
import { deployedFolder, removeFolder, startFootfall, type Footfall } from "./footfall.helpers.ts";
import { expectOnline, expectStat } from "./stats-page.helpers.ts";

const dataFolder = deployedFolder("tabs");
let browser: Browser;
let footfall: Footfall;
let stats: Page;
let reader: Visitor;

beforeAll(async () => {
  [browser, footfall] = await Promise.all([
    launchBrowser({ withBackForwardCache: true }),
    startFootfall(dataFolder),
  ]);
  stats = await (await newVisitor(browser)).newPage();
  await stats.goto(`${footfall.url}/stats`);
});
/** Whatever a test left open says goodbye, so that the next one begins with nobody but the owner. */
afterEach(async () => {
  for (const page of reader.context.pages()) await page.close();
  await reader.context.close();
});
afterAll(async () => {
  await browser.close();
  await footfall.stop();
  removeFolder(dataFolder);
});

async function open(path: string): Promise<Page> {
  const page = await reader.newPage();
  await page.goto(`${footfall.url}${path}`);
  return page;
}

/** Resolves with the name of the next tracking mutation that the page sends. */
function nextSent(page: Page, name: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => {
      if (payload.toString().includes(name)) resolve();
    });
  });
  return promise;
}

/** A tab that is killed tells nobody. (A real crash takes the other tabs along: they share a process.) */
function dieSilently(): void {
  for (const name of ["pagehide", "visibilitychange"]) {
    window.addEventListener(name, (event) => event.stopImmediatePropagation(), { capture: true });
  }
}

test("C57: of two tabs one is closed, and the person stays online on the other tab's path", async () => {
  reader = await newVisitor(browser);
  const first = await open("/");
  await expectStat(stats, "activeVisitors", "2");
  const second = await open("/about");
  await expectOnline(stats, { "/stats": 1, "/about": 1 });
  await second.close();
  await first.bringToFront();
  await expectOnline(stats, { "/stats": 1, "/": 1 });
  await first.close();
  await expectStat(stats, "activeVisitors", "1");
});

test("C06: a page that comes back from the back/forward cache is online again on its path, and adds no view", async () => {
  reader = await newVisitor(browser);
  const page = await open("/posts");
  await expectOnline(stats, { "/stats": 1, "/posts": 1 });
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const views = await stats.locator("[data-stat=totalPageViews]").textContent();

  await page.goto("about:blank");
  await expectStat(stats, "activeVisitors", "1");
  await page.goBack({ waitUntil: "commit" });
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
  await expectOnline(stats, { "/stats": 1, "/posts": 1 });
  await expectStat(stats, "totalPageViews", views ?? "");
  await page.close();
  await expectStat(stats, "activeVisitors", "1");
});

test("C77: the tab that beats is killed without an event, and another tab takes over within one interval", async () => {
  reader = await newVisitor(browser);
  const survivor = await reader.newPage();
  await survivor.clock.install();
  const beat = nextSent(survivor, "stats:heartbeat");
  await survivor.goto(`${footfall.url}/about`);
  await expectStat(stats, "activeVisitors", "2");
  const leader = await reader.newPage();
  await leader.addInitScript(dieSilently);
  await leader.goto(`${footfall.url}/posts`);
  await expectOnline(stats, { "/stats": 1, "/posts": 1 });

  await leader.close();
  await survivor.bringToFront();
  await survivor.clock.fastForward(HEARTBEAT_INTERVAL_MS);
  await beat;
  await expectOnline(stats, { "/stats": 1, "/about": 1 });
});
