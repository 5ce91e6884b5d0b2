/**
 * Owns: the reader's choice of light or dark, and remembering it.
 * Not: the colours (tokens.css) or applying it before the first paint (public/theme.js).
 */
import { useCallback, useSyncExternalStore } from "react";

export type Theme = "light" | "dark";

/** The key under which public/theme.js looks for the choice. */
export const THEME_KEY = "footfall_theme";

/** Where a choice is kept; the browser's localStorage, which may throw at every call. */
export type ThemeStorage = Pick<Storage, "setItem" | "removeItem">;

/** A choice that says what the system says anyway is forgotten, so that the page follows the system again. */
export function rememberTheme(chosen: Theme, system: Theme, storage: () => ThemeStorage): void {
  try {
    if (chosen === system) storage().removeItem(THEME_KEY);
    else storage().setItem(THEME_KEY, chosen);
  } catch (error) {
    console.debug("Footfall: the theme holds for this page only, storage refused it.", error);
  }
}

const darkSystem = () => window.matchMedia("(prefers-color-scheme: dark)");

const systemTheme = (): Theme => (darkSystem().matches ? "dark" : "light");

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : systemTheme();
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  const system = darkSystem();
  listeners.add(listener);
  system.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener("change", listener);
  };
}

function choose(theme: Theme): void {
  const system = systemTheme();
  if (theme === system) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  rememberTheme(theme, system, () => window.localStorage);
  for (const listener of listeners) listener();
}

/** The theme in force and a function that switches to the other one. */
export function useTheme(): { theme: Theme; switchTheme: () => void } {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  const switchTheme = useCallback(() => choose(theme === "dark" ? "light" : "dark"), [theme]);
  return { theme, switchTheme };
}
