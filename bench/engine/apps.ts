/**
 * Owns: which code the measured engines run: ours with a feed beside it, and the original design.
 * Not: their data (seed.ts), what is called (load.ts).
 */
import { fileURLToPath } from "node:url";
import type { DeployRequest } from "../../engine/application.ts";
import { bundleApp, convexModules, fileNamed } from "../../tests/conformance/bundle.ts";
import type { EntryPoint } from "../../tests/conformance/bundle.ts";
import { FEED_MODULE } from "./feed.ts";

/** `original`: as design.md gives its cost, without the component that limits rates; `published`: with all that its source calls. */
export type Design = "footfall" | "original" | "published";

export function bundleOf(design: Design): Promise<DeployRequest> {
  const config = fileNamed("convex.config");
  if (design === "footfall") {
    const modules = [...convexModules(), at("./feed.ts", FEED_MODULE)];
    return bundleApp({ modules, schema: fileNamed("schema"), config });
  }
  const schema = at("../original/schema.ts", "schema");
  if (design === "published") {
    const modules = [at("../original/published.ts", "stats")];
    const published = at("../original/published.config.ts", "convex.config");
    return bundleApp({ modules, schema, config: published });
  }
  // Both mount the same three aggregates.
  return bundleApp({ modules: [at("../original/functions.ts", "stats")], schema, config });
}

function at(file: string, out: string): EntryPoint {
  return { in: fileURLToPath(new URL(file, import.meta.url)), out };
}
