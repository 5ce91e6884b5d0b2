import { describe, expect, test } from "vitest";
import {
  HEARTBEAT_DEBOUNCE_MS,
  HEARTBEAT_INTERVAL_MS,
  SESSION_TIMEOUT_MS,
} from "../../domain/intervals.ts";
import { TAKEOVER_STEP_MS } from "./tabs.ts";
import { BlockedStorage, FakeStorage, FullStorage } from "./storage.helpers.ts";
import { createFakeBrowser } from "./tracking.helpers.ts";

const MINUTE = 60_000;

describe("what is a view", () => {
  test("a visible page is sent as a view at once, with an event id of its own", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    tab.go("/b");
    expect(browser.of("view").map(({ path }) => path)).toEqual(["/a", "/b"]);
    expect(new Set(browser.of("view").map(({ eventId }) => eventId)).size).toBe(2);
  });

  test("C11: the same path again is no view, whatever else changes", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    for (const title of ["A", "Ab", "Abc"]) tab.go("/a", { title });
    expect(browser.of("view")).toHaveLength(1);
  });

  test("going back to an earlier path is a view; whether it counts is for the server to say", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    tab.go("/b");
    tab.go("/a");
    expect(browser.of("view").map(({ path }) => path)).toEqual(["/a", "/b", "/a"]);
  });

  test("C78: a path change is sent at once, without a heartbeat beside it", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    browser.pass(10_000);
    tab.go("/b");
    expect(browser.onlineAt()).toBe("/b");
    expect(browser.of("beat")).toHaveLength(0);
  });

  test("C07: a page that is rendered ahead and never shown sends nothing; one that is shown counts then", () => {
    const browser = createFakeBrowser();
    browser.open({ path: "/never", prerendering: true });
    const shown = browser.open({ path: "/shown", prerendering: true });
    const startedAt = browser.clock.now();
    browser.pass(4_000);
    expect(browser.sent).toHaveLength(0);
    shown.activate();
    browser.pass(10 * MINUTE);
    expect(browser.of("view")).toMatchObject([{ path: "/shown", at: startedAt + 4_000 }]);
  });

  test("C08: a page opened in the background counts when it is looked at, once", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a", hidden: true });
    const startedAt = browser.clock.now();
    browser.pass(40_000);
    expect(browser.sent).toHaveLength(0);
    tab.show();
    tab.hide();
    tab.show();
    expect(browser.of("view")).toMatchObject([{ path: "/a", at: startedAt + 40_000 }]);
  });

  test("of the paths that a hidden page runs through, only the one that is looked at counts", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a", hidden: true });
    tab.go("/b");
    tab.go("/c");
    tab.show();
    expect(browser.of("view").map(({ path }) => path)).toEqual(["/c"]);
  });

  test("C06: a page from the back/forward cache is sent as a view again, is active at once, and beats on", () => {
    const browser = createFakeBrowser();
    const first = browser.open({ path: "/a" });
    browser.pass(MINUTE);
    first.close(true);
    const second = browser.open({ path: "/b" });
    browser.pass(3 * MINUTE);
    second.close(true);
    first.comeBack();
    expect(browser.onlineAt()).toBe("/a");
    expect(browser.of("view").map(({ path }) => path)).toEqual(["/a", "/b", "/a"]);
    browser.pass(10 * MINUTE);
    expect(browser.onlineAt()).toBe("/a");
    expect(browser.of("beat").filter(({ path }) => path === "/a").length).toBeGreaterThan(18);
  });
});

describe("staying online", () => {
  test("a visible tab beats every 30 seconds, counted from its view", () => {
    const browser = createFakeBrowser();
    const startedAt = browser.clock.now();
    browser.open({ path: "/a" });
    browser.pass(95_000);
    expect(browser.of("beat").map(({ at }) => at - startedAt)).toEqual([30_000, 60_000, 90_000]);
  });

  test("a view counts as a beat: the next one is due a full interval later", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    browser.pass(29_000);
    tab.go("/b");
    browser.pass(29_000);
    expect(browser.of("beat")).toHaveLength(0);
    browser.pass(1_000);
    expect(browser.of("beat")).toMatchObject([{ path: "/b" }]);
  });

  test("C55: a hidden tab falls silent, and beats at once when it is shown again", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    tab.hide();
    browser.pass(11 * 60 * MINUTE);
    expect(browser.of("beat")).toHaveLength(0);
    expect(browser.onlineAt()).toBeNull();
    tab.show();
    expect(browser.of("beat")).toHaveLength(1);
    expect(browser.onlineAt()).toBe("/a");
  });

  test("a tab that is hidden and shown within the interval owes no beat", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    for (let times = 0; times < 10; times += 1) {
      tab.hide();
      tab.show();
      browser.pass(1_000);
    }
    expect(browser.of("beat")).toHaveLength(0);
  });

  test("a frozen tab goes on as soon as it is shown again", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    tab.hide();
    tab.freeze();
    browser.pass(20 * MINUTE);
    tab.thaw();
    expect(browser.of("beat")).toHaveLength(0);
    tab.show();
    expect(browser.of("beat")).toHaveLength(1);
  });
});

