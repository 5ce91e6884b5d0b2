/**
 * Owns: what the tabs of one browser know of each other, and so whose turn it is to beat, and which is the last to go.
 * Not: the rows themselves (tab-rows.ts); sending (tracker.ts); the first things of the same in a fifth of the bytes, for the script (tab-note.ts).
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
import { createTabRows, type OpenTabsParts } from "./tab-rows.ts";
import { TAB_KEYS } from "./keys.ts";
import { NEVER_MS, TAKEOVER_STEP_MS, type Tabs } from "./tabs.ts";

export function createOpenTabs(parts: OpenTabsParts): Tabs {
  const { storage, now, site } = parts;
  const rows = createTabRows(parts);
  /** The last view or beat of any tab: its time and its path. */
  const saidKey = `${TAB_KEYS}_said:${site}`;
  const lastViewKey = `${TAB_KEYS}_view:${site}`;
  /** When a tab went while others stayed, until one of them has said something. */
  const goneKey = `${TAB_KEYS}_gone:${site}`;

  /** A time ahead of now is of a clock that was set back: its distance counts, whichever way. */
  const ageMs = (at: number) => Math.abs(now() - at);

  function lastSaid() {
    const [at, ...path] = storage.read(saidKey).split(" ");
    return { at: Number(at) || 0, path: path.join(" ") };
  }

  return {
    say(path, eventId) {
      if (eventId !== undefined) {
        rows.act();
        storage.write(lastViewKey, eventId);
      }
      storage.write(saidKey, `${now()} ${path}`);
      storage.remove(goneKey);
    },
    waitMs(path, isVisible) {
      rows.turn(isVisible);
      const said = lastSaid();
      const place = rows.place();
      const goneAt = Number(storage.read(goneKey));
      // A hidden tab beats only for one that has gone, and only if none can be seen.
      if (!isVisible && (goneAt === 0 || place > 0 || !rows.isFresh())) return NEVER_MS;
      // The visitor may still be shown at the path of the tab that went: say where they are.
      const isElsewhere = goneAt > 0 || (place === 0 && path !== said.path);
      const dueMs = isElsewhere ? HEARTBEAT_DEBOUNCE_MS : HEARTBEAT_INTERVAL_MS;
      const waitMs = Math.max(dueMs - ageMs(said.at), TAKEOVER_STEP_MS - ageMs(goneAt));
      return waitMs + place * TAKEOVER_STEP_MS;
    },
    leave() {
      rows.remove();
      const { at, path } = lastSaid();
      const hasOthers = rows.hasOthers();
      if (hasOthers) storage.write(goneKey, String(now()));
      if (hasOthers || ageMs(at) >= SESSION_TIMEOUT_MS) return undefined;
      storage.remove(saidKey);
      return { path, eventId: storage.read(lastViewKey) || undefined };
    },
  };
}
