/**
 * Owns: the life of an embedded engine at a terminal: it opens, the CLI finds it, work goes on until a signal or an
 * error, it closes; what went wrong is said in one sentence.
 * Not: what the work is (start.ts, dev.ts).
 */
import { join } from "node:path";
import {
  DataFolderError,
  StartError,
  StorageError,
  type EngineOptions,
} from "../../engine/index.ts";
import { ROOT } from "../checkout.ts";
import type { Options } from "../options.ts";
import { endAll } from "../processes.ts";
import { openEngine, type OpenEngine } from "./engine.ts";
import { readDeployment, removeEngine, writeEngine } from "./env-file.ts";
import { cliEnvFile, PushRefused, writeCliEnvFile } from "./push.ts";

/** Tests point it elsewhere, so that they leave the checkout's own file alone. */
const ENV_FILE = process.env.FOOTFALL_ENV_FILE ?? join(ROOT, ".env.local");

/** Errors of the engine that are one sentence for who started it. */
const FOR_PEOPLE = [DataFolderError, StartError, StorageError];

/** Resolves with the exit code: 0 after a signal, 1 after an error, which it has printed. `work` never has to end. */
export async function runEmbedded(
  options: Options,
  disclosure: EngineOptions["disclosure"],
  work: (engine: OpenEngine) => Promise<void>,
): Promise<number> {
  const stopped = untilSignal();
  let engine: OpenEngine | null = null;
  try {
    engine = await openEngine(options, disclosure);
    writeCliEnvFile(engine);
    await offerToCli(engine);
    const outcome = await Promise.race([stopped, work(engine)]);
    if (outcome === undefined) await stopped;
    console.log("Stopping …");
    return 0;
  } catch (error) {
    console.error(explain(error));
    return 1;
  } finally {
    await endAll();
    if (engine !== null) {
      removeEngine(ENV_FILE, engine);
      await engine.close();
    }
  }
}

/** A second signal, as when npm and the terminal both send one, changes nothing. */
export function untilSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, resolve);
  return promise;
}

/** Lets `npx convex run …` in another terminal reach this engine, unless it has another deployment to talk to. */
async function offerToCli(engine: OpenEngine): Promise<void> {
  const named = readDeployment(ENV_FILE, process.env);
  const another =
    named.kind === "other"
      ? named.name
      : named.kind === "embedded" && (await answers(named.url, engine))
        ? named.url
        : null;
  if (another === null) return writeEngine(ENV_FILE, engine);
  console.log(
    `.env.local names ${another}, so it stays as it is. For this engine: npx convex run --env-file ${cliEnvFile(engine)} …`,
  );
}

async function answers(url: string, engine: OpenEngine): Promise<boolean> {
  if (url === engine.url) return false;
  try {
    return (await fetch(`${url}/version`)).ok;
  } catch {
    return false;
  }
}

/** One sentence for what a person can mend; the whole error for what only we can. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return `Footfall failed: ${String(error)}`;
  if (error instanceof PushRefused) {
    return `The functions in convex/ were not taken over, and the data is as it was. ${error.message}`;
  }
  return FOR_PEOPLE.some((kind) => error instanceof kind)
    ? error.message
    : (error.stack ?? error.message);
}
