import { describeRaw } from "./raw.ts";
import { openEngineWorld } from "./engine-world.ts";

describeRaw(openEngineWorld);
