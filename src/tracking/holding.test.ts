import { expect, test } from "vitest";
import { createHolding, LET_GO_AFTER_MS } from "./holding.ts";
import { createFakeBrowser } from "./tracking.helpers.ts";

const page = { path: "/a", pageType: "page" };

/** Components of one page: each start opens the page's tracker, as the real one does. */
function createPage() {
  const browser = createFakeBrowser();
  const holding = createHolding(browser.clock, () => {
    const tab = browser.open();
    return { tracker: tab.tracker, stop: () => tab.kill() };
  });
  return { browser, holding };
}

test("C01: mounted, unmounted after 5 ms and mounted again: one view, nobody leaves, one is online", () => {
  const { browser, holding } = createPage();
  holding.hold(page);
  browser.pass(5);
  holding.release();
  browser.pass(5);
  holding.hold(page);
  browser.pass(20_000);
  expect(browser.sent.map(({ kind }) => kind)).toEqual(["view"]);
  expect(browser.onlineAt()).toBe("/a");
});

test("a change of route, in which one component lets go and another one holds, is a view and no leave", () => {
  const { browser, holding } = createPage();
  holding.hold(page);
  browser.pass(10_000);
  holding.release();
  holding.hold({ ...page, path: "/b" });
  browser.pass(10_000);
  expect(browser.sent.map(({ kind, path }) => [kind, path])).toEqual([
    ["view", "/a"],
    ["view", "/b"],
  ]);
});

test("several components of one page count it once, and the last one to let go ends it", () => {
  const { browser, holding } = createPage();
  holding.hold(page);
  holding.hold(page);
  holding.release();
  browser.pass(60_000);
  expect(browser.onlineAt()).toBe("/a");
  expect(browser.of("view")).toHaveLength(1);
  holding.release();
  browser.pass(LET_GO_AFTER_MS);
  expect(browser.of("leave")).toHaveLength(1);
  browser.pass(600_000);
  expect(browser.sent.at(-1)!.kind).toBe("leave");
});

test("who lets go for good leaves, and who comes back later is a view again", () => {
  const { browser, holding } = createPage();
  holding.hold(page);
  holding.release();
  browser.pass(LET_GO_AFTER_MS);
  expect(browser.onlineAt()).toBeNull();
  holding.hold(page);
  expect(browser.of("view")).toHaveLength(2);
  expect(browser.onlineAt()).toBe("/a");
});
