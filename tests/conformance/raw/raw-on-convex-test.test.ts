import { describeRaw } from "./raw.ts";
import { openConvexTestWorld } from "./convex-test-world.ts";

describeRaw(openConvexTestWorld);
