/** Owns: running the behaviours of the past on convex-test. Not: the behaviours. */
import { describe } from "vitest";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { lateHistory } from "./late-history.ts";
import { past } from "./past.ts";

describe("the past on convex-test", () => {
  past(createConvexTestRuntime);
  lateHistory(createConvexTestRuntime, { runs: 15 });
});
