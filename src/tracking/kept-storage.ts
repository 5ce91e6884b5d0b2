/**
 * Owns: what the tracker keeps in the browser; a storage that is blocked, full or missing is a value, never an error.
 * Not: what is kept there (visitor.ts, open-tabs.ts, tab-note.ts, hit-queue.ts).
 *
 * A value that the browser refuses is kept in memory, for this page alone. So a visitor without storage still has
 * one id through all routes of a page, and such a page is a browser of its own: it beats for itself.
 */

/** The part of `window.localStorage` that is used. Every call may throw. */
export type BrowserStorage = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

/** What every tracker needs, in few bytes: the script has no more. */
export type KeptValues = {
  /** "" for what is not kept. */
  read: (key: string) => string;
  write: (key: string, value: string) => void;
};

export type KeptStorage = Pick<KeptValues, "read"> & {
  /** False when the browser refused: the value then lasts as long as this page. */
  write(key: string, value: string): boolean;
  remove(key: string): void;
  /** Every key that begins like this. */
  keysFrom(prefix: string): string[];
};

/** Undefined when the browser refuses. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

/**
 * `open` is called for every access, because merely touching `window.localStorage` may throw (a sandboxed frame).
 * For somebody who is private, what is written lasts as long as this page.
 */
export function createKeptValues(
  open: () => BrowserStorage,
  inMemory: Record<string, string>,
  isPrivate?: unknown,
): KeptValues {
  return {
    read: (key: string) => inMemory[key] ?? attempt(() => open().getItem(key)) ?? "",
    write(key: string, value: string) {
      inMemory[key] = value;
      if (!isPrivate)
        attempt(() => {
          open().setItem(key, value);
          delete inMemory[key];
        });
    },
  };
}

/** Passing: what is written lasts as long as this page. */
export function createKeptStorage(
  open: () => BrowserStorage,
  inMemory: Record<string, string> = {},
  isPassing = false,
): KeptStorage {
  const { read, write } = createKeptValues(open, inMemory, isPassing);
  return {
    read,
    write(key, value) {
      write(key, value);
      return !(key in inMemory);
    },
    remove(key) {
      delete inMemory[key];
      attempt(() => open().removeItem(key));
    },
    keysFrom(prefix) {
      const keys = Object.keys({ ...attempt(() => ({ ...open() })), ...inMemory });
      return keys.filter((key) => key.startsWith(prefix));
    },
  };
}
