/** Owns: running the invariants of the reports on convex-test. Not: the invariants. */
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { invariants } from "./invariants.ts";

invariants(createConvexTestRuntime, { runs: 8 });
