/** What must not happen to the layout, whatever is counted and however the page is read. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "../../convex/_generated/api.js";
import type { Stats } from "../../src/stats/stats.ts";
import { launchBrowser, newVisitor } from "./browser.helpers.ts";
import { deployedFolder, removeFolder, startFootfall, type Footfall } from "./footfall.helpers.ts";
import { expectStat } from "./stats-page.helpers.ts";

const HOSTILE_PATHS = ["/שלום/admin", `/${"w".repeat(1_000)}`, "/<img src=x onerror=alert(1)>"];
const HUGE = 123_456_789_012;

const dataFolder = deployedFolder("layout");
let browser: Browser;
let footfall: Footfall;
beforeAll(async () => {
  [browser, footfall] = await Promise.all([launchBrowser(), startFootfall(dataFolder)]);
  for (const path of HOSTILE_PATHS) {
    const view = { path, pageType: "page", sessionId: "stranger", title: "מה זה?" };
    await footfall.client.mutation(api.stats.recordPageView, view);
  }
});
afterAll(async () => {
  await browser.close();
  await footfall.stop();
  removeFolder(dataFolder);
});

/** The numbers of a site that is larger than any, in the answer of getHeadline or of getPanels. */
function enlarge(answer: object): void {
  if ("totalPageViews" in answer) {
    Object.assign(answer, { totalPageViews: HUGE, uniqueVisitors: HUGE, viewsToday: HUGE });
    Object.assign(answer, { activeVisitors: 1_234_567, publishedPosts: 123_456 });
  }
  if ("pageStats" in answer) {
    const panels = answer as Pick<Stats, "pageStats" | "activeByPath" | "pagesTotal">;
    panels.pagesTotal = HUGE;
    panels.pageStats.forEach((page, index) => (page.views = HUGE - index));
    panels.activeByPath = panels.pageStats.map(({ path }) => ({ path, count: 123_456 }));
  }
}

/** What the engine answers, with `enlarge` applied to each result on its way. */
async function enlargeNumbers(page: Page): Promise<void> {
  await page.routeWebSocket(/\/sync$/, (route) => {
    route.connectToServer().onMessage((message) => {
      const frame = JSON.parse(message.toString()) as { modifications?: { value?: unknown }[] };
      for (const { value } of frame.modifications ?? []) {
        if (typeof value === "object" && value !== null) enlarge(value);
      }
      route.send(JSON.stringify(frame));
    });
  });
}

/** Pairs of numbers and words of which one stands on the other, and what is wider than the window. */
function collisions(): string[] {
  const found: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth)
    found.push(`the page is ${document.documentElement.scrollWidth} wide in ${innerWidth}`);
  const numbers = [
    ...document.querySelectorAll(".number, .metric-value, .now-number, .now-beside"),
  ];
  const placed = numbers.flatMap((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const box = range.getBoundingClientRect();
    return box.width > 0 ? [{ text: element.textContent, box }] : [];
  });
  for (const [index, { text, box: a }] of placed.entries()) {
    for (const { text: other, box: b } of placed.slice(index + 1)) {
      if (
        a.right > b.left + 1 &&
        b.right > a.left + 1 &&
        a.bottom > b.top + 1 &&
        b.bottom > a.top + 1
      )
        found.push(`${text} stands on ${other}`);
    }
  }
  return found;
}

test("numbers of twelve digits and paths of 1,000 characters cover nothing and widen nothing, at any width", async () => {
  const page = await (await newVisitor(browser)).newPage();
  await enlargeNumbers(page);
  await page.goto(`${footfall.url}/stats`);
  await expectStat(page, "totalPageViews", "123,456,789,012");
  for (const width of [1_440, 1_200, 900, 721, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    expect({ width, found: await page.evaluate(collisions) }).toEqual({ width, found: [] });
  }
});

test("a path of right-to-left letters still begins with its slash", async () => {
  const page = await (await newVisitor(browser)).newPage();
  await page.goto(`${footfall.url}/stats`);
  const label = page.locator('[data-row="/שלום/admin"] .path bdi').first();
  const [first, last] = await label.evaluate((element) => {
    const text = element.firstChild as Text;
    return [0, text.length - 1].map((at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    });
  });
  expect(first).toBeLessThan(last ?? 0);
});

test("without JavaScript the sentence that says so stands in the first screen", async () => {
  const { newPage } = await newVisitor(browser, { javaScriptEnabled: false });
  const page = await newPage();
  await page.goto(`${footfall.url}/stats`);
  const box = await page.locator("noscript p").boundingBox();
  expect(box?.y).toBeLessThan(200);
});
