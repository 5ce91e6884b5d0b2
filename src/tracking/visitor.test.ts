import { describe, expect, test } from "vitest";
import { createKeptStorage } from "./kept-storage.ts";
import { FakeStorage, FullStorage } from "./storage.helpers.ts";
import { createFakeBrowser } from "./tracking.helpers.ts";
import { createVisitor, optInTo, optOutOf } from "./visitor.ts";

function visitorWith(entries: Record<string, string>, sessionIdKey?: string) {
  const storage = FakeStorage.of(entries);
  let ids = 0;
  const kept = createKeptStorage(() => storage);
  return {
    storage,
    kept,
    visitor: createVisitor({ storage: kept, newId: () => `new${(ids += 1)}`, sessionIdKey }),
  };
}

describe("the id of a browser", () => {
  test("is made once and kept", () => {
    const { visitor, storage } = visitorWith({});
    expect(visitor.sessionId()).toBe("new1");
    expect(visitor.sessionId()).toBe("new1");
    expect(storage.getItem("footfall_session_id")).toBe("new1");
  });

  test("is the one that the original design left in this browser", () => {
    const { visitor, storage } = visitorWith({ markdown_blog_session_id: "old" });
    expect(visitor.sessionId()).toBe("old");
    expect(storage.getItem("footfall_session_id")).toBe("old");
  });

  test("lies under another key when a site says so", () => {
    const { visitor, storage } = visitorWith({ footfall_session_id: "not this" }, "my_key");
    expect(visitor.sessionId()).toBe("new1");
    expect(storage.getItem("my_key")).toBe("new1");
  });

  test.each(["", " ", "a b", "ä", "x".repeat(129)])("is made anew when %j is kept", (junk) => {
    const { visitor } = visitorWith({ footfall_session_id: junk });
    expect(visitor.sessionId()).toBe("new1");
  });

  test("is another one after the reader has cleared the site's storage", () => {
    const { visitor, storage } = visitorWith({});
    visitor.sessionId();
    storage.removeItem("footfall_session_id");
    expect(visitor.sessionId()).toBe("new2");
  });

  test("C13: that is already kept stays in use when storage is full", () => {
    const storage = Object.assign(new FullStorage(), { markdown_blog_session_id: "old" });
    const kept = createKeptStorage(() => storage);
    const visitor = createVisitor({ storage: kept, newId: () => "new" });
    expect([visitor.sessionId(), visitor.sessionId()]).toEqual(["old", "old"]);
  });
});

describe("opting out", () => {
  test("forgets the id and everything about tabs, and keeps only the flag", () => {
    const { kept, storage } = visitorWith({
      footfall_session_id: "a",
      markdown_blog_session_id: "a",
      "footfall_tab::x": "row",
      "footfall_tab_view:": "event",
      other: "stays",
    });
    expect(optOutOf(kept)).toBe(true);
    expect(Object.keys(storage).sort()).toEqual(["footfall_opt_out", "other"]);
  });

  test("says when the browser will not remember it, and holds for the page all the same", () => {
    const kept = createKeptStorage(() => new FullStorage());
    expect(optOutOf(kept)).toBe(false);
    expect(createVisitor({ storage: kept, newId: () => "new" }).hasOptedOut()).toBe(true);
  });

  test("sends nothing at all: no view, no beat, no leave; and keeps nothing", () => {
    const browser = createFakeBrowser({ storage: FakeStorage.of({ footfall_opt_out: "1" }) });
    const tab = browser.open({ path: "/a" });
    tab.go("/b");
    tab.hide();
    tab.show();
    browser.pass(600_000);
    tab.close();
    expect(browser.sent).toHaveLength(0);
    expect(Object.keys(browser.storage)).toEqual(["footfall_opt_out"]);
  });

  test("silences the tabs that are open, and opting in again counts from the next view on", () => {
    const browser = createFakeBrowser();
    const tab = browser.open({ path: "/a" });
    const kept = createKeptStorage(() => browser.storage);
    optOutOf(kept);
    browser.pass(600_000);
    tab.hide();
    tab.show();
    tab.go("/b");
    expect(browser.sent).toHaveLength(1);
    expect(Object.keys(browser.storage)).toEqual(["footfall_opt_out"]);
    optInTo(kept);
    tab.hide();
    tab.show();
    browser.pass(600_000);
    expect(browser.sent).toHaveLength(1);
    tab.go("/c");
    browser.pass(30_000);
    expect(browser.sent.slice(1)).toMatchObject([
      { kind: "view", path: "/c" },
      { kind: "beat", path: "/c" },
    ]);
    expect(browser.sent[0]!.sessionId).not.toBe(browser.sent[1]!.sessionId);
  });
});
