/** Owns: running the behaviours of the past, and of the door and its verdicts, on convex-test. Not: the behaviours. */
import { describe } from "vitest";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { engagementPast } from "./engagement-past.ts";
import { limits } from "./limits.ts";
import { lateHistory } from "./late-history.ts";
import { mixedVerdicts } from "./mixed-verdicts.ts";
import { past } from "./past.ts";
import { doorRules } from "./door-rules.ts";
import { underAttack } from "./under-attack.ts";
import { verdicts } from "./verdicts.ts";

describe("the past on convex-test", () => {
  past(createConvexTestRuntime);
  engagementPast(createConvexTestRuntime, { runs: 3 });
  lateHistory(createConvexTestRuntime, { runs: 15 });
});

describe("the door and its verdicts on convex-test", () => {
  doorRules(createConvexTestRuntime);
  verdicts(createConvexTestRuntime, { histories: 2 });
  mixedVerdicts(createConvexTestRuntime, { histories: 2 });
  underAttack(createConvexTestRuntime);
  limits(createConvexTestRuntime);
});
