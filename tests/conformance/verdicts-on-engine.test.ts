/** Owns: running the behaviours of changed verdicts and of limits on the engine. Not: the behaviours. */
import { describe } from "vitest";
import { createEngineRuntime } from "./engine-runtime.ts";
import { doorRules } from "./door-rules.ts";
import { underAttack } from "./under-attack.ts";
import { verdicts } from "./verdicts.ts";

describe("verdicts on the engine", () => {
  verdicts(createEngineRuntime, { histories: 1 });
  doorRules(createEngineRuntime);
  underAttack(createEngineRuntime, { posts: 1_000 });
});
