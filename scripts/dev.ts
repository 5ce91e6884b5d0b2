/**
 * Owns: `npm run dev`: as `npm start`, with Vite's hot reload and the CLI's watch; with a configured Convex deployment,
 * that one instead of the engine.
 * Not: each step (embedded/, the CLI, Vite).
 */
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { createServer, type InlineConfig } from "vite";
import { ROOT } from "./checkout.ts";
import type { OpenEngine } from "./embedded/engine.ts";
import { readDeployment } from "./embedded/env-file.ts";
import { cliEnvFile } from "./embedded/push.ts";
import { explain, runEmbedded, untilSignal } from "./embedded/run.ts";
import { optionsOrExitCode, type Options } from "./options.ts";
import { end, start } from "./processes.ts";
import { syncContent } from "./sync-content.ts";

/** What Vite hands on to the engine, so that page, API, websocket and HTTP actions share one origin as in production. */
const TO_ENGINE = "^/(api/|version$|e$|e\\?|s\\.js|v1/)";
const DEFAULT_VITE_PORT = 5173;
const FUNCTIONS_ARE_IN = /Convex functions ready/;

/** A saved file changes several times in a moment. */
const CONTENT_SETTLES_MS = 200;

process.exit(await main());

async function main(): Promise<number> {
  const options = optionsOrExitCode("npm run dev", "Runs Footfall with hot reload.");
  if (typeof options === "number") return options;
  const deployment = readDeployment(join(ROOT, ".env.local"), process.env);
  if (deployment.kind === "other") return await useDeployment(deployment.name, options);
  return await runEmbedded({ ...options, port: null }, "development", (engine) =>
    serve(engine, options),
  );
}

/** The CLI pushes and watches; it may ask its person something, so it has this terminal. */
async function useDeployment(name: string, options: Options): Promise<number> {
  console.log(
    `Using ${name}, which .env.local or the shell names, instead of the embedded engine.`,
  );
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  // At a terminal Ctrl-C reaches it by itself; elsewhere it is ended as a group, with what it started.
  const child = spawn("convex", ["dev"], {
    cwd: ROOT,
    stdio: "inherit",
    detached: !process.stdin.isTTY,
  });
  child.once("error", reject);
  child.once("exit", (code) => resolve(code ?? 1));
  const stopped = untilSignal().then(() => 0);
  try {
    await openVite(options, {});
    return await Promise.race([stopped, promise]);
  } catch (error) {
    console.error(explain(error));
    return 1;
  } finally {
    await end(child);
  }
}

async function serve(engine: OpenEngine, options: Options): Promise<void> {
  await watchFunctions(engine);
  await syncContent(engine);
  watchContent(engine);
  // The page asks where it came from, so that all is one origin as in production, whatever .env files say.
  const proxy = { [TO_ENGINE]: { target: engine.url, ws: true } };
  await openVite(options, { envDir: false, server: { proxy } });
}

async function openVite({ host, port }: Options, config: InlineConfig): Promise<void> {
  const address = { host, port: port ?? DEFAULT_VITE_PORT, strictPort: port !== null };
  const vite = await createServer({
    root: ROOT,
    ...config,
    server: { ...config.server, ...address },
  });
  await vite.listen();
  const listening = vite.httpServer?.address();
  if (typeof listening !== "object" || listening === null)
    throw new Error("Vite listens on no port.");
  console.log(`Footfall is at http://localhost:${listening.port}`);
}

/** Resolves after the first push; a later exit of the CLI is an error of its own. */
async function watchFunctions(engine: OpenEngine): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = start("convex", ["dev", "--env-file", cliEnvFile(engine)], {
    env: { CI: "1" },
    onOutput: (text) => {
      process.stdout.write(text);
      if (FUNCTIONS_ARE_IN.test(stripVTControlCharacters(text))) resolve();
    },
  });
  child.once("error", reject);
  child.once("exit", (code) =>
    reject(new Error(`convex dev ended by itself with code ${code}; its reason stands above.`)),
  );
  await promise;
}

function watchContent(engine: OpenEngine): void {
  let timer: NodeJS.Timeout | undefined;
  watch(join(ROOT, "content"), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      syncContent(engine).catch((error: unknown) => console.error(explain(error)));
    }, CONTENT_SETTLES_MS);
  });
}
