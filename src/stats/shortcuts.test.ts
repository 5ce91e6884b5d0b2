import { expect, test } from "vitest";
import { nextComparison, PRESET_KEYS, shortcutOf } from "./shortcuts.ts";

const press = (
  key: string,
  more: { ctrlKey?: boolean; metaKey?: boolean; altKey?: boolean } = {},
) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });

test("a key is a period, the next comparison, all views again, or the help", () => {
  expect(shortcutOf(press("w"), false)).toEqual({ kind: "period", preset: "7d" });
  expect(shortcutOf(press("c"), false)).toEqual({ kind: "compare" });
  expect(shortcutOf(press("x"), false)).toEqual({ kind: "all" });
  expect(shortcutOf(press("?"), false)).toEqual({ kind: "help" });
  for (const key of ["z", "Enter", "constructor", "W"])
    expect(shortcutOf(press(key), false)).toBeNull();
});

test("keys of the browser, and those of somebody who types, are left alone", () => {
  for (const key of [...Object.keys(PRESET_KEYS), "c", "x", "?"]) {
    expect(shortcutOf(press(key), true)).toBeNull();
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
      expect(shortcutOf(press(key, more), false)).toBeNull();
  }
});

test("comparisons follow each other in a round", () => {
  expect(nextComparison("previous")).toBe("year");
  expect(nextComparison(nextComparison("year"))).toBe("previous");
  expect(nextComparison({ kind: "days", firstDay: "2026-03-01", lastDay: "2026-03-09" })).toBe(
    "previous",
  );
});
