/**
 * Owns: what the tracker keeps in the browser; a storage that is blocked, full or missing is a value, never an error.
 * Not: what is kept there (visitor.ts, open-tabs.ts).
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

export type KeptStorage = {
  read(key: string): string | null;
  /** False when the browser refused: the value then lasts as long as this page. */
  write(key: string, value: string): boolean;
  remove(key: string): void;
  /** Every key that begins like this. */
  keysFrom(prefix: string): string[];
  /** Why the browser first refused, null as long as it never did. */
  refusal(): string | null;
};

/** `open` is called for every access, because merely touching `window.localStorage` may throw (a sandboxed frame). */
export function createKeptStorage(open: () => BrowserStorage): KeptStorage {
  const inMemory = new Map<string, string>();
  let refusal: string | null = null;

  function allowed<T>(access: (storage: BrowserStorage) => T, otherwise: T): T {
    try {
      return access(open());
    } catch (reason) {
      refusal ??= String(reason);
      return otherwise;
    }
  }

  return {
    read: (key) => inMemory.get(key) ?? allowed((storage) => storage.getItem(key), null),
    write(key, value) {
      const isKept = allowed((storage) => {
        storage.setItem(key, value);
        return true;
      }, false);
      if (isKept) inMemory.delete(key);
      else inMemory.set(key, value);
      return isKept;
    },
    remove(key) {
      inMemory.delete(key);
      allowed((storage) => storage.removeItem(key), undefined);
    },
    keysFrom(prefix) {
      const inBrowser = allowed((storage) => Object.keys(storage), []);
      return [...new Set([...inBrowser, ...inMemory.keys()])].filter((key) =>
        key.startsWith(prefix),
      );
    },
    refusal: () => refusal,
  };
}
