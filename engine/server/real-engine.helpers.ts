/**
 * Owns: the small app of tests/conformance/app, or another, in a folder of its own, an engine process, and the official CLI.
 * Not: assertions. Everything that it opens is ended by `cleanUp`.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";

const ROOT = resolve(import.meta.dirname, "../..");
const APP = join(ROOT, "tests/conformance/app");
const START = join(ROOT, "engine/server/start.ts");
const CLI = join(ROOT, "node_modules/convex/bin/main.js");
/** Node keeps there what it made of our sources: a start of the engine in a fifth of the time. */
const COMPILED = join(ROOT, "node_modules/.cache/compiled");

const cleanUps: (() => Promise<void> | void)[] = [];

/** Ends what was opened since the last call, the last first. */
export async function cleanUp(): Promise<void> {
  for (const end of cleanUps.splice(0).reverse()) await end();
}

/** For a test's own things. */
export function onCleanUp(end: () => Promise<void> | void): void {
  cleanUps.push(end);
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "footfall-engine-"));
  onCleanUp(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy, because the CLI generates code beside the functions; packages are those of this repository. */
export function copyApp(app = APP): string {
  const folder = temporaryFolder();
  cpSync(app, folder, { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({
      name: "conformance-app",
      private: true,
      type: "module",
      dependencies: { convex: "*" },
    }),
  );
  return folder;
}

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null };
export type CliOutcome = Ended & { readonly stdout: string; readonly output: string };

function collect(child: ChildProcess): {
  stdout: () => string;
  output: () => string;
  ended: Promise<Ended>;
} {
  let stdout = "";
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = new Promise<Ended>((done, failed) => {
    child.once("error", failed);
    child.once("close", (code, signal) => done({ code, signal }));
  });
  return {
    stdout: () => stripVTControlCharacters(stdout),
    output: () => stripVTControlCharacters(output),
    ended,
  };
}

export type Deployment = { readonly url: string; readonly adminKey: string };

/** The official CLI in an app's folder, against this engine and nothing else. */
export function startCli(folder: string, { url, adminKey }: Deployment, args: readonly string[]) {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      CI: "1",
      CONVEX_SELF_HOSTED_URL: url,
      CONVEX_SELF_HOSTED_ADMIN_KEY: adminKey,
    },
  });
  const { stdout, output, ended } = collect(child);
  onCleanUp(() => {
    if (child.exitCode === null) child.kill("SIGKILL");
  });
  return { child, stdout, output, ended };
}

export async function runCli(
  folder: string,
  deployment: Deployment,
  ...args: string[]
): Promise<CliOutcome> {
  const { stdout, output, ended } = startCli(folder, deployment, args);
  return { ...(await ended), stdout: stdout(), output: output() };
}

/** Pushes as `npm start` does; throws with the CLI's words when it is refused. */
export async function push(folder: string, deployment: Deployment): Promise<void> {
  const outcome = await runCli(folder, deployment, "dev", "--once", "--typecheck", "disable");
  if (outcome.code !== 0) throw new Error(`The push failed:\n${outcome.output}`);
}

export type EngineProcess = {
  readonly pid: number;
  readonly url: string;
  readonly siteUrl: string;
  readonly output: () => string;
  readonly ended: Promise<Ended>;
  end(signal: NodeJS.Signals): Promise<Ended>;
};

const ANSWERS = /The engine answers at (\S+) \(HTTP actions alone at (\S+)\)/;

/** Resolves when it answers, or when it ended without: then `url` is empty. */
export function startEngineProcess(args: readonly string[]): Promise<EngineProcess> {
  return startProcess(process.execPath, [START, ...args]);
}

/** As on a disk that is nearly full: no file of the engine can grow beyond `maxFileBytes`, until `prlimit` gives it more. */
export function startEngineWithin(
  maxFileBytes: number,
  args: readonly string[],
): Promise<EngineProcess> {
  const limited = `trap "" XFSZ; exec prlimit --fsize=${maxFileBytes}: "$0" "$@"`;
  return startProcess("sh", ["-c", limited, process.execPath, START, ...args]);
}

async function startProcess(command: string, args: readonly string[]): Promise<EngineProcess> {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
  const { stdout, output, ended } = collect(child);
  const end = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  };
  onCleanUp(async () => void (await end("SIGKILL")));
  await Promise.race([
    ended,
    new Promise<void>((answers) => {
      child.stdout.on("data", () => {
        if (ANSWERS.test(stdout())) answers();
      });
    }),
  ]);
  const [, url = "", siteUrl = ""] = ANSWERS.exec(stdout()) ?? [];
  return { pid: child.pid ?? -1, url, siteUrl, output, ended, end };
}
