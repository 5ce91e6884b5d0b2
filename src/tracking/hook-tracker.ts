/**
 * Owns: the tracker of a page whose components name its path, and whose messages go through a transport.
 * Not: what counts (tracker.ts); the browser (browser.ts).
 */
import type { Surroundings } from "./surroundings.ts";
import type { LastSeen, Tabs } from "./tabs.ts";
import { createTracker, type Message, type Tracker } from "./tracker.ts";
import type { Visitor } from "./visitor.ts";

export type Clock = {
  /** Epoch ms. */
  now(): number;
  /** Returns what cancels the timer. */
  setTimer(callback: () => void, afterMs: number): () => void;
};

/** What the page says of itself. */
export type Page = { path: string; pageType: string; title?: string | undefined };

/** What a view says besides its path. */
type Description = Page & Surroundings & { eventId: string };

export type View = Description & { sessionId: string };
export type Beat = { sessionId: string; currentPath: string };
export type Leave = LastSeen & { sessionId: string };

/** Sends, now or later, or not at all: it neither throws nor makes anybody wait. */
export type Transport = {
  view(view: View): void;
  beat(beat: Beat): void;
  /** The page may be gone when this returns. */
  leave(leave: Leave): void;
};

export type HookTrackerParts = {
  clock: Clock;
  visitor: Visitor;
  tabs: Tabs;
  transport: Transport;
  isVisible: () => boolean;
  /** What the browser says at the moment of a view. */
  surroundings: () => Surroundings;
  newEventId: () => string;
};

export type HookTracker = Tracker & {
  /** This page is open now. The same path again is no view, whatever else has changed. */
  visit(page: Page): void;
};

export function createHookTracker(parts: HookTrackerParts): HookTracker {
  const { clock, visitor, tabs, transport, isVisible, surroundings, newEventId } = parts;
  let page: Page = { path: "", pageType: "" };
  let cancelTimer = () => {};

  const seen = {
    currentPath: () => page.path,
    isVisible,
    describe: () => ({ ...page, ...surroundings(), eventId: newEventId() }),
    hasOptedOut: () => visitor.hasOptedOut(),
  };

  function send(message: Message<Description>) {
    const sessionId = visitor.sessionId();
    switch (message.kind) {
      case "view": {
        const { kind: _kind, ...view } = message;
        return transport.view({ ...view, sessionId });
      }
      case "beat":
        return transport.beat({ sessionId, currentPath: message.path });
      case "leave": {
        const { kind: _kind, ...lastSeen } = message;
        return transport.leave({ sessionId, ...lastSeen });
      }
    }
    return message satisfies never;
  }

  const { look, leave } = createTracker(seen, tabs, send, (ms) => {
    cancelTimer();
    cancelTimer = clock.setTimer(look, ms);
  });

  return {
    visit(open) {
      page = open;
      look();
    },
    look,
    leave() {
      leave();
      cancelTimer();
    },
  };
}