describe("several tabs of one browser", () => {
  test("share one visitor, and one of them beats for all", () => {
    const browser = createFakeBrowser();
    for (const path of ["/a", "/b", "/c"]) browser.open({ path });
    browser.pass(10 * MINUTE);
    expect(new Set(browser.sent.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(browser.of("beat")).toHaveLength(20);
    expect(new Set(browser.of("beat").map(({ tab }) => tab)).size).toBe(1);
  });

  test("the tab in which the reader last did something is the one that beats", () => {
    const browser = createFakeBrowser();
    const [first, second] = [browser.open({ path: "/a" }), browser.open({ path: "/b" })];
    browser.pass(MINUTE);
    expect(browser.onlineAt()).toBe("/b");
    first.go("/c");
    browser.pass(MINUTE);
    expect(browser.of("beat").slice(-2)).toMatchObject([{ tab: first.name }, { tab: first.name }]);
    second.hide();
    second.show();
    browser.pass(HEARTBEAT_DEBOUNCE_MS);
    expect(browser.of("beat").at(-1)).toMatchObject({ tab: second.name, path: "/b" });
  });

  test("C70: five tabs change path at once: five views, the last path wins, one tab beats", () => {
    const browser = createFakeBrowser();
    const tabs = [1, 2, 3, 4, 5].map((number) => browser.open({ path: `/old/${number}` }));
    browser.pass(MINUTE);
    const before = browser.sent.length;
    tabs.forEach((tab, index) => tab.go(`/new/${index + 1}`));
    expect(browser.sent.slice(before).map(({ kind }) => kind)).toEqual(Array(5).fill("view"));
    expect(browser.onlineAt()).toBe("/new/5");
    const beatsBefore = browser.of("beat").length;
    browser.pass(5 * MINUTE);
    expect(browser.of("beat").length - beatsBefore).toBe(10);
    expect(browser.onlineAt()).toBe("/new/5");
  });

  test("C77: a killed leading tab is replaced within one interval, and the step that a takeover waits", () => {
    const browser = createFakeBrowser();
    const survivor = browser.open({ path: "/a" });
    const leader = browser.open({ path: "/b" });
    browser.pass(MINUTE);
    leader.kill();
    const killedAt = browser.clock.now();
    browser.pass(10 * MINUTE);
    const takeover = browser.of("beat").find(({ at }) => at > killedAt);
    expect(takeover).toMatchObject({ tab: survivor.name, path: "/a" });
    expect(takeover!.at - killedAt).toBeLessThanOrEqual(HEARTBEAT_INTERVAL_MS + TAKEOVER_STEP_MS);
    expect(browser.onlineAt()).toBe("/a");
  });

  test("C57: closing one of two tabs keeps the visitor online on the other one's path", () => {
    const browser = createFakeBrowser();
    browser.open({ path: "/a" });
    const closed = browser.open({ path: "/b" });
    browser.pass(10_000);
    closed.close();
    browser.pass(TAKEOVER_STEP_MS);
    expect(browser.of("leave")).toHaveLength(0);
    expect(browser.onlineAt()).toBe("/a");
  });

  test("C57: also when the other tab is in the background and stays there", () => {
    const browser = createFakeBrowser();
    const background = browser.open({ path: "/a" });
    background.hide();
    const closed = browser.open({ path: "/b" });
    browser.pass(10_000);
    closed.close();
    browser.pass(TAKEOVER_STEP_MS);
    expect(browser.onlineAt()).toBe("/a");
    browser.pass(SESSION_TIMEOUT_MS);
    expect(browser.onlineAt()).toBeNull();
  });

  test("a tab in the background for longer than the timeout does not hold a visitor back", () => {
    const browser = createFakeBrowser();
    browser.open({ path: "/a" }).hide();
    const closed = browser.open({ path: "/b" });
    browser.pass(SESSION_TIMEOUT_MS);
    closed.close();
    expect(browser.onlineAt()).toBeNull();
    browser.pass(MINUTE);
    expect(browser.sent.at(-1)).toMatchObject({ kind: "leave", path: "/b" });
  });

  test("tabs without a shared storage are browsers of their own, and each beats", () => {
    const browser = createFakeBrowser({ storage: new BlockedStorage() });
    for (const path of ["/a", "/b"]) browser.open({ path });
    browser.pass(MINUTE);
    expect(new Set(browser.sent.map(({ sessionId }) => sessionId)).size).toBe(2);
    expect(browser.of("beat")).toHaveLength(4);
  });
});

describe("leaving", () => {
  test("the last tab to close says so at once, naming the path and the last view", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    browser.pass(10_000);
    tab.close();
    const [view] = browser.of("view");
    expect(browser.of("leave")).toMatchObject([{ path: "/a", eventId: view!.eventId }]);
    expect(browser.onlineAt()).toBeNull();
    browser.pass(10 * MINUTE);
    expect(browser.sent.at(-1)!.kind).toBe("leave");
  });

  test("the last of two tabs names the browser's last view, also when the other tab made it", () => {
    const browser = createFakeBrowser();
    const first = browser.open({ path: "/a" });
    const second = browser.open({ path: "/b" });
    browser.pass(MINUTE);
    second.close();
    browser.pass(5 * MINUTE);
    first.close();
    expect(browser.of("leave")).toMatchObject([
      { path: "/a", eventId: browser.of("view")[1]!.eventId },
    ]);
    expect(browser.onlineAt()).toBeNull();
  });

  test("a page that nobody has looked at leaves without a word", () => {
    const browser = createFakeBrowser();
    browser.open({ path: "/a", hidden: true }).close();
    expect(browser.sent).toHaveLength(0);
    expect(Object.keys(browser.storage)).toEqual([]);
  });

  test("a visitor whom the server has long forgotten does not leave again", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    tab.hide();
    browser.pass(SESSION_TIMEOUT_MS);
    tab.close();
    expect(browser.of("leave")).toHaveLength(0);
  });

  test("a reload leaves and comes back, and a leave that arrives late does not win", () => {
    const browser = createFakeBrowser();
    browser.open({ path: "/a" }).close();
    browser.open({ path: "/a" });
    const [view, leave, viewAgain] = browser.sent;
    browser.sent.splice(0, 3, view!, viewAgain!, leave!);
    expect(browser.onlineAt()).toBe("/a");
  });
});

