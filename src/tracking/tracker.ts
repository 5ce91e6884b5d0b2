/**
 * Owns: what counts as a view, when a heartbeat goes out, and when the visitor leaves.
 * Not: the browser (page-events.ts), how anything is sent (convex-transport.ts), which tab beats (open-tabs.ts).
 *
 * A view is a page that somebody has looked at: it is sent when its path is first shown, at once, by the tab in which
 * that happens. A page that comes back from the back/forward cache is sent as a view too: whether it is a second
 * view or the same one is for the server to say (its dedup window), and either way it says where the visitor is.
 */
import type { LastSeen, OpenTabs } from "./open-tabs.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Visitor } from "./visitor.ts";

export type Clock = {
  /** Epoch ms. */
  now(): number;
  /** Returns what cancels the timer. */
  setTimer(callback: () => void, afterMs: number): () => void;
};

/** What the page says of itself. */
export type Page = { path: string; pageType: string; title?: string | undefined };

export type View = Page & Surroundings & { sessionId: string; eventId: string };
export type Beat = { sessionId: string; currentPath: string };
export type Leave = LastSeen & { sessionId: string };

/** Sends, now or later, or not at all: it neither throws nor makes anybody wait. */
export type Transport = {
  view(view: View): void;
  beat(beat: Beat): void;
  /** The page may be gone when this returns. */
  leave(leave: Leave): void;
};

export type TrackerParts = {
  clock: Clock;
  visitor: Visitor;
  tabs: OpenTabs;
  transport: Transport;
  /** What the browser says at the moment of a view. */
  surroundings: () => Surroundings;
  /** A fresh id for every view, so that a view that is sent again counts once. */
  newEventId: () => string;
};

export type Tracker = {
  /** This page is open now. The same path again is no view, whatever else has changed. */
  visit(page: Page): void;
  /** Somebody can see the page. */
  show(): void;
  /** Nobody can see it: in the background, or rendered ahead of time. */
  hide(): void;
  /** The page goes away, perhaps into the back/forward cache. */
  leave(): void;
  /** The page is back from the back/forward cache. */
  restore(): void;
  /** Another tab of this browser has done something. */
  hear(): void;
};

export function createTracker(parts: TrackerParts): Tracker {
  const { clock, visitor, tabs, transport, surroundings, newEventId } = parts;
  let page: Page | null = null;
  /** What this page may send next: its view, then beats; nothing when it was opened while opted out. */
  let next: "nothing" | "view" | "beats" = "nothing";
  let sight: "visible" | "hidden" | "gone" = "hidden";
  let cancelTimer = () => {};

  function sendView(due: Page) {
    next = "beats";
    tabs.turn("visible");
    const eventId = newEventId();
    tabs.say(due.path, eventId);
    transport.view({ ...due, ...surroundings(), sessionId: visitor.sessionId(), eventId });
  }

  /** Sends what is due, and comes back when something else will be. */
  function settle() {
    cancelTimer();
    if (visitor.hasOptedOut()) next = "nothing";
    if (page === null || sight === "gone") return;
    if (next === "view" && sight === "visible") sendView(page);
    if (next !== "beats") return;
    if (tabs.waitMs(page.path) === 0) {
      tabs.say(page.path);
      transport.beat({ sessionId: visitor.sessionId(), currentPath: page.path });
    }
    const waitMs = tabs.waitMs(page.path);
    if (waitMs !== null) cancelTimer = clock.setTimer(wake, waitMs);
  }

  function wake() {
    if (sight === "visible" && !visitor.hasOptedOut()) tabs.live();
    settle();
  }

  function turn(to: "visible" | "hidden") {
    if (sight === to || sight === "gone") return;
    sight = to;
    if (!visitor.hasOptedOut()) tabs.turn(to);
    settle();
  }

  return {
    visit(open) {
      if (page?.path !== open.path) next = "view";
      page = open;
      settle();
    },
    show: () => turn("visible"),
    hide: () => turn("hidden"),
    leave() {
      if (sight === "gone") return;
      cancelTimer();
      sight = "gone";
      if (next === "nothing" || visitor.hasOptedOut()) return;
      const lastSeen = tabs.leaving();
      tabs.turn(lastSeen === null ? "closed" : "left");
      if (lastSeen !== null) transport.leave({ sessionId: visitor.sessionId(), ...lastSeen });
    },
    restore() {
      sight = "hidden";
      next = "view";
    },
    hear: settle,
  };
}
