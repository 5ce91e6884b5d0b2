/**
 * Owns: a browser for tests: tabs that share storage, a clock that only moves by hand, and what reached the server.
 * Not: any rule of tracking.
 */
import { SESSION_TIMEOUT_MS } from "../../domain/intervals.ts";
import {
  createHookTracker,
  type Clock,
  type HookTracker,
  type Page,
  type Report,
  type TrackedEvent,
} from "./hook-tracker.ts";
import { createKeptStorage } from "./kept-storage.ts";
import { createOpenTabs } from "./open-tabs.ts";
import { followPage } from "./page-events.ts";
import { createSharedStorage, FakeStorage } from "./storage.helpers.ts";
import type { OpenTabsParts } from "./tab-rows.ts";
import type { Tabs } from "./tabs.ts";
import { createVisitor } from "./visitor.ts";

export type Sent =
  | { kind: "view"; at: number; tab: string; path: string; eventId: string; sessionId: string }
  | { kind: "beat"; at: number; tab: string; path: string; sessionId: string }
  | { kind: "leave"; at: number; tab: string; path: string; eventId?: string; sessionId: string }
  | ({ kind: "event"; at: number; tab: string } & TrackedEvent)
  | ({ kind: "report"; at: number; tab: string } & Report);

/** Time stands still until `pass`; timers then fire in order, at exactly their time. */
export type ManualClock = Clock & {
  pass(ms: number): void;
  /** The owner of the machine sets its clock; running timers keep their rest. */
  set(to: number): void;
};

export function manualClock(startsAt = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startsAt;
  let timers: { at: number; callback: () => void }[] = [];
  return {
    now: () => now,
    setTimer(callback, afterMs) {
      const timer = { at: now + afterMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    set(to) {
      for (const timer of timers) timer.at += to - now;
      now = to;
    },
    pass(ms) {
      const until = now + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        now = next.at;
        next.callback();
      }
      now = until;
    },
  };
}

class FakeDocument extends EventTarget {
  visibilityState: "visible" | "hidden" = "visible";
  prerendering = false;
}

export type FakeTab = {
  name: string;
  tracker: HookTracker;
  go(path: string, page?: Partial<Page>): void;
  show(): void;
  hide(): void;
  /** The page is shown that was rendered ahead of time. */
  activate(): void;
  /** Closed, or navigated away; `persisted`: into the back/forward cache. */
  close(persisted?: boolean): void;
  /** Back from the back/forward cache. */
  comeBack(): void;
  /** The process ends without an event: nothing runs in this tab any more. */
  kill(): void;
  /** A frozen tab's timers and events wait until it thaws. */
  freeze(): void;
  thaw(): void;
};

export type FakeBrowserOptions = {
  storage?: FakeStorage;
  /** How long a change of storage takes to reach another tab. */
  storageLagMs?: number;
  /** How the tabs know of each other; by rows, as the hook's, when absent. */
  tabsOf?: (parts: OpenTabsParts) => Tabs;
};

export type OpenOptions = { path?: string; hidden?: boolean; prerendering?: boolean };

export type FakeBrowser = ReturnType<typeof createFakeBrowser>;

export function createFakeBrowser({
  storage = FakeStorage.of(),
  storageLagMs = 0,
  tabsOf = createOpenTabs,
}: FakeBrowserOptions = {}) {
  const clock = manualClock();
  const sent: Sent[] = [];
  const shared = createSharedStorage(clock, storage, storageLagMs);
  let ids = 0;
  const newId = (kind: string) => `${kind}${(ids += 1)}`;

  function open({ path, hidden = false, prerendering = false }: OpenOptions = {}): FakeTab {
    const name = newId("tab");
    const document = new FakeDocument();
    const window = new EventTarget();
    let state: "running" | "frozen" | "dead" = "running";
    let onThaw: (() => void)[] = [];
    if (hidden || prerendering) document.visibilityState = "hidden";
    document.prerendering = prerendering;

    const tabClock: Clock = {
      now: () => clock.now(),
      setTimer: (callback, afterMs) =>
        clock.setTimer(() => {
          if (state === "running") callback();
          if (state === "frozen") onThaw.push(callback);
        }, afterMs),
    };
    const ownStorage = shared.join((key) => {
      if (state === "running") window.dispatchEvent(Object.assign(new Event("storage"), { key }));
    });
    const kept = createKeptStorage(() => ownStorage);
    const note = (entry: Record<string, unknown>) =>
      sent.push({ at: clock.now(), tab: name, ...entry } as Sent);
    const tracker = createHookTracker({
      clock: tabClock,
      visitor: createVisitor({ storage: kept, newId: () => newId("visitor") }),
      tabs: tabsOf({ storage: kept, now: () => clock.now(), tabId: name, site: "" }),
      transport: {
        view: (view) => note({ kind: "view", ...view }),
        beat: ({ sessionId, currentPath }) => note({ kind: "beat", sessionId, path: currentPath }),
        leave: (leave) => note({ kind: "leave", ...leave }),
        event: (event) => note({ kind: "event", ...event }),
        report: (report) => note({ kind: "report", ...report }),
      },
      isVisible: () => document.visibilityState === "visible" && !document.prerendering,
      surroundings: () => ({}),
      newEventId: () => newId("event"),
    });
    followPage(tracker, { window, document });

    function turn(visibilityState: "visible" | "hidden") {
      document.visibilityState = visibilityState;
      document.dispatchEvent(new Event("visibilitychange"));
    }
    const tab: FakeTab = {
      name,
      tracker,
      go: (to, page) => tracker.visit({ path: to, pageType: "page", ...page }),
      show: () => turn("visible"),
      hide: () => turn("hidden"),
      activate() {
        document.prerendering = false;
        document.dispatchEvent(new Event("prerenderingchange"));
        turn("visible");
      },
      close(persisted = false) {
        window.dispatchEvent(Object.assign(new Event("pagehide"), { persisted }));
        turn("hidden");
        if (persisted) tab.freeze();
        else tab.kill();
      },
      comeBack() {
        document.visibilityState = "visible";
        tab.thaw();
        window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
      },
      kill() {
        state = "dead";
      },
      freeze() {
        state = "frozen";
      },
      thaw() {
        state = "running";
        const waiting = onThaw;
        onThaw = [];
        for (const callback of waiting) callback();
        document.dispatchEvent(new Event("resume"));
      },
    };
    if (path !== undefined) tab.go(path);
    return tab;
  }

  return {
    clock,
    storage,
    sent,
    open,
    pass: (ms: number) => clock.pass(ms),
    of: <Kind extends Sent["kind"]>(kind: Kind) =>
      sent.filter((entry): entry is Extract<Sent, { kind: Kind }> => entry.kind === kind),
    /** What the server's presence rule makes of what it received: the path, or null for offline. */
    onlineAt: () => onlineAt(sent, clock.now()),
  };
}

/** The presence rule of the door, in its simplest form: a view or beat sets the path, a leave of that path ends it. */
export function onlineAt(sent: Sent[], now: number): string | null {
  let path: string | null = null;
  let lastSeenAt = 0;
  let lastEventId = "";
  for (const entry of sent) {
    if (entry.kind === "event" || entry.kind === "report") continue;
    if (entry.kind === "leave") {
      const isOfLastView = entry.eventId === undefined || entry.eventId === lastEventId;
      if (entry.path === path && isOfLastView) path = null;
      continue;
    }
    if (entry.kind === "view") lastEventId = entry.eventId;
    path = entry.path;
    lastSeenAt = entry.at;
  }
  return path !== null && now - lastSeenAt < SESSION_TIMEOUT_MS ? path : null;
}
