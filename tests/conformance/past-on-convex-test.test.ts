/** Owns: running the behaviours of the past on convex-test. Not: the behaviours. */
import { describe } from "vitest";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { engagementPast } from "./engagement-past.ts";
import { lateHistory } from "./late-history.ts";
import { past } from "./past.ts";

describe("the past on convex-test", () => {
  past(createConvexTestRuntime);
  engagementPast(createConvexTestRuntime, { runs: 3 });
  lateHistory(createConvexTestRuntime, { runs: 15 });
});
