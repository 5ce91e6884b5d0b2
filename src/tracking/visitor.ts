/**
 * Owns: the random id that stands for this browser, and the flag by which a person opts out of being counted.
 * Not: when anything is counted (tracker.ts).
 */
import { MAX_ID_LENGTH } from "../../domain/limits.ts";
import type { KeptStorage } from "./kept-storage.ts";
import {
  HITS_KEY,
  OPT_OUT_KEY,
  ORIGINAL_SESSION_ID_KEY,
  SESSION_ID_KEY,
  TAB_KEYS,
} from "./keys.ts";

export type Visitor = {
  /** The id of this browser; made and kept at the first call. */
  sessionId(): string;
  hasOptedOut(): boolean;
};

export type VisitorParts = {
  storage: KeptStorage;
  /** Must be unguessable and unique: whoever knows the id can beat for its visitor. */
  newId: () => string;
  /** Under which key the id is kept; `SESSION_ID_KEY` when absent. */
  sessionIdKey?: string | undefined;
};

export function createVisitor({
  storage,
  newId,
  sessionIdKey = SESSION_ID_KEY,
}: VisitorParts): Visitor {
  /** What the server takes as an id: printable ASCII. Anything else under our key is not ours. */
  const anyId = new RegExp(`^[\\x21-\\x7e]{1,${MAX_ID_LENGTH}}$`);

  function idUnder(key: string): string | null {
    const kept = storage.read(key);
    return anyId.test(kept) ? kept : null;
  }

  return {
    sessionId() {
      const kept = idUnder(sessionIdKey);
      if (kept !== null) return kept;
      const sessionId = idUnder(ORIGINAL_SESSION_ID_KEY) ?? newId();
      storage.write(sessionIdKey, sessionId);
      return sessionId;
    },
    hasOptedOut: () => storage.read(OPT_OUT_KEY) !== "",
  };
}

/**
 * From now on nothing is sent from this browser, and nothing but the flag is kept in it: the id is forgotten.
 * False when the browser refuses to keep the flag: then it holds for this page only.
 */
export function optOutOf(storage: KeptStorage, sessionIdKey = SESSION_ID_KEY): boolean {
  // The flag first: what is removed after it wakes the other tabs.
  const isKept = storage.write(OPT_OUT_KEY, "1");
  storage.remove(sessionIdKey);
  storage.remove(ORIGINAL_SESSION_ID_KEY);
  storage.remove(HITS_KEY);
  for (const key of storage.keysFrom(TAB_KEYS)) storage.remove(key);
  return isKept;
}

/** Counted again from the next view on, as a new visitor. */
export function optInTo(storage: KeptStorage): void {
  storage.remove(OPT_OUT_KEY);
}
