import { expect, test, vi } from "vitest";
import { claimReload, RELOAD_AGAIN_AFTER_MS } from "./renewal.ts";

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test("a page that lacks a file is loaded anew once, not in a loop", () => {
  const kept = storage();
  expect(claimReload(() => kept, 1_000_000)).toBe(true);
  expect(claimReload(() => kept, 1_000_500)).toBe(false);
});

test("a later build may need it again", () => {
  const kept = storage();
  claimReload(() => kept, 1_000_000);
  expect(claimReload(() => kept, 1_000_000 + RELOAD_AGAIN_AFTER_MS)).toBe(true);
});

test("where nothing can be remembered there is no reload, and nothing is thrown", () => {
  const debug = vi.spyOn(console, "debug").mockImplementation(() => undefined);
  const refuse = (): never => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  expect(claimReload(refuse, 1_000_000)).toBe(false);
  debug.mockRestore();
});
