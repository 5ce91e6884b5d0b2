/**
 * Owns: a real Footfall for a test: `scripts/start.ts` as a process of its own, on a data folder of its own, and the
 * official CLI pointed at it.
 * Not: the browser (browser.helpers.ts).
 */
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { inject, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { ROOT } from "../../scripts/checkout.ts";
import { run, type Outcome } from "../../scripts/processes.ts";

const READY = /^Footfall is at (http:\/\/localhost:\d+)$/m;

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A process that runs one of the scripts; `ended` resolves when it is gone. */
export type ScriptProcess = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<Exit>;
};

export type Footfall = ScriptProcess & {
  /** "http://localhost:N" */
  readonly url: string;
  readonly dataFolder: string;
  readonly client: ConvexHttpClient;
  /** `npx convex <args>`, pointed at this engine. */
  cli(...args: string[]): Promise<Outcome>;
  stop(signal?: NodeJS.Signals): Promise<Exit>;
};

export function newFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `footfall-${name}-`));
}

/** A data folder of its own into which convex/ is pushed already. */
export function deployedFolder(name: string): string {
  const folder = newFolder(name);
  cpSync(inject("deployedFolder"), folder, { recursive: true });
  return folder;
}

/** Runs a script of scripts/ with the Node that runs the tests. In this checkout, `.env.local` is left alone. */
export function runScript(
  script: string,
  args: readonly string[],
  dataFolder: string,
  checkout = ROOT,
): ScriptProcess {
  let output = "";
  const child = spawn(process.execPath, [join(checkout, "scripts", script), ...args], {
    cwd: checkout,
    env: {
      ...process.env,
      CI: "1",
      ...(checkout === ROOT ? { FOOTFALL_ENV_FILE: `${dataFolder}.env` } : {}),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => (output += text));
  }
  const { promise: ended, resolve } = Promise.withResolvers<Exit>();
  child.once("close", (code, signal) => resolve({ code, signal }));
  process.once("exit", () => child.kill("SIGKILL"));
  return { child, output: () => output, ended };
}

/** Starts Footfall; rejects with all that it printed when it ends before it answers. */
export async function startFootfall(
  dataFolder: string,
  { script = "start.ts", port = 0, checkout = ROOT } = {},
): Promise<Footfall> {
  const running = runScript(
    script,
    ["--data", dataFolder, "--port", String(port)],
    dataFolder,
    checkout,
  );
  const url = await whenReady(running);
  return {
    ...running,
    url,
    dataFolder,
    client: httpClient(url),
    cli: (...args) =>
      run("convex", [...args, "--env-file", join(dataFolder, "cli.env")], { env: { CI: "1" } }),
    stop: async (signal = "SIGINT") => {
      running.child.kill(signal);
      return await running.ended;
    },
  };
}

/** Node's own name is a bot's. */
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

class PersonSocket extends WebSocket {
  constructor(url: string | URL) {
    super(url, { headers: { "User-Agent": USER_AGENT } });
  }
}

/** The official client over HTTP, as from a browser. */
export function httpClient(url: string): ConvexHttpClient {
  const fetchAsPerson: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("User-Agent", USER_AGENT);
    return fetch(input, { ...init, headers });
  };
  return new ConvexHttpClient(url, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
    fetch: fetchAsPerson,
  });
}

/** The official client with its websocket, closed after the test. */
export function liveClient(url: string): ConvexClient {
  const client = new ConvexClient(url, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
    webSocketConstructor: PersonSocket as never,
  });
  onTestFinished(() => client.close());
  return client;
}

async function whenReady({ child, output, ended }: ScriptProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const look = () => {
    const url = READY.exec(output())?.[1];
    if (url !== undefined) resolve(url);
  };
  child.stdout?.on("data", look);
  void ended.then(({ code }) =>
    reject(new Error(`Footfall ended with code ${code}:\n${output()}`)),
  );
  return await promise;
}

/** For one test: a Footfall on a folder of its own, stopped and removed afterwards. */
export async function footfallForTest(name: string): Promise<Footfall> {
  const dataFolder = deployedFolder(name);
  const footfall = await startFootfall(dataFolder);
  onTestFinished(async () => {
    await footfall.stop();
    removeFolder(dataFolder);
  });
  return footfall;
}

export function removeFolder(dataFolder: string): void {
  for (const path of [dataFolder, `${dataFolder}.env`])
    rmSync(path, { recursive: true, force: true });
}

/** Pushes convex/ together with more modules ({"seed.ts": source}), as a site owner's own functions beside ours. */
export async function pushWith(
  footfall: Footfall,
  modules: Readonly<Record<string, string>>,
): Promise<void> {
  const project = newFolder("project");
  try {
    for (const path of ["package.json", "tsconfig.base.json", "convex", "domain"]) {
      cpSync(join(ROOT, path), join(project, path), { recursive: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
    for (const [name, source] of Object.entries(modules))
      writeFileSync(join(project, "convex", name), source);
    const args = [
      "deploy",
      "--env-file",
      join(footfall.dataFolder, "cli.env"),
      "--typecheck",
      "disable",
      "--yes",
    ];
    const { code, output } = await run("convex", args, { cwd: project, env: { CI: "1" } });
    if (code !== 0) throw new Error(`The push failed:\n${output}`);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Calls an internal function with arguments that are too long for a command line. */
export async function runInternal(
  { url, dataFolder }: Footfall,
  path: string,
  args: object,
): Promise<void> {
  const adminKey = parseEnv(
    readFileSync(join(dataFolder, "cli.env"), "utf8"),
  ).CONVEX_SELF_HOSTED_ADMIN_KEY;
  const response = await fetch(`${url}/api/function`, {
    method: "POST",
    headers: { Authorization: `Convex ${adminKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ path, args, format: "json" }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} failed: ${text}`);
}
