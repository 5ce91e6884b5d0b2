/** Owns: running the behaviours of changed verdicts and of limits on convex-test. Not: the behaviours. */
import { describe } from "vitest";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { verdicts } from "./verdicts.ts";

describe("verdicts on convex-test", () => {
  verdicts(createConvexTestRuntime);
});
