/**
 * Owns: what counts as a view, when a heartbeat goes out, and when the visitor leaves; for the hook and for the script.
 * Not: the browser and how anything is sent (hook-tracker.ts, script.ts), which tab beats (tabs.ts).
 *
 * A view is a page that somebody has looked at: it is sent when its path is first shown, at once, by the tab in which
 * that happens. A page that comes back from the back/forward cache is sent as a view too: whether it is a second
 * view or the same one is for the server to say (its dedup window), and either way it says where the visitor is.
 *
 * The script has a budget of bytes, and this is a good part of it: hence few parts and numbered states.
 */
import { HEARTBEAT_INTERVAL_MS } from "../../domain/intervals.ts";
import type { LastSeen, Tabs } from "./tabs.ts";

export type Message<Description> =
  | ({ kind: "view"; path: string } & Description)
  | { kind: "beat"; path: string }
  /** The page may be gone when `send` returns. */
  | ({ kind: "leave" } & LastSeen);

/** What a tracker sees of its page, and of its reader. */
export type SeenPage<Description> = {
  /** The path that is open now. */
  currentPath: () => string;
  /** Nobody sees a page in the background, nor one that is rendered ahead of time. */
  isVisible: () => boolean;
  /** What a view says besides its path; its id is a fresh one, so that a view that is sent again counts once. */
  describe: () => Description;
  /** Anything but nothing: this browser is not to be counted. */
  hasOptedOut: () => unknown;
};

export type Tracker = {
  /** Something may have changed: the path, whether the page can be seen, another tab, the time. */
  look: () => void;
  /** The page goes away, perhaps into the back/forward cache: what is seen of it after that is a view again. */
  leave: () => void;
};

/** What a page may send next: nothing when its path was opened while opted out; its view; then beats. */
const NOTHING_DUE = 0;
const VIEW = 1;
const BEATS = 2;

/**
 * `send` sends, now or later, or not at all: it neither throws nor makes anybody wait. `wakeIn` calls `look` after so
 * many ms, instead of when it was last asked to.
 */
export function createTracker<D extends { eventId: string }>(
  { currentPath, isVisible, describe, hasOptedOut }: SeenPage<D>,
  tabs: Tabs,
  send: (message: Message<D>) => void,
  wakeIn: (ms: number) => void,
): Tracker {
  let path = "";
  let eventId: string;
  let next = NOTHING_DUE;

  /** Sends what is due, and comes back when something else will be. */
  function look() {
    if (path !== currentPath()) next = VIEW;
    path = currentPath();
    if (hasOptedOut()) next = NOTHING_DUE;
    if (next === VIEW && isVisible()) {
      const view = describe();
      next = BEATS;
      eventId = view.eventId;
      tabs.say(path, eventId);
      send({ kind: "view", path, ...view });
    }
    if (next < BEATS) return;
    let waitMs = tabs.waitMs(path, isVisible());
    if (waitMs <= 0) {
      waitMs = HEARTBEAT_INTERVAL_MS;
      tabs.say(path);
      send({ kind: "beat", path });
    }
    wakeIn(waitMs);
  }

  function leave() {
    const lastSeen = next && !hasOptedOut() && tabs.leave({ path, eventId });
    if (lastSeen) send({ kind: "leave", ...lastSeen });
    path = "";
  }

  return { look, leave };
}
