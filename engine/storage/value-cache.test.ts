import { expect, test } from "vitest";
import { ValueCache } from "./value-cache.ts";

test("the value that was not used for the longest time goes first", () => {
  const cache = new ValueCache(330);
  cache.set("a", "1");
  cache.set("b", "1");
  cache.set("c", "1");
  cache.get("a");
  cache.set("d", "1");
  expect(["a", "b", "c", "d"].filter((key) => cache.get(key) !== undefined)).toEqual([
    "a",
    "c",
    "d",
  ]);
});

test("the cache never holds more than its bound, and a value over the bound is not kept", () => {
  const cache = new ValueCache(2_000);
  for (let i = 0; i < 100; i++) {
    cache.set(`k${i % 7}`, "x".repeat((i * 37) % 400));
    expect(cache.bytes).toBeLessThanOrEqual(2_000);
  }
  cache.set("k0", "x".repeat(2_000));
  expect(cache.get("k0")).toBeUndefined();
});

test("after everything is deleted or cleared nothing is counted", () => {
  const cache = new ValueCache(10_000);
  for (const key of ["a", "b", "a"]) cache.set(key, key.repeat(10));
  cache.delete("a");
  cache.delete("never there");
  cache.delete("b");
  expect(cache.bytes).toBe(0);
  cache.set("a", "1");
  cache.clear();
  expect(cache.bytes).toBe(0);
});
