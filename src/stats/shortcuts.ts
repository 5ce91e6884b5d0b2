/** Owns: which key does what on /stats. Not: hearing keys (Shortcuts.tsx). */
import type { Preset } from "../../domain/calendar/periods.ts";
import { WAYS_TO_COMPARE } from "./period/span.ts";
import type { Comparison, WayToCompare } from "./period/span.ts";

export const PRESET_KEYS: Readonly<Record<string, Preset>> = {
  d: "today",
  y: "yesterday",
  w: "7d",
  m: "28d",
  q: "90d",
  a: "12mo",
  e: "all",
};

export type Shortcut =
  | { readonly kind: "period"; readonly preset: Preset }
  | { readonly kind: "compare" }
  | { readonly kind: "all" }
  | { readonly kind: "help" };

type Pressed = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
};

/** Null where the key is the browser's, or somebody types. */
export function shortcutOf(pressed: Pressed, isTyping: boolean): Shortcut | null {
  if (isTyping || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  const { key } = pressed;
  const preset = Object.hasOwn(PRESET_KEYS, key) ? PRESET_KEYS[key] : undefined;
  if (preset !== undefined) return { kind: "period", preset };
  if (key === "c") return { kind: "compare" };
  if (key === "x") return { kind: "all" };
  return key === "?" ? { kind: "help" } : null;
}

/** After days that somebody chose, the first. */
export function nextComparison(now: Comparison): WayToCompare {
  const place = WAYS_TO_COMPARE.findIndex((one) => one === now) + 1;
  return WAYS_TO_COMPARE[place % WAYS_TO_COMPARE.length] ?? "previous";
}
