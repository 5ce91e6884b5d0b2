/**
 * Owns: one Footfall that was started once, with its functions pushed and its content synced: what a test begins with
 * whose subject is not the first start.
 * Not: using it (footfall.helpers.ts).
 *
 * The official CLI takes some seconds for a push; each browser test would wait for its own.
 */
import type { TestProject } from "vitest/node";
import { newFolder, removeFolder, startFootfall } from "./footfall.helpers.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A data folder that no engine holds. */
    deployedFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = newFolder("deployed");
  const footfall = await startFootfall(folder);
  await footfall.stop();
  project.provide("deployedFolder", folder);
  return () => removeFolder(folder);
}
