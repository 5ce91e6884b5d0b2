/**
 * Owns: the tracker of a page whose components name its path, and whose messages go through a transport.
 * Not: what counts (tracker.ts); the browser (browser.ts).
 */
import { createEvents, type EventMessage, type TrackEvent } from "./events.ts";
import type { Part, PartCore } from "./parts/part.ts";
import type { Surroundings } from "./surroundings.ts";
import type { LastSeen, Tabs } from "./tabs.ts";
import { createTracker, type Message, type Tracker } from "./tracker.ts";
import type { Engagement } from "./view-report.ts";
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
export type TrackedEvent = Omit<EventMessage, "kind"> & { sessionId: string };
export type Report = Engagement & { sessionId: string };

/** Sends, now or later, or not at all: it neither throws nor makes anybody wait. */
export type Transport = {
  view(view: View): void;
  beat(beat: Beat): void;
  /** The page may be gone when this returns. */
  leave(leave: Leave): void;
  event(event: TrackedEvent): void;
  /** The page may be gone when this returns. */
  report(report: Report): void;
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
  /** What the site counts besides views. */
  parts?: readonly Part[] | undefined;
  /** What the parts need of the browser. */
  world?: Pick<PartCore, "listen" | "ownHosts" | "isAgain"> | undefined;
};

export type HookTracker = Tracker & {
  /** This page is open now. The same path again is no view, whatever else has changed. */
  visit(page: Page): void;
  /** Something happened on this page. */
  sendEvent: TrackEvent;
  /** No component shows this page any more: what was read of it is said now. */
  end(): void;
};

export function createHookTracker(trackerParts: HookTrackerParts): HookTracker {
  const { clock, visitor, tabs, transport, isVisible, surroundings, newEventId } = trackerParts;
  let page: Page = { path: "", pageType: "" };
  let cancelTimer = () => {};

  const currentPath = () => page.path;
  const hasOptedOut = () => visitor.hasOptedOut();
  const seen = {
    currentPath,
    isVisible,
    describe() {
      tellParts();
      return { ...page, ...surroundings(), eventId: newEventId() };
    },
    hasOptedOut,
  };
  const events = createEvents({
    ...{ currentPath, hasOptedOut, newId: newEventId },
    send: ({ kind: _kind, ...event }) =>
      transport.event({ ...event, sessionId: visitor.sessionId() }),
  });

  const tellParts = startParts(trackerParts, { sendEvent: events.sendEvent, currentPath });

  function send(message: Message<Description>) {
    const sessionId = visitor.sessionId();
    switch (message.kind) {
      case "view": {
        const { kind: _kind, ...view } = message;
        transport.view({ ...view, sessionId });
        events.pageSeen();
        return tellParts(view.eventId);
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
    sendEvent: events.sendEvent,
    look,
    leave() {
      leave();
      cancelTimer();
    },
    end: () => tellParts(),
  };
}

/** Returns what tells them of views. Without a browser around it, a tracker has no parts. */
function startParts(
  { parts = [], world, visitor, transport }: HookTrackerParts,
  ofTracker: Pick<PartCore, "sendEvent" | "currentPath">,
): (eventId?: string) => void {
  const listeners: ((eventId?: string) => void)[] = [];
  const core = world && {
    ...ofTracker,
    ...world,
    sendReport: (report: Engagement) =>
      visitor.hasOptedOut() || void transport.report({ ...report, sessionId: visitor.sessionId() }),
    onView: (listener: (eventId?: string) => void) => listeners.push(listener),
    reportFields: {},
  };
  if (core) for (const part of parts) part(core);
  return (eventId) => listeners.forEach((listener) => listener(eventId));
}
