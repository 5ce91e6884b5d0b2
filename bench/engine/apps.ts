/**
 * Owns: which code the measured engines run: ours with a feed beside it, and the original design.
 * Not: their data (seed.ts), what is called (load.ts).
 */
import { fileURLToPath } from "node:url";
import type { DeployRequest } from "../../engine/application.ts";
import { bundleApp, convexModules, fileNamed } from "../../tests/conformance/bundle.ts";
import type { EntryPoint } from "../../tests/conformance/bundle.ts";
import { FEED_MODULE } from "./feed.ts";

export type Design = "footfall" | "original";

export function bundleOf(design: Design): Promise<DeployRequest> {
  const config = fileNamed("convex.config");
  if (design === "footfall") {
    const modules = [...convexModules(), at("./feed.ts", FEED_MODULE)];
    return bundleApp({ modules, schema: fileNamed("schema"), config });
  }
  // Both mount the same three aggregates.
  const modules = [at("../original/functions.ts", "stats")];
  return bundleApp({ modules, schema: at("../original/schema.ts", "schema"), config });
}

function at(file: string, out: string): EntryPoint {
  return { in: fileURLToPath(new URL(file, import.meta.url)), out };
}
