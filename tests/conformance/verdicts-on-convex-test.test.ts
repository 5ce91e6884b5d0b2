/** Owns: running the behaviours of changed verdicts and of limits on convex-test. Not: the behaviours. */
import { describe } from "vitest";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { doorRules } from "./door-rules.ts";
import { underAttack } from "./under-attack.ts";
import { verdicts } from "./verdicts.ts";

describe("verdicts on convex-test", () => {
  verdicts(createConvexTestRuntime, { histories: 2 });
  doorRules(createConvexTestRuntime);
  underAttack(createConvexTestRuntime, { posts: 600 });
});
