/**
 * Owns: localStorage for tests: shared by tabs with the delay that processes have, blocked, or full.
 * Not: the tabs (tracking.helpers.ts).
 */
import type { BrowserStorage } from "./kept-storage.ts";
import type { Clock } from "./hook-tracker.ts";

/** Enough of `window.localStorage`: its entries are own properties, as in a browser. */
export class FakeStorage implements BrowserStorage {
  [key: string]: unknown;
  static of(entries: Record<string, string> = {}): FakeStorage {
    return Object.assign(new FakeStorage(), entries);
  }
  getItem(key: string): string | null {
    const value = Object.hasOwn(this, key) ? this[key] : null;
    return typeof value === "string" ? value : null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

/** A sandboxed frame, or a visitor who blocks storage. */
export class BlockedStorage extends FakeStorage {
  override getItem(): never {
    throw new Error("SecurityError: The operation is insecure.");
  }
  override setItem(): never {
    throw new Error("SecurityError: The operation is insecure.");
  }
  override removeItem(): never {
    throw new Error("SecurityError: The operation is insecure.");
  }
}

export class FullStorage extends FakeStorage {
  override setItem(): never {
    throw new Error("QuotaExceededError: The quota has been exceeded.");
  }
}

export type StoragePort = {
  storage: BrowserStorage;
  onChange: (key: string) => void;
  /** By key: the newest write that this copy holds. */
  newest: Map<string, number>;
};

/**
 * One storage as several processes see it: each has a copy of its own, which hears of the others' writes, and tells
 * its tab about them, `lagMs` later. (At 0 the copies are the same, and the tab is told in the next timer.) Writes have
 * one order: where two cross, the later one is what all copies hold in the end, as in a browser, which has one process
 * that orders them and lets no copy take an older write over its own.
 */
export function createSharedStorage(clock: Clock, original: FakeStorage, lagMs: number) {
  const ports = new Set<StoragePort>();
  let writes = 0;

  function join(onChange: (key: string) => void): BrowserStorage {
    const copy = lagMs === 0 ? original : FakeStorage.of(entriesOf(original));
    const port: StoragePort = { storage: copy, onChange, newest: new Map() };
    ports.add(port);

    function change(key: string, apply: (storage: BrowserStorage) => void) {
      const write = (writes += 1);
      apply(copy);
      port.newest.set(key, write);
      if (copy !== original) apply(original);
      clock.setTimer(() => {
        for (const other of ports) {
          if (other === port) continue;
          const isNews = write > (other.newest.get(key) ?? 0);
          if (isNews && other.storage !== original) apply(other.storage);
          if (isNews) other.newest.set(key, write);
          other.onChange(key);
        }
      }, lagMs);
    }
    return new Proxy(copy, {
      get(target, property) {
        if (property === "setItem")
          return (key: string, value: string) =>
            change(key, (storage) => storage.setItem(key, value));
        if (property === "removeItem")
          return (key: string) => change(key, (storage) => storage.removeItem(key));
        return Reflect.get(target, property, target) as unknown;
      },
    });
  }

  return { join };
}

function entriesOf(storage: FakeStorage): Record<string, string> {
  return Object.fromEntries(
    Object.keys(storage).map((key) => [key, storage.getItem(key) ?? ""] as const),
  );
}
