/** Owns: running the one list of behaviours of the statistics on the engine. Not: the behaviours. */
import { describe } from "vitest";
import { access } from "./access.ts";
import { backfill } from "./backfill.ts";
import { budget } from "./budget.ts";
import { createEngineRuntime } from "./engine-runtime.ts";
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

describe("statistics on the engine", () => {
  counting(createEngineRuntime);
  presence(createEngineRuntime);
  visits(createEngineRuntime);
  visitorModes(createEngineRuntime);
  access(createEngineRuntime);
  received(createEngineRuntime);
  removal(createEngineRuntime);
  serverHits(createEngineRuntime);
  sites(createEngineRuntime);
  leaks(createEngineRuntime);
  reports(createEngineRuntime);
  rollups(createEngineRuntime);
  budget(createEngineRuntime);
  histories(createEngineRuntime, { runs: 25 });
  backfill(createEngineRuntime, { oldViews: 5_000, oldSessions: 10_001 });
});
