/**
 * Owns: what the tracker asks about the other tabs of its browser.
 * Not: the answers: open-tabs.ts for the hook; tab-note.ts and lone-tab.ts for the script.
 */

/** How much later each further tab beats: more than a note takes to reach another process. */
export const TAKEOVER_STEP_MS = 1_000;

/** Longer than any page stays open, and still short enough for a timer. */
export const NEVER_MS = 1e9;

/** Where the server saw this browser last: by the path said last, and by the last view. */
export type LastSeen = { path: string; eventId?: string | undefined };

export type Tabs = {
  /** A heartbeat for `path`, or the view `eventId` of it, is about to be sent. */
  say(path: string, eventId?: string): void;
  /** How long this tab, which shows `path`, waits before it beats. */
  waitMs(path: string, isVisible: boolean): number;
  /** This tab goes: what the visitor leaves with it; undefined when another tab stays or nobody is online. */
  leave(ofThisTab: LastSeen): LastSeen | undefined;
};
