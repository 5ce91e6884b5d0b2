/** Owns: running the one list of behaviours of the statistics on each runtime. Not: the behaviours. */
import { describe } from "vitest";
import { backfill } from "./backfill.ts";
import { budget } from "./budget.ts";
import { counting } from "./counting.ts";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { histories } from "./histories.ts";
import { presence } from "./presence.ts";

const RUNTIMES = [["convex-test", createConvexTestRuntime, { oldViews: 1_200, runs: 25 }]] as const;

describe.each(RUNTIMES)("on %s", (_name, create, scale) => {
  backfill(create, scale);
  budget(create);
  counting(create);
  presence(create);
  histories(create, scale);
});
