/**
 * Owns: bringing content/ into a deployment. Not: reading it (read-content.ts), or what changes (convex/content.ts).
 *
 *   node scripts/sync-content.ts --url http://localhost:4000 --admin-key …
 *
 * Without arguments it uses the one that deployment.ts finds.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { callFunction, namedDeployment, WHICH_DEPLOYMENT } from "./deployment.ts";
import type { Deployment } from "./deployment.ts";
import { readContent } from "./read-content.ts";

const CONTENT_FOLDER = fileURLToPath(new URL("../content", import.meta.url));

/** Idempotent: a second call with the same files writes nothing. Throws with the deployment's own words. */
export async function syncContent(deployment: Deployment): Promise<void> {
  const content = await readContent(CONTENT_FOLDER);
  const answer = await callFunction(deployment, "content:sync", content);
  if (answer.ok) return;
  throw new Error(`The content could not be synced: ${deployment.url} answered ${answer.message}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { url: { type: "string" }, "admin-key": { type: "string" } },
  });
  const deployment = namedDeployment(values);
  if (deployment === null) throw new Error(WHICH_DEPLOYMENT);
  await syncContent(deployment);
  console.log(`The content of ${deployment.url} is that of content/.`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