describe("storage that refuses", () => {
  test("C12: storage that throws: one view with an id in memory, nothing thrown", () => {
    const browser = createFakeBrowser({ storage: new BlockedStorage() });
    browser.open({ path: "/a" });
    expect(browser.of("view")).toHaveLength(1);
    expect(browser.of("view")[0]!.sessionId).not.toBe("");
  });

  test("C13: storage that is full: three routes are three views of one visitor", () => {
    const browser = createFakeBrowser({ storage: new FullStorage() });
    const tab = browser.open({ path: "/a" });
    tab.go("/b");
    tab.go("/c");
    browser.pass(MINUTE);
    tab.close();
    expect(browser.of("view")).toHaveLength(3);
    expect(new Set(browser.sent.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(browser.onlineAt()).toBeNull();
  });

  test("text under our keys that is not ours is passed over and cleared away", () => {
    const junk = { "footfall_tab::x": "{}", "footfall_tab::y": "visible\nNaN\n\n-1" };
    const browser = createFakeBrowser({ storage: FakeStorage.of(junk) });
    const tab = browser.open({ path: "/a" });
    browser.pass(MINUTE);
    expect(browser.of("beat")).toHaveLength(2);
    tab.close();
    expect(browser.of("leave")).toHaveLength(1);
    expect(browser.storage.getItem("footfall_tab::x")).toBeNull();
  });
});

describe("a clock that is set", () => {
  test.each([-14 * 24 * 60 * MINUTE, -2 * 60 * MINUTE, 2 * 60 * MINUTE])(
    "by %i ms does not stop the beats",
    (jumpMs) => {
      const browser = createFakeBrowser();
      const tab = browser.open({ path: "/a" });
      browser.pass(MINUTE);
      const before = browser.of("beat").length;
      browser.clock.set(browser.clock.now() + jumpMs);
      browser.pass(MINUTE);
      expect(browser.of("beat").length - before).toBeGreaterThanOrEqual(2);
      tab.close();
      expect(browser.of("leave")).toHaveLength(1);
    },
  );
});
