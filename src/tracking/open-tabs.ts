/**
 * Owns: what the tabs of one browser know of each other, and so whose turn it is to beat, and which is the last to go.
 * Not: the order and the arithmetic (tab-rows.ts); sending (tracker.ts).
 *
 * Each tab writes one row of its own into the storage that also holds the visitor's id. So tabs that share an id
 * share these rows, and no tab overwrites another's. Nobody is elected and nobody is watched: the rows name an
 * order, and a tab whose turn comes beats unless somebody has beaten by then. A tab that was killed, frozen or cut
 * off is thereby replaced without anyone having to find out.
 *
 * Web Locks and BroadcastChannel are not used: a held lock keeps the whole page out of the back/forward cache.
 */
import { SESSION_TIMEOUT_MS } from "../../domain/intervals.ts";
import type { KeptStorage } from "./kept-storage.ts";
import {
  beatDueAt,
  isOpen,
  lastSaid,
  rowFrom,
  textOf,
  type TabRow,
  type TabState,
} from "./tab-rows.ts";

/** Everything that the tabs keep lies under keys that begin like this. */
export const TAB_KEYS = "footfall_tab";

/** Where the server saw this browser last: by the path said last, and by the last view of any of its tabs. */
export type LastSeen = { path: string; eventId?: string };

export type OpenTabs = {
  /** This tab is about to send a heartbeat for `path`, or the view `eventId` of it. */
  say(path: string, eventId?: string): void;
  /** This tab is now shown (or moved to another path while it is), hidden or gone. */
  turn(state: TabState): void;
  /** This tab still lives. */
  live(): void;
  /** How long this tab, which shows `path`, waits before it beats; null when it need not beat at all. */
  waitMs(path: string): number | null;
  /** What the visitor leaves when this tab goes now; null when another tab stays or nobody is online. */
  leaving(): LastSeen | null;
};

export type OpenTabsParts = {
  storage: KeptStorage;
  now: () => number;
  tabId: string;
  /** Tabs of different sites on one origin do not know of each other. */
  site: string;
};

export function createOpenTabs({ storage, now, tabId, site }: OpenTabsParts): OpenTabs {
  const rowKeys = `${TAB_KEYS}:${site}:`;
  const lastViewKey = `${TAB_KEYS}_view:${site}`;
  const me: TabRow = { tabId, state: "hidden", actedAt: 0, aliveAt: 0, saidAt: 0, saidPath: "" };

  /** As long as a visitor without a sign of life counts as online, a tab without one counts as open. */
  const isFresh = (at: number) => Math.abs(now() - at) < SESSION_TIMEOUT_MS;

  /** A tab that has never been looked at is nobody's business. */
  function write() {
    me.aliveAt = now();
    if (me.saidAt > 0) storage.write(rowKeys + tabId, textOf(me));
  }

  /** The rows of the other tabs; those of tabs that died long ago are cleared away. */
  function others(): TabRow[] {
    const rows: TabRow[] = [];
    for (const key of storage.keysFrom(rowKeys)) {
      if (key === rowKeys + tabId) continue;
      const row = rowFrom(key.slice(rowKeys.length), storage.read(key));
      if (row !== null && isFresh(row.aliveAt)) rows.push(row);
      else storage.remove(key);
    }
    return rows;
  }

  return {
    say(path, eventId) {
      if (eventId !== undefined) storage.write(lastViewKey, eventId);
      me.saidPath = path;
      me.saidAt = now();
      write();
    },
    turn(state) {
      me.state = state;
      // Later than what any other tab did, also within one millisecond and after the clock was set back.
      if (state === "visible")
        me.actedAt = Math.max(now(), ...others().map((row) => row.actedAt + 1));
      write();
    },
    live: write,
    waitMs(path) {
      if (me.state !== "visible" && !isFresh(me.aliveAt)) return null;
      const dueAt = beatDueAt(me, others(), path, now());
      return dueAt === null ? null : Math.max(0, dueAt - now());
    },
    leaving() {
      const rows = others();
      const { saidAt, saidPath } = lastSaid([me, ...rows], now());
      const isOver = rows.some((row) => row.state === "left" && row.aliveAt > saidAt);
      if (isOver || rows.some(isOpen) || !isFresh(saidAt)) return null;
      const eventId = storage.read(lastViewKey);
      return eventId === null ? { path: saidPath } : { path: saidPath, eventId };
    },
  };
}
