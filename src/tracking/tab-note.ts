/**
 * Owns: whose turn it is to beat among the tabs of one browser, for the script: the first things of open-tabs.ts in
 * a fifth of its bytes.
 * Not: an order of all tabs, and which is the last to go.
 *
 * All tabs share one note: which path one of them last said to the server, and when; no path when that tab has left.
 * Who reads another tab's note comes one step later than it. A tab that goes leaves if it said the last thing, and a
 * tab that stays then says that it is there: at most two steps later the visitor is back on its path.
 */
import {
  HEARTBEAT_DEBOUNCE_MS,
  HEARTBEAT_INTERVAL_MS,
  SESSION_TIMEOUT_MS,
} from "../../domain/intervals.ts";
import { TAB_KEYS } from "./keys.ts";
import type { KeptValues } from "./kept-storage.ts";
import { NEVER_MS, TAKEOVER_STEP_MS, type Tabs } from "./tabs.ts";

export type TabNoteParts = {
  storage: KeptValues;
  now: () => number;
  /** Tabs of different sites on one origin do not know of each other. */
  site: string | undefined;
};

export function createTabNote({ storage, now, site }: TabNoteParts): Tabs {
  const noteKey = `${TAB_KEYS}_note:${site}`;
  let saidAt = 0;
  /** The note after which the reader did something in this tab. */
  let knownNote = "";
  let wasVisible = false;

  const readNote = () => storage.read(noteKey);

  /** The last view of any of the tabs. */
  const lastEventId = () => readNote().split(" ")[2];

  /** How long ago, or, after the clock was set back, ahead. */
  const ageMs = (at: number) => Math.abs(now() - at);

  function writeNote(path: string, eventId: string | undefined) {
    storage.write(noteKey, (knownNote = `${path} ${now()} ${eventId}`));
  }

  return {
    say(path, eventId = lastEventId()) {
      saidAt = now();
      writeNote(path, eventId);
    },
    waitMs(path, isVisible) {
      const note = readNote();
      const [saidPath, at] = note.split(" ");
      if (isVisible && !wasVisible) knownNote = note;
      wasVisible = isVisible;
      let dueMs = HEARTBEAT_INTERVAL_MS;
      if (!saidPath) dueMs = isVisible ? TAKEOVER_STEP_MS : 2 * TAKEOVER_STEP_MS;
      else if (!isVisible) return NEVER_MS;
      else if (saidPath !== path)
        dueMs = note === knownNote ? HEARTBEAT_DEBOUNCE_MS : dueMs + TAKEOVER_STEP_MS;
      return isVisible || ageMs(saidAt) < SESSION_TIMEOUT_MS ? dueMs - ageMs(+at!) : NEVER_MS;
    },
    leave() {
      const [path, , eventId] = knownNote.split(" ");
      // Without a path, another tab has left for all of them.
      if (!path || readNote() !== knownNote || ageMs(saidAt) > SESSION_TIMEOUT_MS) return undefined;
      writeNote("", eventId);
      return { path, eventId };
    },
  };
}
