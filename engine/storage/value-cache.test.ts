import { expect, test } from "vitest";
import { ValueCache } from "./value-cache.ts";

test("what was used lately stays, what was not goes", () => {
  const cache = new ValueCache(1_000);
  cache.set("used", "1");
  cache.set("unused", "1");
  for (let other = 0; other < 100; other++) {
    cache.set(`other ${other}`, "1");
    expect(cache.get("used")).toBe("1");
  }
  expect(cache.get("unused")).toBeUndefined();
  expect(cache.get("other 99")).toBe("1");
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
