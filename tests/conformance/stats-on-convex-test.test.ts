/** Owns: running the one list of behaviours of the statistics on convex-test. Not: the behaviours. */
import { describe } from "vitest";
import { backfill } from "./backfill.ts";
import { budget } from "./budget.ts";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { counting } from "./counting.ts";
import { eventHits } from "./event-hits.ts";
import { events } from "./events.ts";
import { engagement } from "./engagement.ts";
import { histories } from "./histories.ts";
import { leaks } from "./leaks.ts";
import { presence } from "./presence.ts";
import { received } from "./received.ts";
import { removal } from "./removal.ts";
import { reports } from "./reports.ts";
import { rollups } from "./rollups.ts";
import { serverHits } from "./server-hits.ts";
import { sites } from "./sites.ts";
import { visits } from "./visits.ts";

describe("statistics on convex-test", () => {
  counting(createConvexTestRuntime);
  events(createConvexTestRuntime);
  eventHits(createConvexTestRuntime);
  presence(createConvexTestRuntime);
  visits(createConvexTestRuntime);
  received(createConvexTestRuntime);
  removal(createConvexTestRuntime);
  serverHits(createConvexTestRuntime);
  sites(createConvexTestRuntime);
  leaks(createConvexTestRuntime);
  engagement(createConvexTestRuntime);
  reports(createConvexTestRuntime);
  rollups(createConvexTestRuntime);
  budget(createConvexTestRuntime);
  histories(createConvexTestRuntime, { runs: 25 });
  backfill(createConvexTestRuntime, { oldViews: 1_200, oldSessions: 1_001 });
});
