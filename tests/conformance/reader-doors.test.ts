/// <reference types="vite/client" />
/** Owns: that no public function of the statistics is without its guard. Not: the guard (tests/conformance/access.ts). */
import { query } from "../../convex/_generated/server.js";
import { v } from "convex/values";
import { expect, test } from "vitest";
import { unguarded } from "./access.ts";

const files = import.meta.glob<object>("../../convex/*.ts", { eager: false });

test("every public function is one that the tests of access ask with and without a token, and one that is not is found", async () => {
  const doors: Record<string, object> = {};
  for (const [path, load] of Object.entries(files)) {
    if (!/\/convex\/[^.\/]+\.ts$/.test(path)) continue;
    doors[path.slice("../../convex/".length, -".ts".length)] = await load();
  }
  expect(Object.keys(doors)).toContain("reports");
  expect(unguarded(doors)).toEqual([]);
  const planted = query({ args: {}, returns: v.null(), handler: () => null });
  expect(unguarded({ ...doors, planted: { planted } })).toEqual(["planted:planted"]);
});
