/**
 * Owns: child processes of the scripts: each in a group of its own, all ended when the script ends.
 * Not: what they do.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { ROOT } from "./checkout.ts";

export type Outcome = { readonly code: number; readonly output: string };

const running = new Set<ChildProcess>();

/** How long a child may take to end after SIGTERM before it is killed. */
const END_WITHIN_MS = 5_000;

type Options = {
  readonly env?: NodeJS.ProcessEnv;
  /** The root of the checkout, if nothing else is said. */
  readonly cwd?: string;
  readonly onOutput?: (text: string) => void;
};

/** Starts a command of node_modules/.bin or of the system; stdin is closed. */
export function start(
  command: string,
  args: readonly string[],
  options: Options = {},
): ChildProcess {
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.once("error", () => running.delete(child));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => options.onOutput?.(text));
  }
  return child;
}

/** Runs a command to its end. A command that does not exist is a failure with the reason as output. */
export async function run(
  command: string,
  args: readonly string[],
  options: Options = {},
): Promise<Outcome> {
  let output = "";
  const onOutput = (text: string) => {
    output += text;
    options.onOutput?.(text);
  };
  const child = start(command, args, { ...options, onOutput });
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  child.once("error", (error) =>
    resolve({ code: 127, output: `${command} does not start: ${error.message}` }),
  );
  child.once("close", (code, signal) => {
    resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), output });
  });
  return await promise;
}

/** Ends a child and what it started. Resolves when the child is gone. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("exit", () => resolve());
  signalGroup(child, "SIGTERM");
  const impatience = setTimeout(() => signalGroup(child, "SIGKILL"), END_WITHIN_MS);
  await promise;
  clearTimeout(impatience);
}

export async function endAll(): Promise<void> {
  await Promise.all([...running].map(end));
}

/** A child that has no group of its own is signalled alone. Either may be gone already; anything else is a failure of ours. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    child.kill(signal);
  }
}

/** Whatever way this process ends, no child outlives it. */
export function endChildrenOnExit(): void {
  process.once("exit", () => {
    for (const child of running) signalGroup(child, "SIGKILL");
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
