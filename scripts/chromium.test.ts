import { expect, test } from "vitest";
import { findChromium, NoChromium } from "./chromium.ts";

test("a browser that is named is used, and one that is named but missing is said so", () => {
  expect(findChromium({ CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
  expect(() => findChromium({ CHROMIUM_PATH: "/nowhere/chrome" })).toThrow(NoChromium);
});
