import { expect, test } from "vitest";
import { MAX_CACHED_RANGES, RangeCache } from "./range-cache.ts";

test("a range is known until a key beside it is written, and those of other indexes stay", () => {
  const cache = new RangeCache();
  cache.keep("i0001a", "i0001b", "asc", ["i0001a1"]);
  cache.keep("i0001x", "i0001y", "asc", []);
  cache.keep("i0002a", "i0002b", "asc", ["i0002a1"]);
  expect(cache.find("i0001a", "i0001b", "asc")).toEqual(["i0001a1"]);
  expect(cache.find("i0001x", "i0001y", "asc")).toEqual([]);
  expect(cache.find("i0001a", "i0001b", "desc")).toBeUndefined();
  expect(cache.find("i0001a", "i0001c", "asc")).toBeUndefined();
  cache.forget("i0001q");
  expect(cache.find("i0001a", "i0001b", "asc")).toBeUndefined();
  expect(cache.find("i0001x", "i0001y", "asc")).toBeUndefined();
  expect(cache.find("i0002a", "i0002b", "asc")).toEqual(["i0002a1"]);
});

test("a range that reaches beyond one index is not kept: writes elsewhere in it would go unnoticed", () => {
  const cache = new RangeCache();
  cache.keep("i0001a", "i0002", "asc", []);
  cache.keep("i", "j", "asc", []);
  expect(cache.find("i0001a", "i0002", "asc")).toBeUndefined();
  expect(cache.find("i", "j", "asc")).toBeUndefined();
});

test("no two ranges are taken for each other, wherever one ends and the next begins", () => {
  const cache = new RangeCache();
  cache.keep("i0001ab", "i0001c", "asc", ["first"]);
  expect(cache.find("i0001a", "bi0001c", "asc")).toBeUndefined();
});

test("the number of ranges has a bound", () => {
  const cache = new RangeCache();
  for (let i = 0; i <= MAX_CACHED_RANGES; i++) cache.keep(`i0001${i}`, `i0001${i}x`, "asc", []);
  expect(cache.find("i00010", "i00010x", "asc")).toBeUndefined();
  const newest = String(MAX_CACHED_RANGES);
  expect(cache.find(`i0001${newest}`, `i0001${newest}x`, "asc")).toEqual([]);
});
