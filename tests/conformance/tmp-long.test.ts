import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { invariants } from "./invariants.ts";
import { lateHistory } from "./late-history.ts";
invariants(createConvexTestRuntime, { runs: 150 });
lateHistory(createConvexTestRuntime, { runs: 300 });
