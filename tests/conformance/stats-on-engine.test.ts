/** Owns: running the one list of behaviours of the statistics on the engine. Not: the behaviours. */
import { describe } from "vitest";
import { backfill } from "./backfill.ts";
import { budget } from "./budget.ts";
import { createEngineRuntime } from "./engine-runtime.ts";
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

describe("statistics on the engine", () => {
  counting(createEngineRuntime);
  events(createEngineRuntime);
  eventHits(createEngineRuntime);
  presence(createEngineRuntime);
  visits(createEngineRuntime);
  received(createEngineRuntime);
  removal(createEngineRuntime);
  serverHits(createEngineRuntime);
  sites(createEngineRuntime);
  leaks(createEngineRuntime);
  engagement(createEngineRuntime);
  reports(createEngineRuntime);
  rollups(createEngineRuntime);
  budget(createEngineRuntime);
  histories(createEngineRuntime, { runs: 25 });
  backfill(createEngineRuntime, { oldViews: 5_000, oldSessions: 10_001 });
});
