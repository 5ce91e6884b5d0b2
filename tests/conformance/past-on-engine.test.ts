/** Owns: running the behaviours of the past, and of the door and its verdicts, on the engine. Not: the behaviours. */
import { describe } from "vitest";
import { createEngineRuntime } from "./engine-runtime.ts";
import { engagementPast } from "./engagement-past.ts";
import { limits } from "./limits.ts";
import { lateHistory } from "./late-history.ts";
import { mixedVerdicts } from "./mixed-verdicts.ts";
import { past } from "./past.ts";
import { doorRules } from "./door-rules.ts";
import { floods, underAttack } from "./under-attack.ts";
import { verdicts } from "./verdicts.ts";

describe("the past on the engine", () => {
  past(createEngineRuntime);
  engagementPast(createEngineRuntime, { runs: 1 });
  lateHistory(createEngineRuntime, { runs: 15 });
});

describe("the door and its verdicts on the engine", () => {
  doorRules(createEngineRuntime);
  verdicts(createEngineRuntime, { histories: 1 });
  mixedVerdicts(createEngineRuntime, { histories: 1 });
  underAttack(createEngineRuntime);
  limits(createEngineRuntime);
  floods(createEngineRuntime);
});
