/**
 * Owns: `npm start`: the engine, the functions, the site and the content on one port, and one line that says where.
 * Not: each step (embedded/).
 */
import { relative } from "node:path";
import type { OpenEngine } from "./embedded/engine.ts";
import { pushFunctions } from "./embedded/push.ts";
import { runEmbedded } from "./embedded/run.ts";
import { buildSite } from "./embedded/site.ts";
import { optionsOrExitCode } from "./options.ts";
import { syncContent } from "./sync-content.ts";

process.exit(await main());

async function main(): Promise<number> {
  const options = optionsOrExitCode(
    "npm start",
    "Runs Footfall on this machine: site, live statistics and data.",
  );
  if (typeof options === "number") return options;
  console.log(`Opening ${relative(process.cwd(), options.dataFolder) || "."} …`);
  return await runEmbedded(options, "production", serve);
}

async function serve(engine: OpenEngine): Promise<void> {
  const pushed = async () => {
    if (await pushFunctions(engine)) console.log("Pushed convex/.");
    await syncContent(engine);
  };
  const built = async () => {
    if (await buildSite()) console.log("Built the site.");
  };
  await Promise.all([pushed(), built()]);
  await answersWithPage(engine.url);
  console.log(`Footfall is at http://localhost:${new URL(engine.url).port}`);
}

async function answersWithPage(url: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(`The site at ${url} answers ${response.status} instead of a page.`);
}
