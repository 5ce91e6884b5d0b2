import fc from "fast-check";
import { test } from "vitest";
import { runs } from "../../../long.helpers.ts";
import { histories } from "./history.ts";
import { play } from "./play.ts";

test("random histories give the same on the engine and on convex-test, and every subscription ends in what a fresh query gives", async () => {
  await fc.assert(fc.asyncProperty(histories, play), { numRuns: runs(60, 3_000) });
});
