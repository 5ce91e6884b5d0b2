import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  HEARTBEAT_DEBOUNCE_MS,
  HEARTBEAT_INTERVAL_MS,
  SESSION_TIMEOUT_MS,
} from "../../domain/intervals.ts";
import { createTabNote } from "./tab-note.ts";
import { TAKEOVER_STEP_MS } from "./tabs.ts";
import {
  createFakeBrowser,
  type FakeBrowserOptions,
  type FakeTab,
  type Sent,
} from "./tracking.helpers.ts";

type Step =
  | { do: "open"; hidden: boolean; path: string }
  | { do: "go"; tab: number; path: string }
  | { do: "show" | "hide" | "close" | "kill" | "freeze" | "cache" | "return"; tab: number }
  | { do: "pass"; ms: number };

const tab = fc.nat({ max: 11 });
const path = fc.constantFrom("/a", "/b", "/c");
const named = <Name extends Step["do"]>(...names: Name[]) => fc.constantFrom(...names);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: named("open"), hidden: fc.boolean(), path }) },
  { weight: 4, arbitrary: fc.record({ do: named("go"), tab, path }) },
  { weight: 8, arbitrary: fc.record({ do: named("show", "hide"), tab }) },
  { weight: 4, arbitrary: fc.record({ do: named("close", "kill", "freeze", "cache"), tab }) },
  { weight: 2, arbitrary: fc.record({ do: named("return"), tab }) },
  { weight: 4, arbitrary: fc.record({ do: named("pass"), ms: fc.nat({ max: 6_000 }) }) },
  { weight: 2, arbitrary: fc.record({ do: named("pass"), ms: fc.nat({ max: 200_000 }) }) },
);
const anyHistory = fc.array(anyStep, { minLength: 1, maxLength: 40 });

type TabModel = {
  tab: FakeTab;
  state: "visible" | "hidden" | "frozen" | "cached" | "dead";
  path: string;
  actedAs: number;
  visibleSince: number;
};

type Timing = Pick<FakeBrowserOptions, "tabsOf"> & { lagMs: number; spacingMs: number };

/** Runs a history; keeps beside it, in the simplest words, what each tab is, and checks after every second. */
function createWorld({ lagMs, tabsOf }: Timing) {
  const browser = createFakeBrowser({ storageLagMs: lagMs, tabsOf });
  const tabs: TabModel[] = [];
  let acts = 0;
  let navigations = 0;
  let killedAt = -Infinity;

  const visibleTabs = () => tabs.filter(({ state }) => state === "visible");
  const lastSaidAt = () => browser.sent.findLast(({ kind }) => kind !== "leave")?.at ?? -Infinity;

  function act(model: TabModel) {
    if (model.state !== "visible") model.visibleSince = browser.clock.now();
    model.state = "visible";
    model.actedAs = acts += 1;
  }

  /** While a tab can be seen, no more than an interval goes by without a sign of life. */
  function expectSignOfLife() {
    const graceMs = TAKEOVER_STEP_MS * tabs.length + lagMs;
    const dueSince = browser.clock.now() - HEARTBEAT_INTERVAL_MS - graceMs;
    const isWatched = visibleTabs().some(({ visibleSince }) => visibleSince < dueSince);
    if (isWatched) expect(lastSaidAt()).toBeGreaterThanOrEqual(dueSince);
  }

  function pass(ms: number) {
    for (let restMs = ms; restMs > 0; restMs -= 1_000) {
      browser.pass(Math.min(restMs, 1_000));
      expectSignOfLife();
    }
  }

  function open(at: string, hidden: boolean) {
    navigations += 1;
    const tab = browser.open({ path: at, hidden });
    const model: TabModel = { tab, state: "hidden", path: at, actedAs: 0, visibleSince: 0 };
    tabs.push(model);
    if (!hidden) act(model);
  }

  function go(model: TabModel, to: string) {
    if (model.state === "cached" || model.state === "frozen" || model.path === to) return;
    navigations += 1;
    model.path = to;
    model.tab.go(to);
    if (model.state === "visible") act(model);
  }

  function thaw(model: TabModel) {
    if (model.state !== "frozen") return;
    model.tab.thaw();
    model.state = "hidden";
  }

  const turns = {
    show(model: TabModel) {
      thaw(model);
      if (model.state !== "hidden") return;
      model.tab.show();
      act(model);
    },
    hide(model: TabModel) {
      if (model.state !== "visible") return;
      model.tab.hide();
      model.state = "hidden";
    },
    freeze(model: TabModel) {
      if (model.state !== "hidden") return;
      model.tab.freeze();
      model.state = "frozen";
    },
    close(model: TabModel) {
      thaw(model);
      if (model.state !== "cached") model.tab.close();
      model.state = "dead";
    },
    cache(model: TabModel) {
      if (model.state !== "visible") return;
      model.tab.close(true);
      model.state = "cached";
    },
    return(model: TabModel) {
      if (model.state !== "cached") return;
      navigations += 1;
      model.tab.comeBack();
      act(model);
    },
    kill(model: TabModel) {
      model.tab.kill();
      model.state = "dead";
      killedAt = browser.clock.now();
    },
  };

  function step(next: Step) {
    if (next.do === "pass") return pass(next.ms);
    if (next.do === "open") return open(next.path, next.hidden);
    const living = tabs.filter(({ state }) => state !== "dead");
    const model = living[next.tab % living.length];
    if (model === undefined) return;
    if (next.do === "go") go(model, next.path);
    else turns[next.do](model);
  }

  return {
    browser,
    step,
    pass,
    navigations: () => navigations,
    hasRecentKill: () => browser.clock.now() - killedAt < SESSION_TIMEOUT_MS,
    /** Where the reader last did something that can still be seen. */
    expectedPath: () => visibleTabs().sort((a, b) => b.actedAs - a.actedAs)[0]?.path ?? null,
    visiblePaths: () => visibleTabs().map(({ path }) => path),
    closeAll(spacingMs: number) {
      for (const model of tabs) {
        if (model.state === "dead") continue;
        turns.close(model);
        browser.pass(spacingMs);
      }
    },
  };
}

