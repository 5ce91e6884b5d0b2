/** Owns: tests of what a page keeps and says where nothing may be kept. */
import { expect, test } from "vitest";
import type { Transport } from "./hook-tracker.ts";
import { createKeptStorage } from "./kept-storage.ts";
import { OPT_OUT_KEY, SESSION_ID_KEY } from "./keys.ts";
import { createOpenTabs } from "./open-tabs.ts";
import { isPrivacyAsked, keepingOf, passingVisitor, withoutPresence } from "./privacy.ts";
import { FakeStorage } from "./storage.helpers.ts";
import { createVisitor } from "./visitor.ts";

test("Do Not Track and Global Privacy Control are asking, and what says nothing is not", () => {
  expect(isPrivacyAsked({ doNotTrack: "1" })).toBe(true);
  expect(isPrivacyAsked({ globalPrivacyControl: true })).toBe(true);
  for (const doNotTrack of [null, "0", "unspecified"])
    expect(isPrivacyAsked({ doNotTrack })).toBe(false);
  expect(isPrivacyAsked({})).toBe(false);
});

test("only a browser that is told apart by its own id keeps anything, and only of somebody is anybody online", () => {
  expect(keepingOf(undefined, false)).toEqual({ isPassing: false, isOfNobody: false });
  expect(keepingOf("browser", true)).toEqual({ isPassing: true, isOfNobody: true });
  expect(keepingOf("daily", false)).toEqual({ isPassing: true, isOfNobody: false });
  expect(keepingOf("none", false)).toEqual({ isPassing: true, isOfNobody: true });
});

test("a page that keeps nothing writes nothing, sends no id that was kept, and still hears of an opt-out", () => {
  const storage = FakeStorage.of({ [SESSION_ID_KEY]: "kept" });
  const before = { ...storage };
  const known = createVisitor({ storage: createKeptStorage(() => storage), newId: () => "never" });
  let made = 0;
  const visitor = passingVisitor(known, () => `id-${(made += 1)}`);
  const tabs = createOpenTabs({
    storage: createKeptStorage(() => storage, {}, true),
    ...{ now: () => 1_000, tabId: "t1", site: "" },
  });
  tabs.say("/a", "e1");
  tabs.waitMs("/a", true);
  expect([visitor.sessionId(), visitor.sessionId()]).toEqual(["id-1", "id-2"]);
  tabs.leave({ path: "/a", eventId: "e1" });
  expect({ ...storage }).toEqual(before);
  expect(visitor.hasOptedOut()).toBe(false);
  storage.setItem(OPT_OUT_KEY, "1");
  expect(visitor.hasOptedOut()).toBe(true);
});

test("nobody's views go out, and neither beats nor leaves", () => {
  const sent: string[] = [];
  const note = (name: string) => () => void sent.push(name);
  const all: Transport = {
    ...{ view: note("view"), beat: note("beat"), leave: note("leave") },
    ...{ event: note("event"), report: note("report") },
  };
  const transport = withoutPresence(all);
  transport.view({
    ...{ sessionId: "s", path: "/", pageType: "page", eventId: "e1" },
    isPrivate: true,
  });
  transport.beat({ sessionId: "s", currentPath: "/" });
  transport.leave({ sessionId: "s", path: "/" });
  expect(sent).toEqual(["view"]);
});
