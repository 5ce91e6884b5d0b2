/** Owns: running the one list of behaviours of the statistics on convex-test. Not: the behaviours. */
import { describe } from "vitest";
import { access } from "./access.ts";
import { backfill } from "./backfill.ts";
import { budget } from "./budget.ts";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { counting } from "./counting.ts";
import { histories } from "./histories.ts";
import { leaks } from "./leaks.ts";
import { presence } from "./presence.ts";
import { received } from "./received.ts";
import { removal } from "./removal.ts";
import { reports } from "./reports.ts";
import { rollups } from "./rollups.ts";
import { serverHits } from "./server-hits.ts";
import { sites } from "./sites.ts";
import { visitorModes } from "./visitor-modes.ts";
import { visits } from "./visits.ts";

describe("statistics on convex-test", () => {
  counting(createConvexTestRuntime);
  presence(createConvexTestRuntime);
  visits(createConvexTestRuntime);
  visitorModes(createConvexTestRuntime);
  access(createConvexTestRuntime);
  received(createConvexTestRuntime);
  removal(createConvexTestRuntime);
  serverHits(createConvexTestRuntime);
  sites(createConvexTestRuntime);
  leaks(createConvexTestRuntime);
  reports(createConvexTestRuntime);
  rollups(createConvexTestRuntime);
  budget(createConvexTestRuntime);
  histories(createConvexTestRuntime, { runs: 25 });
  backfill(createConvexTestRuntime, { oldViews: 1_200, oldSessions: 1_001 });
});