function run(history: Step[], timing: Timing) {
  const { spacingMs } = timing;
  const world = createWorld(timing);
  for (const next of history) {
    world.step(next);
    if (spacingMs > 0) world.pass(spacingMs);
  }
  return world;
}

/** Two tabs have spoken before the note of the first can have reached the second. */
function hasCrossed(sent: readonly Sent[], lagMs: number): boolean {
  return sent.some(({ at, tab }, index) => {
    const before = sent[index - 1];
    return before !== undefined && before.tab !== tab && at - before.at <= lagMs && lagMs > 0;
  });
}

const AT_ONCE = { lagMs: 0, spacingMs: 1 };
const LATER = { lagMs: 300, spacingMs: 400 };

describe.each<Timing & { name: string }>([
  { name: "tabs that see each other's rows at once", ...AT_ONCE },
  { name: "tabs that see each other's rows 300 ms later", ...LATER },
  { name: "tabs that share a note at once", ...AT_ONCE, tabsOf: createTabNote },
  { name: "tabs that share a note 300 ms later", ...LATER, tabsOf: createTabNote },
])("any history of $name", (timing) => {
  test("has a sign of life in every interval while a tab can be seen", () => {
    fc.assert(fc.property(anyHistory, (history) => void run(history, timing).pass(150_000)));
  });

  test("has no heartbeat within the debounce after another sign of life of that browser", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { sent } = run(history, timing).browser;
        // Who has left is not held back: rows remember when they last spoke all the same, the note does not.
        const hasLeave = timing.tabsOf === createTabNote;
        const said = sent.filter(({ kind }) => hasLeave || kind !== "leave");
        said.forEach((entry, index) => {
          const before = said[index - 1];
          const gapMs = before?.kind === "leave" ? Infinity : entry.at - (before?.at ?? -Infinity);
          const crossed = timing.lagMs > 0 && gapMs <= timing.lagMs;
          if (entry.kind === "beat" && !crossed)
            expect(gapMs).toBeGreaterThanOrEqual(HEARTBEAT_DEBOUNCE_MS);
        });
      }),
    );
  });

  test("has at most one view per navigation, each with an id of its own, and one visitor", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { browser, navigations } = run(history, timing);
        expect(browser.of("view").length).toBeLessThanOrEqual(navigations());
        const eventIds = browser.of("view").map(({ eventId }) => eventId);
        expect(new Set(eventIds).size).toBe(eventIds.length);
        expect(new Set(browser.sent.map(({ sessionId }) => sessionId)).size).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("settles on the path where the reader last did something", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const world = run(history, timing);
        world.pass(HEARTBEAT_INTERVAL_MS * 2 + 10_000);
        const path = world.expectedPath();
        // The note knows of no order among those that stay when another goes.
        if (timing.tabsOf === createTabNote && path !== null)
          expect(world.visiblePaths()).toContain(world.browser.onlineAt());
        else if (path !== null) expect(world.browser.onlineAt()).toBe(path);
      }),
    );
  });

  test("ends offline, with exactly one leave as the last word, when all tabs are closed", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const world = run(history, timing);
        const { browser } = world;
        world.closeAll(timing.spacingMs);
        // Of two tabs that share a note and speak at once, neither knows: the timeout ends that visit.
        const isKnown = timing.tabsOf !== createTabNote || !hasCrossed(browser.sent, timing.lagMs);
        if (isKnown && !world.hasRecentKill()) expect(browser.onlineAt()).toBeNull();
        const lastSaid = browser.sent.findLastIndex(({ kind }) => kind !== "leave");
        expect(browser.sent.length - 1 - lastSaid).toBeLessThanOrEqual(1);
        const count = browser.sent.length;
        world.pass(600_000);
        expect(browser.sent.length).toBe(count);
        expect(browser.onlineAt()).toBeNull();
      }),
    );
  });
});
