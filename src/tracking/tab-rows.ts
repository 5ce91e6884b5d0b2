/**
 * Owns: the row that each open tab keeps of itself: when its reader last did something in it, and its last sign of life.
 * Not: what follows from the rows (open-tabs.ts).
 */
import { HEARTBEAT_INTERVAL_MS, SESSION_TIMEOUT_MS } from "../../domain/intervals.ts";
import { TAB_KEYS } from "./keys.ts";
import type { KeptStorage } from "./kept-storage.ts";

export type OpenTabsParts = {
  storage: KeptStorage;
  now: () => number;
  tabId: string;
  /** Tabs of different sites on one origin do not know of each other. */
  site: string;
};

/** A row that nobody has refreshed for so long is written again: not more often, or tabs would wake each other. */
const REFRESH_AFTER_MS = HEARTBEAT_INTERVAL_MS / 2;

export function createTabRows({ storage, now, tabId, site }: OpenTabsParts) {
  const rowKeys = `${TAB_KEYS}:${site}:`;
  /** When its reader last showed this tab, or moved to another path in it; 0 while it is hidden. */
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

  function write() {
    aliveAt = now();
    storage.write(rowKeys + tabId, `${actedAt} ${aliveAt}`);
  }

  /** Later than what any other tab did, also within one millisecond and after the clock was set back. */
  function act() {
    actedAt = Math.max(now(), ...others()) + 1;
    write();
  }

  return {
    act,
    /** A hidden tab was last alive when it was hidden. */
    turn(isVisible: boolean) {
      if (isVisible && actedAt === 0) act();
      if (isVisible && ageMs(aliveAt) > REFRESH_AFTER_MS) write();
      if (isVisible || actedAt === 0) return;
      actedAt = 0;
      write();
    },
    isFresh: () => isFresh(aliveAt),
    hasOthers: () => others().length > 0,
    /** How many other tabs come before this one: those in which the reader did something later. */
    place: () => others().filter((other) => other > actedAt).length,
    remove() {
      storage.remove(rowKeys + tabId);
      actedAt = 0;
    },
  };
}
