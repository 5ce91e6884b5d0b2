import { expect, test, vi } from "vitest";
import { rememberTheme, THEME_KEY, type ThemeStorage } from "./theme.ts";

function recordingStorage() {
  const kept = new Map<string, string>();
  const storage: ThemeStorage = {
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
  return { kept, storage };
}

test("a choice against the system's theme is remembered", () => {
  const { kept, storage } = recordingStorage();
  rememberTheme("dark", "light", () => storage);
  expect(kept.get(THEME_KEY)).toBe("dark");
});

test("a choice that agrees with the system is forgotten, so that the page follows the system again", () => {
  const { kept, storage } = recordingStorage();
  rememberTheme("dark", "light", () => storage);
  rememberTheme("light", "light", () => storage);
  expect(kept.has(THEME_KEY)).toBe(false);
});

test("storage that throws, even when it is only looked at, does not stop the switch", () => {
  const refuse = (): never => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  const debug = vi.spyOn(console, "debug").mockImplementation(() => undefined);
  expect(() => rememberTheme("dark", "light", refuse)).not.toThrow();
  expect(() =>
    rememberTheme("dark", "light", () => ({ setItem: refuse, removeItem: refuse })),
  ).not.toThrow();
  expect(debug).toHaveBeenCalledTimes(2);
  debug.mockRestore();
});
