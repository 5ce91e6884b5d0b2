/** Owns: running the one list of behaviours of the statistics on convex-test. Not: the behaviours. */
import { describe } from "vitest";
import { backfill } from "./backfill.ts";
import { budget } from "./budget.ts";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { counting } from "./counting.ts";
import { histories } from "./histories.ts";
import { presence } from "./presence.ts";

describe("statistics on convex-test", () => {
  counting(createConvexTestRuntime);
  presence(createConvexTestRuntime);
  budget(createConvexTestRuntime);
  histories(createConvexTestRuntime, { runs: 25 });
  backfill(createConvexTestRuntime, { oldViews: 1_200, oldSessions: 1_001 });
});
