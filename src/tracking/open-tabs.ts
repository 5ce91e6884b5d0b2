/**
 * Owns: what the tabs of one browser know of each other, and so whose turn it is to beat, and which is the last to go.
 * Not: sending (tracker.ts); the first things of the same in a fifth of the bytes, for the script (tab-note.ts).
 *
 * Each open tab keeps one row of its own in the storage that also holds the visitor's id, and whichever tab says
 * something to the server notes when and for which path. So tabs that share an id share these notes. Nobody is
 * elected and nobody is watched: the rows name an order, and a tab whose turn comes beats unless somebody has
 * beaten by then. A tab that was killed, frozen or cut off is thereby replaced without anyone having to find out.
 *
 * Web Locks and BroadcastChannel are not used: a held lock keeps the whole page out of the back/forward cache.
 */
import {
  HEARTBEAT_DEBOUNCE_MS,
  HEARTBEAT_INTERVAL_MS,
  SESSION_TIMEOUT_MS,
} from "../../domain/intervals.ts";
import type { KeptStorage } from "./kept-storage.ts";
import { TAB_KEYS } from "./keys.ts";
import { NEVER_MS, TAKEOVER_STEP_MS, type Tabs } from "./tabs.ts";

export type OpenTabsParts = {
  storage: KeptStorage;
  now: () => number;
  tabId: string;
  /** Tabs of different sites on one origin do not know of each other. */
  site: string;
};

/** A row that nobody has refreshed for so long is written again: not more often, or tabs would wake each other. */
const REFRESH_AFTER_MS = HEARTBEAT_INTERVAL_MS / 2;

export function createOpenTabs({ storage, now, tabId, site }: OpenTabsParts): Tabs {
  const rowKeys = `${TAB_KEYS}:${site}:`;
  /** The last view or beat of any tab: its time and its path. */
  const saidKey = `${TAB_KEYS}_said:${site}`;
  const lastViewKey = `${TAB_KEYS}_view:${site}`;
  /** When a tab went while others stayed, until one of them has said something. */
  const goneKey = `${TAB_KEYS}_gone:${site}`;
  /** When its reader last did something in this tab: showed it, or moved to another path in it; 0 while it is hidden. */
  let actedAt = 0;
  let aliveAt = 0;

  const ageMs = (at: number) => Math.abs(now() - at);

  /** As long as a visitor without a sign of life counts as online, a tab without one counts as open. */
  const isFresh = (at: number) => ageMs(at) < SESSION_TIMEOUT_MS;

  /** `actedAt` of every other open tab. The rows of those that died long ago are cleared away. */
  function others(): number[] {
    return storage.keysFrom(rowKeys).flatMap((key) => {
      if (key === rowKeys + tabId) return [];
      const [actedAt = NaN, aliveAt = NaN] = storage.read(key).split(" ").map(Number);
      if (isFresh(aliveAt)) return [actedAt];
      storage.remove(key);
      return [];
    });
  }

  function writeRow(now: { actedAt: number; aliveAt: number }) {
    ({ actedAt, aliveAt } = now);
    storage.write(rowKeys + tabId, `${actedAt} ${aliveAt}`);
  }

  /** Later than what any other tab did, also within one millisecond and after the clock was set back. */
  function act() {
    writeRow({ actedAt: Math.max(now(), ...others()) + 1, aliveAt: now() });
  }

  /** A hidden tab was last alive when it was hidden. */
  function turn(isVisible: boolean) {
    if (isVisible && actedAt === 0) act();
    else if (isVisible ? ageMs(aliveAt) > REFRESH_AFTER_MS : actedAt > 0)
      writeRow({ actedAt: isVisible ? actedAt : 0, aliveAt: now() });
  }

  function lastSaid() {
    const [at, ...path] = storage.read(saidKey).split(" ");
    return { at: Number(at) || 0, path: path.join(" ") };
  }

  return {
    say(path, eventId) {
      if (eventId !== undefined) {
        act();
        storage.write(lastViewKey, eventId);
      }
      storage.write(saidKey, `${now()} ${path}`);
      storage.remove(goneKey);
    },
    waitMs(path, isVisible) {
      turn(isVisible);
      const said = lastSaid();
      const place = others().filter((other) => other > actedAt).length;
      const goneAt = Number(storage.read(goneKey));
      // A time ahead of now is of a clock that was set back: its distance counts, whichever way.
      const restMs = (afterMs: number, at: number) => afterMs - ageMs(at);
      // A hidden tab beats only for one that has gone, and only if none can be seen.
      if (!isVisible && (goneAt === 0 || place > 0 || !isFresh(aliveAt))) return NEVER_MS;
      // The visitor may still be shown at the path of the tab that went: say where they are.
      const dueMs =
        goneAt > 0 || (place === 0 && path !== said.path)
          ? HEARTBEAT_DEBOUNCE_MS
          : HEARTBEAT_INTERVAL_MS;
      const waitMs = Math.max(restMs(dueMs, said.at), restMs(TAKEOVER_STEP_MS, goneAt));
      return waitMs + place * TAKEOVER_STEP_MS;
    },
    leave() {
      const { at, path } = lastSaid();
      storage.remove(rowKeys + tabId);
      actedAt = 0;
      if (others().length > 0) storage.write(goneKey, String(now()));
      if (others().length > 0 || !isFresh(at)) return undefined;
      storage.remove(saidKey);
      return { path, eventId: storage.read(lastViewKey) || undefined };
    },
  };
}
