/**
 * Owns: starting and stopping the engine: the only place that wires its rooms together.
 * Not: what any of them does.
 */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../clock.ts";
import { DataFolderError, StorageError } from "../errors.ts";
import { catchStrayFailures } from "../functions/stray-failures.ts";
import { terminalLog, type EngineLog } from "../logs/engine-log.ts";
import { openApplication } from "../open-application.ts";
import { startScheduler } from "../scheduler/scheduler.ts";
import { lockDataFolder } from "../storage/lock.ts";
import { openSqliteStorage, type Durability } from "../storage/sqlite.ts";
import { adminKeyOf } from "./admin-key-file.ts";
import { defaultOptions, parseOptions, type EngineOptions } from "./engine-options.ts";
import { serve } from "./serve.ts";
import { StartError } from "./start-error.ts";

const DATABASE_FILE = "footfall.sqlite";

export type RunningEngine = {
  /** On this machine: the site, the API, the websocket and HTTP actions. */
  readonly url: string;
  /** HTTP actions alone, as on Convex. */
  readonly siteUrl: string;
  readonly adminKey: string;
  /** Finishes what has arrived, makes it durable, lets the folder go. May be called twice. */
  close(): Promise<void>;
};

/** `FOOTFALL_DURABILITY=os` trades the last moments before a power loss for speed; a killed process loses nothing. */
function chosenDurability(): Durability {
  const chosen = process.env["FOOTFALL_DURABILITY"] ?? "power";
  if (chosen === "power" || chosen === "os") return chosen;
  throw new StartError(`FOOTFALL_DURABILITY is "${chosen}", wanted "power" (the default) or "os".`);
}

/** What has been opened, closed again in the opposite order; also when a later step of the start fails. */
class Opened {
  readonly #closers: (() => Promise<void> | void)[] = [];
  #closing: Promise<void> | null = null;

  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
  }
}

async function open(
  options: EngineOptions,
  log: EngineLog,
  opened: Opened,
): Promise<RunningEngine> {
  const durability = chosenDurability();
  const lock = lockDataFolder(options.dataFolder);
  opened.add(() => lock.release());
  const adminKey = adminKeyOf(options.dataFolder);
  const storage = openSqliteStorage({ path: join(options.dataFolder, DATABASE_FILE), durability });
  const clock = systemClock;
  // Functions read it from CONVEX_CLOUD_URL and CONVEX_SITE_URL; the ports are known only once they are open.
  const origin = { cloudUrl: "", siteUrl: "" };
  const onInternalError = (error: unknown) => log.problem("A call failed inside the engine", error);
  const application = await openApplication({ storage, clock, origin, onInternalError });
  opened.add(() => application.close());
  const stopCatching = catchStrayFailures((functionPath, error) =>
    log.problem(`${functionPath} left work behind that failed; await every promise`, error),
  );
  opened.add(() => stopCatching());

  const served = await serve({ application, adminKey, clock, log, options });
  opened.add(() => served.close());
  Object.assign(origin, { cloudUrl: served.cloudUrl, siteUrl: served.siteUrl });
  const scheduler = await startScheduler(application, clock, (what, error) =>
    log.problem(what, error),
  );
  opened.add(() => scheduler.stop());
  return {
    url: served.localUrl,
    siteUrl: served.siteUrl,
    adminKey,
    close: () => opened.close(),
  };
}

/**
 * Resolves when the engine answers. Throws DataFolderError, StorageError or StartError, each with one sentence for
 * the operator; then nothing is left open.
 */
export async function startEngine(
  options: Partial<EngineOptions> = {},
  log: EngineLog = terminalLog,
): Promise<RunningEngine> {
  const opened = new Opened();
  try {
    return await open({ ...defaultOptions, ...options }, log, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The first signal stops cleanly; a second one leaves at once, as whoever sends it wants. */
function closeOnSignal(engine: RunningEngine): void {
  let isClosing = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isClosing) process.exit(1);
      isClosing = true;
      void engine.close().then(
        () => process.exit(0),
        (error: unknown) => {
          terminalLog.problem("The engine did not stop cleanly", error);
          process.exit(1);
        },
      );
    });
  }
}

async function main(): Promise<void> {
  // Whatever the engine writes is for its own account only.
  process.umask(0o077);
  try {
    const engine = await startEngine(parseOptions(process.argv.slice(2)));
    closeOnSignal(engine);
    process.stdout.write(
      `The engine answers at ${engine.url} (HTTP actions alone at ${engine.siteUrl})\n`,
    );
  } catch (error) {
    const isForOperator =
      error instanceof StartError ||
      error instanceof DataFolderError ||
      error instanceof StorageError;
    if (isForOperator) process.stderr.write(`${error.message}\n`);
    else terminalLog.problem("The engine did not start", error);
    process.exitCode = 1;
  }
}

function isEntryPoint(): boolean {
  const script = process.argv[1];
  return script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url);
}

if (isEntryPoint()) await main();
