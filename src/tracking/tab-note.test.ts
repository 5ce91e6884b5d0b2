import { describe, expect, test } from "vitest";
import { HEARTBEAT_DEBOUNCE_MS, HEARTBEAT_INTERVAL_MS } from "../../domain/intervals.ts";
import { createLoneTab } from "./lone-tab.ts";
import { BlockedStorage } from "./storage.helpers.ts";
import { createTabNote } from "./tab-note.ts";
import { TAKEOVER_STEP_MS } from "./tabs.ts";
import { createFakeBrowser, type FakeBrowserOptions } from "./tracking.helpers.ts";

const MINUTE = 60_000;

function createBrowser(options: FakeBrowserOptions = {}) {
  return createFakeBrowser({ tabsOf: createTabNote, ...options });
}

describe.each([{ storageLagMs: 0 }, { storageLagMs: 300 }])("tabs that share a note, %o", (lag) => {
  test("C70: five tabs change path at once: five views, the last path wins, and one tab beats for all", () => {
    const browser = createBrowser(lag);
    const tabs = [1, 2, 3, 4, 5].map((number) => browser.open({ path: `/old/${number}` }));
    browser.pass(MINUTE);
    const before = browser.sent.length;
    for (const [index, tab] of tabs.entries()) {
      tab.go(`/new/${index + 1}`);
      browser.pass(lag.storageLagMs);
    }
    expect(browser.sent.slice(before).map(({ kind }) => kind)).toEqual(Array(5).fill("view"));
    const beatsBefore = browser.of("beat").length;
    browser.pass(5 * MINUTE);
    expect(browser.of("beat").length - beatsBefore).toBe(10);
    expect(browser.onlineAt()).toBe("/new/5");
  });

  test("C77: a killed tab that beat for all is replaced within one interval and a step", () => {
    const browser = createBrowser(lag);
    browser.open({ path: "/a" });
    const leader = browser.open({ path: "/b" });
    browser.pass(MINUTE);
    leader.kill();
    browser.pass(HEARTBEAT_INTERVAL_MS + TAKEOVER_STEP_MS);
    expect(browser.onlineAt()).toBe("/a");
  });

  test("C57: closing one of two tabs keeps the visitor online on the other one's path, also when it is hidden", () => {
    for (const isHidden of [false, true]) {
      const browser = createBrowser(lag);
      const stays = browser.open({ path: "/a" });
      if (isHidden) stays.hide();
      browser.pass(10_000);
      const closed = browser.open({ path: "/b" });
      browser.pass(10_000);
      closed.close();
      browser.pass(2 * TAKEOVER_STEP_MS + lag.storageLagMs);
      expect(browser.onlineAt()).toBe("/a");
      stays.close();
      expect(browser.onlineAt()).toBeNull();
    }
  });

  test("of those that stay, the one that can be seen says where the reader is", () => {
    const browser = createBrowser(lag);
    browser.open({ path: "/hidden" }).hide();
    browser.pass(1_000);
    browser.open({ path: "/seen" });
    browser.pass(1_000);
    const closed = browser.open({ path: "/closed" });
    browser.pass(10_000);
    closed.close();
    browser.pass(3 * TAKEOVER_STEP_MS);
    expect(browser.onlineAt()).toBe("/seen");
    expect(browser.of("beat")).toHaveLength(1);
  });

  test("the last to go leaves, also when it said its path by a beat and another tab has made the last view", () => {
    const browser = createBrowser(lag);
    const first = browser.open({ path: "/a" });
    browser.pass(10_000);
    const second = browser.open({ path: "/b" });
    browser.pass(10_000);
    second.hide();
    first.hide();
    first.show();
    browser.pass(10_000);
    second.close();
    expect(browser.onlineAt()).toBe("/a");
    first.close();
    expect(browser.onlineAt()).toBeNull();
  });

  test("a tab that is shown again says so once the debounce is over, and one that was shown all along does not", () => {
    const browser = createBrowser(lag);
    const first = browser.open({ path: "/a" });
    const second = browser.open({ path: "/b" });
    browser.pass(10_000);
    first.hide();
    first.show();
    browser.pass(HEARTBEAT_DEBOUNCE_MS);
    expect(browser.of("beat")).toMatchObject([{ path: "/a", tab: first.name }]);
    second.close();
    expect(browser.of("leave")).toHaveLength(0);
    expect(browser.onlineAt()).toBe("/a");
  });
});

test("without storage each tab is a browser of its own", () => {
  const browser = createBrowser({ storage: new BlockedStorage() });
  for (const path of ["/a", "/b"]) browser.open({ path });
  browser.pass(MINUTE);
  expect(browser.of("beat")).toHaveLength(4);
});

test.each([-14 * 24 * 60 * MINUTE, -2 * 60 * MINUTE, 2 * 60 * MINUTE])(
  "a clock that is set by %i ms does not stop the beats",
  (jumpMs) => {
    const browser = createBrowser();
    browser.open({ path: "/a" });
    browser.pass(MINUTE);
    browser.clock.set(browser.clock.now() + jumpMs);
    browser.pass(MINUTE);
    expect(browser.of("beat").length).toBeGreaterThanOrEqual(4);
  },
);

test("a lone tab beats while it is seen, and its leave is ignored where another tab has spoken since", () => {
  const browser = createFakeBrowser({ tabsOf: ({ now }) => createLoneTab(now) });
  const first = browser.open({ path: "/a" });
  browser.pass(MINUTE);
  expect(browser.of("beat")).toHaveLength(2);
  const second = browser.open({ path: "/b" });
  first.close();
  expect(browser.onlineAt()).toBe("/b");
  second.close();
  expect(browser.onlineAt()).toBeNull();
});
