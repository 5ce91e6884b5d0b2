/** Owns: running the behaviours of the past on the engine. Not: the behaviours. */
import { describe } from "vitest";
import { createEngineRuntime } from "./engine-runtime.ts";
import { engagementPast } from "./engagement-past.ts";
import { lateHistory } from "./late-history.ts";
import { past } from "./past.ts";

describe("the past on the engine", () => {
  past(createEngineRuntime);
  engagementPast(createEngineRuntime, { runs: 1 });
  lateHistory(createEngineRuntime, { runs: 15 });
});
